import type fc from 'fast-check';
import { sameJson } from './json-values.ts';
import { mix, oneIn, permuted, SchemaNode, smallCount } from './schema-node.ts';
import type { NodeSettings } from './schema-node.ts';
import { shrinkParts } from './shrink-parts.ts';
import type { PartsContext } from './shrink-parts.ts';

export interface ArrayRules {
  /** Nodes of the first items, from `prefixItems`. */
  readonly prefix: readonly SchemaNode[];
  /** Node of the other items; undefined if there are none. */
  readonly rest: SchemaNode | undefined;
  readonly min: number;
  /** Infinity if the schema has none. */
  readonly max: number;
  readonly unique: boolean;
}

/** `array`. */
export class ArrayNode extends SchemaNode {
  readonly rules: ArrayRules;
  private readonly settings: NodeSettings;
  constructor(rules: ArrayRules, settings: NodeSettings) {
    super();
    this.rules = rules;
    this.settings = settings;
  }
  /** Longest generated array. */
  get most(): number {
    const { rest, prefix, min, max } = this.rules;
    if (rest === undefined) return Math.min(prefix.length, max);
    return max === Infinity ? Math.max(this.settings.itemBound, min, prefix.length) : max;
  }
  private nodeAt(index: number): SchemaNode {
    return this.rules.prefix[index] ?? (this.rules.rest as SchemaNode);
  }
  measure(): number {
    const heights = Array.from({ length: Math.min(this.rules.min, this.rules.prefix.length + 1) }, (_, index) => {
      return this.rules.prefix[index]?.height ?? this.rules.rest?.height ?? Infinity;
    });
    return 1 + Math.max(0, ...heights);
  }
  make(rng: fc.Random, depth: number): unknown[] {
    const { min, unique } = this.rules;
    const most = this.most;
    const length =
      oneIn(rng, 24) && this.settings.edges === 'often' ? most : smallCount(rng, min, Math.min(most, min + 10));
    const items: unknown[] = [];
    for (let tries = 0; items.length < length && tries < length * 4 + 20; tries++) {
      const item = this.nodeAt(items.length).make(rng, depth);
      if (!unique || !items.some((other) => sameJson(other, item))) items.push(item);
    }
    return items.length < min ? this.fill(items, depth) : items;
  }
  /** Extends a list with edges that it does not contain yet. */
  private fill(items: unknown[], depth: number): unknown[] {
    const filled = [...items];
    for (let tries = 0; filled.length < this.rules.min && tries < 10_000; tries++) {
      const node = this.nodeAt(filled.length);
      const item = tries === 0 ? node.simplest() : node.edge(tries % node.breadth(depth), depth, tries);
      if (!this.rules.unique || !filled.some((other) => sameJson(other, item))) filled.push(item);
    }
    return filled;
  }
  accepts(value: unknown): boolean {
    if (!Array.isArray(value)) return false;
    const { min, max, unique, prefix, rest } = this.rules;
    if (value.length < min || value.length > max) return false;
    if (!value.every((item, index) => (prefix[index] ?? rest)?.accepts(item) ?? false)) return false;
    return !unique || isUnique(value);
  }
  simplest(): unknown[] {
    const { min, unique } = this.rules;
    if (unique) return this.fill([], this.settings.recursion);
    return Array.from({ length: min }, (_, index) => this.nodeAt(index).simplest());
  }
  override adapt(value: unknown): unknown {
    if (!Array.isArray(value) || this.accepts(value)) return super.adapt(value);
    const adapted = value.slice(0, this.most).map((item, index) => this.nodeAt(index).adapt(item));
    while (adapted.length < this.rules.min) adapted.push(this.nodeAt(adapted.length).simplest());
    return this.accepts(adapted) ? adapted : this.simplest();
  }
  /** Edge lengths other than the longest. */
  private get shortLengths(): number[] {
    const { min } = this.rules;
    return min < 1 && this.most > 1 ? [min, 1] : this.most > min ? [min] : [];
  }
  private fullCount(depth: number): number {
    const { prefix, rest } = this.rules;
    if (this.most === 0) return 1;
    const perArray = Math.max(1, this.most - prefix.length);
    const needed = rest === undefined || this.most <= prefix.length ? 1 : Math.ceil(rest.breadth(depth) / perArray);
    return Math.max(needed, 1, ...prefix.map((node) => node.breadth(depth)));
  }
  breadth(depth: number): number {
    return this.shortLengths.length + this.fullCount(depth);
  }
  edge(index: number, depth: number, salt: number): unknown[] {
    const { prefix, unique } = this.rules;
    const short = this.shortLengths[index];
    const length = short ?? this.most;
    const round = index - this.shortLengths.length;
    const items: unknown[] = [];
    for (let at = 0; at < length; at++) {
      const node = this.nodeAt(at);
      const size = node.breadth(depth);
      const inside = mix(salt, at < prefix.length ? at : 'rest');
      const perArray = this.most - prefix.length;
      const turn =
        short !== undefined
          ? mix(salt, index + at)
          : at < prefix.length
            ? round
            : round * perArray + at - prefix.length;
      // The salt of the items stays the same: their own fields are covered only over one series of edges.
      const item = node.edge(permuted(turn % size, size, inside), depth, inside);
      if (!unique || !items.some((other) => sameJson(other, item))) items.push(item);
    }
    return items.length < this.rules.min ? this.fill(items, depth) : items;
  }
  *smaller(value: unknown, context: unknown): Generator<fc.Value<unknown>> {
    const list = value as unknown[];
    const keys = list.map((_, index) => index);
    yield* shrinkParts<number>(
      {
        least: list.length === 0 ? undefined : this.simplest(),
        removable: keys,
        most: list.length - this.rules.min,
        without: (gone, inner) => {
          const away = new Set(gone);
          const kept = keys.filter((index) => !away.has(index));
          return {
            value: kept.map((index) => list[index]),
            inner: new Map(
              kept.map((index, place) => [place, inner.get(index)] as const).filter(([, each]) => each !== undefined),
            ),
          };
        },
        keys,
        shrinkAt: (index, inner) => this.nodeAt(index).smaller(list[index], inner),
        replace: (index, part) => list.with(index, part),
        accepts: (candidate) => (this.rules.unique || this.rules.prefix.length > 0 ? this.accepts(candidate) : true),
      },
      context as PartsContext<number> | undefined,
    );
  }
}

function isUnique(items: readonly unknown[]): boolean {
  return items.every((item, index) => !items.slice(0, index).some((other) => sameJson(other, item)));
}
