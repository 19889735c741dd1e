import fc from 'fast-check';

/** Context that all nodes of a compiled schema share. */
export interface NodeSettings {
  readonly edges: 'often' | 'never';
  /** Longest free text, in code points, where the schema gives no `maxLength`. */
  readonly textBound: number;
  /** Most items or map entries where the schema gives no maximum. */
  readonly itemBound: number;
  /** Maximum depth of recursion of a recursive schema. */
  readonly recursion: number;
  /** Whether free text may contain U+0000. */
  readonly nul: boolean;
  /** Whether maps may contain the name `__proto__`. */
  readonly prototypeNames: boolean;
}

/**
 * One place of a compiled schema. In addition to generating, a node knows which values it accepts and can shrink any of them
 * from the value alone, so that a hand-written example shrinks as fully as a generated value. A shrink context only
 * remembers where the last step succeeded; it is never needed.
 */
export abstract class SchemaNode extends fc.Arbitrary<unknown> {
  /** Depth of the simplest value; Infinity when no value is finite. */
  height = Infinity;
  abstract measure(): number;
  abstract make(rng: fc.Random, depth: number): unknown;
  abstract accepts(value: unknown): boolean;
  /** The value that shrinking aims at. */
  abstract simplest(): unknown;
  /** Number of values that `edge` needs to reach every edge of this node and its descendants. */
  abstract breadth(depth: number): number;
  /** The edge value `index` (0 up to `breadth - 1`); `salt` varies which edges of fields are combined. */
  abstract edge(index: number, depth: number, salt: number): unknown;
  /** Steps towards the simplest value; each is accepted, and the sequence is finite. */
  abstract smaller(value: unknown, context: unknown): Iterable<fc.Value<unknown>>;

  /** Whether it is known that both accept no value in common; call it in both directions. */
  isDisjointFrom(_other: SchemaNode): boolean {
    return false;
  }
  /** The accepted value nearest to a value of another branch. */
  adapt(value: unknown): unknown {
    return this.accepts(value) ? value : this.simplest();
  }
  override generate(rng: fc.Random): fc.Value<unknown> {
    return new fc.Value(this.make(rng, 0), undefined);
  }
  override canShrinkWithoutContext(value: unknown): value is unknown {
    return this.accepts(value);
  }
  override shrink(value: unknown, context: unknown): fc.Stream<fc.Value<unknown>> {
    return fc.stream(this.smaller(value, context)[Symbol.iterator]() as IterableIterator<fc.Value<unknown>>);
  }
}

/** Whether it is certain that no value is accepted by both. */
export function areDisjoint(one: SchemaNode, other: SchemaNode): boolean {
  return one.isDisjointFrom(other) || other.isDisjointFrom(one);
}

/** Integer hash that varies edges; deterministic. */
export function mix(salt: number, by: number | string): number {
  let hash = salt ^ 0x9e3779b9;
  const text = String(by);
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Maps `index` onto `0 … size - 1`; `size` consecutive indexes give every number once. */
export function permuted(index: number, size: number, salt: number): number {
  if (size <= 1) return 0;
  let step = 1 + (salt % size);
  while (greatestCommonDivisor(step, size) !== 1) step++;
  return (index * step + ((salt >>> 8) % size)) % size;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

export function oneIn(rng: fc.Random, count: number): boolean {
  return rng.nextInt(1, count) === 1;
}

export function pick<T>(rng: fc.Random, list: readonly T[]): T {
  return list[rng.nextInt(0, list.length - 1)] as T;
}

/** A count that is usually small and sometimes the maximum. */
export function smallCount(rng: fc.Random, min: number, max: number): number {
  if (min >= max) return min;
  const roll = rng.nextInt(0, 19);
  const most = roll < 9 ? 2 : roll < 15 ? 4 : roll < 19 ? 9 : Infinity;
  return rng.nextInt(min, Math.min(max, min + most));
}

export function step(value: unknown, context: unknown): fc.Value<unknown> {
  return new fc.Value(value, context);
}
