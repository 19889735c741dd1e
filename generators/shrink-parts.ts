import type fc from 'fast-check';
import { step } from './schema-node.ts';

/** Place of the last successful step, where the next one continues. */
export interface PartsContext<K> {
  readonly size?: number;
  readonly from?: number;
  readonly child?: K;
  readonly inner: ReadonlyMap<K, unknown>;
}

/** An object or array as seen by the shrinker. */
export interface ShrinkParts<K> {
  /** The smallest value of this shape; undefined if the value already is. */
  readonly least: unknown;
  /** Removable parts, in order. */
  readonly removable: readonly K[];
  /** Maximum number of parts removed at once. */
  readonly most: number;
  /** The value without some parts, and the shrink contexts of the others. */
  without(parts: readonly K[], inner: ReadonlyMap<K, unknown>): { value: unknown; inner: ReadonlyMap<K, unknown> };
  /** Parts that may become simpler. */
  readonly keys: readonly K[];
  shrinkAt(key: K, context: unknown): Iterable<fc.Value<unknown>>;
  replace(key: K, part: unknown): unknown;
  accepts(value: unknown): boolean;
}

/**
 * Steps towards a smaller whole: removes everything at once, then halves, quarters and single parts, then simplifies
 * each part. After a success it resumes there and wraps round at the end, so that it stops only where no single step is
 * left.
 */
export function* shrinkParts<K>(
  parts: ShrinkParts<K>,
  context: PartsContext<K> | undefined,
): Generator<fc.Value<unknown>> {
  const inner = context?.inner ?? new Map<K, unknown>();
  if (context === undefined && parts.least !== undefined && parts.accepts(parts.least)) {
    yield step(parts.least, { inner: new Map(), size: 1, from: 0 });
  }
  if (context?.child === undefined) {
    yield* removals(parts, inner, context?.size ?? parts.removable.length, context?.from ?? 0);
  }
  const first = context?.child === undefined ? 0 : Math.max(0, parts.keys.indexOf(context.child));
  for (let offset = 0; offset < parts.keys.length; offset++) {
    const key = parts.keys[(first + offset) % parts.keys.length] as K;
    for (const smaller of parts.shrinkAt(key, inner.get(key))) {
      const value = parts.replace(key, smaller.value_);
      if (parts.accepts(value)) {
        yield step(value, { child: key, inner: new Map(inner).set(key, smaller.context) });
      }
    }
  }
  if (context !== undefined) yield* removals(parts, inner, 1, 0);
}

function* removals<K>(
  parts: ShrinkParts<K>,
  inner: ReadonlyMap<K, unknown>,
  startSize: number,
  startFrom: number,
): Generator<fc.Value<unknown>> {
  const total = parts.removable.length;
  let from = startFrom;
  for (let size = Math.min(startSize, parts.most, total); size >= 1; size = Math.floor(size / 2), from = 0) {
    for (; from < total; from += size) {
      const { value, inner: rest } = parts.without(parts.removable.slice(from, from + size), inner);
      if (parts.accepts(value)) yield step(value, { size, from, inner: rest });
    }
  }
}
