import fc from 'fast-check';
import { areDisjoint, mix, oneIn, pick, SchemaNode, step } from './schema-node.ts';
import type { NodeSettings } from './schema-node.ts';
import { ListNode } from './scalar-nodes.ts';
import { seededRandom } from './string-node.ts';

interface UnionContext {
  readonly branch: number;
  readonly inner: unknown;
}

/** Attempts to find a value that only one branch accepts; after the last, the branches are assumed to overlap. */
const DRAWS = 100;

/** `oneOf`, `anyOf` and lists of types. With `exclusive` exactly one branch may accept a value. */
export class UnionNode extends SchemaNode {
  readonly branches: readonly SchemaNode[];
  readonly exclusive: boolean;
  private readonly representatives = new Map<SchemaNode, unknown>();
  private disjoint: boolean | undefined;

  constructor(branches: readonly SchemaNode[], exclusive: boolean) {
    super();
    this.branches = [...branches].sort((a, b) => Number(isNull(b)) - Number(isNull(a)));
    this.exclusive = exclusive;
  }
  measure(): number {
    return Math.min(...this.branches.map((branch) => branch.height));
  }
  /** Whether every value that one branch makes is one that the others refuse. */
  private get areDisjoint(): boolean {
    return (this.disjoint ??= this.branches.every((branch, at) =>
      this.branches.slice(at + 1).every((other) => areDisjoint(branch, other)),
    ));
  }
  override isDisjointFrom(other: SchemaNode): boolean {
    return this.branches.every((branch) => areDisjoint(branch, other));
  }
  private branchOf(value: unknown): number {
    const found = this.branches.findIndex((branch) => branch.accepts(value));
    if (found === -1 || !this.exclusive) return found;
    return this.branches.slice(found + 1).some((branch) => branch.accepts(value)) ? -1 : found;
  }
  accepts(value: unknown): boolean {
    return this.branchOf(value) !== -1;
  }
  make(rng: fc.Random, depth: number): unknown {
    const [first] = this.branches;
    let branch = pick(rng, this.branches);
    if (this.branches.length === 2 && isNull(first as SchemaNode)) {
      branch = this.branches[oneIn(rng, 4) ? 0 : 1] as SchemaNode;
    }
    if (!this.exclusive || this.areDisjoint) return branch.make(rng, depth);
    for (let draw = 0; draw < DRAWS; draw++) {
      const value = branch.make(rng, depth);
      if (this.accepts(value)) return value;
    }
    return this.representative(branch);
  }
  /** The simplest value of a branch that no other branch accepts. Throws when none is found: the branches overlap. */
  representative(branch: SchemaNode): unknown {
    if (!this.exclusive) return branch.simplest();
    if (this.representatives.has(branch)) return structuredClone(this.representatives.get(branch));
    const rng = seededRandom(1);
    const candidates = function* (): Generator<unknown> {
      yield branch.simplest();
      for (let index = 0; index < branch.breadth(0); index++) yield branch.edge(index, 0, 1);
      for (let draw = 0; draw < DRAWS; draw++) yield branch.make(rng, 0);
    };
    for (const value of candidates()) {
      if (!this.accepts(value)) continue;
      this.representatives.set(branch, value);
      return structuredClone(value);
    }
    throw new RangeError(`branch ${this.branches.indexOf(branch)} overlaps with the others`);
  }
  simplest(): unknown {
    const lowest = Math.min(...this.branches.map((branch) => branch.height));
    return this.representative(this.branches.find((branch) => branch.height === lowest) as SchemaNode);
  }
  override adapt(value: unknown): unknown {
    return this.accepts(value) ? value : this.adaptTo(this.simplestBranch(), value);
  }
  private simplestBranch(): SchemaNode {
    return this.branches.find((branch) => Number.isFinite(branch.height)) as SchemaNode;
  }
  private adaptTo(branch: SchemaNode, value: unknown): unknown {
    const adapted = branch.adapt(value);
    return this.accepts(adapted) ? adapted : this.representative(branch);
  }
  breadth(depth: number): number {
    return this.branches.reduce((sum, branch) => sum + branch.breadth(depth), 0);
  }
  edge(index: number, depth: number, salt: number): unknown {
    let at = index;
    for (const branch of this.branches) {
      const size = branch.breadth(depth);
      if (at < size) {
        for (let variant = 0; variant < 5; variant++) {
          const value = branch.edge(at, depth, mix(salt, variant === 0 ? 'branch' : variant));
          if (this.accepts(value)) return value;
        }
        return this.representative(branch);
      }
      at -= size;
    }
    return this.simplest();
  }
  *smaller(value: unknown, context: unknown): Generator<fc.Value<unknown>> {
    const known = context as UnionContext | undefined;
    const current = known?.branch ?? this.branchOf(value);
    if (known === undefined) yield* this.simplerBranches(value, current);
    const branch = this.branches[current] as SchemaNode;
    for (const each of branch.smaller(value, known?.inner)) {
      if (this.exclusive && !this.accepts(each.value_)) continue;
      yield step(each.value_, { branch: current, inner: each.context } satisfies UnionContext);
    }
    if (known !== undefined) yield* this.simplerBranches(value, current);
  }
  private *simplerBranches(value: unknown, current: number): Generator<fc.Value<unknown>> {
    for (let index = 0; index < current; index++) {
      const branch = this.branches[index] as SchemaNode;
      yield step(this.representative(branch), { branch: index, inner: undefined });
      const adapted = branch.adapt(value);
      if (this.accepts(adapted)) yield step(adapted, { branch: this.branchOf(adapted), inner: undefined });
    }
  }
}

function isNull(node: SchemaNode): boolean {
  return node instanceof ListNode && node.values.length === 1 && node.values[0] === null;
}

/** A `$ref` back to a schema that contains it. Beyond the bound it gives the simplest value. */
export class RecursiveNode extends SchemaNode {
  private readonly target: () => SchemaNode;
  private readonly settings: NodeSettings;
  constructor(target: () => SchemaNode, settings: NodeSettings) {
    super();
    this.target = target;
    this.settings = settings;
  }
  measure(): number {
    return 1 + this.target().height;
  }
  make(rng: fc.Random, depth: number): unknown {
    return depth >= this.settings.recursion ? this.simplest() : this.target().make(rng, depth + 1);
  }
  accepts(value: unknown): boolean {
    return this.target().accepts(value);
  }
  simplest(): unknown {
    return this.target().simplest();
  }
  override adapt(value: unknown): unknown {
    return this.target().adapt(value);
  }
  breadth(depth: number): number {
    return depth >= 1 ? 1 : this.target().breadth(depth + 1);
  }
  edge(index: number, depth: number, salt: number): unknown {
    return depth >= 1 ? this.simplest() : this.target().edge(index, depth + 1, salt);
  }
  smaller(value: unknown, context: unknown): Iterable<fc.Value<unknown>> {
    return this.target().smaller(value, context);
  }
}

/** A place whose values come from an arbitrary of the caller, and must match the schema. */
export class OverrideNode extends SchemaNode {
  private readonly arbitrary: fc.Arbitrary<unknown>;
  private readonly under: SchemaNode;
  private readonly refuse: (value: unknown) => never;
  private readonly recent = new Map<unknown, unknown>();
  private samples: readonly unknown[] | undefined;

  constructor(arbitrary: fc.Arbitrary<unknown>, under: SchemaNode, refuse: (value: unknown) => never) {
    super();
    this.arbitrary = arbitrary;
    this.under = under;
    this.refuse = refuse;
  }
  measure(): number {
    return 0;
  }
  make(rng: fc.Random): unknown {
    const made = this.arbitrary.generate(rng, undefined);
    if (!this.under.accepts(made.value_)) this.refuse(made.value_);
    if (this.recent.size >= 4096) this.recent.delete(this.recent.keys().next().value);
    this.recent.set(made.value_, made.context);
    return made.value_;
  }
  private get edges(): readonly unknown[] {
    if (this.samples === undefined) {
      const rng = seededRandom(1);
      const drawn = Array.from({ length: 5 }, () => this.make(rng));
      this.samples = [...new Map(drawn.map((value) => [JSON.stringify(value), value])).values()];
    }
    return this.samples;
  }
  accepts(value: unknown): boolean {
    return this.under.accepts(value);
  }
  simplest(): unknown {
    const [first] = this.edges;
    let current: fc.Value<unknown> = new fc.Value(first, undefined);
    for (let steps = 0; steps < 1000; steps++) {
      const next = this.smaller(current.value_, current.context)[Symbol.iterator]().next();
      if (next.done === true) break;
      current = next.value;
    }
    return current.value_;
  }
  breadth(): number {
    return this.edges.length;
  }
  edge(index: number): unknown {
    return this.edges[index % this.edges.length];
  }
  *smaller(value: unknown, context: unknown): Generator<fc.Value<unknown>> {
    const known = context ?? this.recent.get(value);
    if (known === undefined && !this.arbitrary.canShrinkWithoutContext(value)) return;
    for (const each of this.arbitrary.shrink(value, known)) if (this.under.accepts(each.value_)) yield each;
  }
}
