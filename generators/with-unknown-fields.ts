import fc from 'fast-check';
import { hasField, putField } from './json-values.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { parsePointer } from '../specs/json-pointer.ts';
import type { JsonObject } from '../specs/json-value.ts';

export interface UnknownFieldsOptions {
  /** Objects in which every name has a meaning, as JSON Pointers with `*` and `**`. Default: any `metadata`. */
  readonly closed?: readonly string[];
  /**
   * Also `__proto__`, always as an own field. Default: false, because several widely used parsers refuse a body that
   * contains it, as a defence, and the service has no reason to send it.
   */
  readonly prototypeNames?: boolean;
  /** Names that the receiver may know at some place, in addition to those in the value. */
  readonly known?: readonly string[];
}

/** Names that differ from every field of the interface, ignoring case. */
export const UNKNOWN_NAMES: readonly string[] = [
  'unknownMember',
  'x-future',
  'x_future_2',
  'ZZ',
  '',
  ' ',
  '0',
  'constructor',
  'toString',
  'hasOwnProperty',
  'a.b[0]/c~d',
  '$comment',
  'quote"and\\backslash',
  'line\nfeed',
  '\u043d\u043e\u0432\u043e\u0435',
  '\u65b0\u3057\u3044',
  '\u{1f195}',
  'long'.repeat(15),
];

/**
 * Values of every JSON kind; the first is the one that shrinking aims at. Strings and numbers have a usual size: the
 * interface states no bound for them, so an endpoint that fails on large ones ignores an advice only.
 */
export const UNKNOWN_VALUES: readonly unknown[] = [
  null,
  false,
  true,
  0,
  -1.5,
  2_147_483_647,
  '',
  'unknown',
  'w\u00fcrfel \u0645\u0631\u062d\u0628\u0627 \u{1f600}\u2028"\\',
  'x'.repeat(60),
  [],
  {},
  [1, 'two', [3, [null]]],
  { a: { b: [{ c: true }] } },
  Array.from({ length: 50 }, (_, index) => ({ index })),
];

interface Addition {
  readonly name: string;
  readonly value: unknown;
  readonly first: boolean;
}

/**
 * The value with one or more fields added that a receiver must ignore, in objects at every depth, also within arrays.
 * Existing fields do not change. Shrinks to fewer additions, down to one. (Interface: Versioning.)
 */
export function withUnknownFields<T>(value: T, options: UnknownFieldsOptions = {}): fc.Arbitrary<T> {
  const closed = (options.closed ?? ['/**/metadata']).map(parsePointer);
  const places = openObjects(value, closed);
  if (places.length === 0) return fc.constant(value);
  const taken = new Set(options.known);
  const names = [...UNKNOWN_NAMES, ...(options.prototypeNames === true ? ['__proto__'] : [])].filter(
    (name) => !taken.has(name),
  );
  const addition = fc.record<Addition>({
    name: fc.constantFrom(...names),
    value: fc.constantFrom(...UNKNOWN_VALUES),
    first: fc.boolean(),
  });
  const additions = fc.array(addition, { maxLength: 2 });
  return fc
    .tuple(...places.map(() => additions))
    .filter((each) => each.some((list, index) => list.some(({ name }) => !hasField(places[index] as JsonObject, name))))
    .map((each) => extend(value, new Map(places.map((place, index) => [place, each[index] as Addition[]]))) as T);
}

function openObjects(
  value: unknown,
  closed: readonly (readonly string[])[],
  path: readonly string[] = [],
): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => openObjects(item, closed, [...path, String(index)]));
  if (!isJsonObject(value)) return [];
  const inside = Object.entries(value).flatMap(([name, field]) => openObjects(field, closed, [...path, name]));
  return closed.some((pattern) => matches(pattern, path)) ? inside : [value, ...inside];
}

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  const [head, ...tail] = pattern;
  if (head === undefined) return path.length === 0;
  if (head === '**') return matches(tail, path) || (path.length > 0 && matches(pattern, path.slice(1)));
  return path.length > 0 && (head === '*' || head === path[0]) && matches(tail, path.slice(1));
}

function extend(value: unknown, additions: ReadonlyMap<object, readonly Addition[]>): unknown {
  if (Array.isArray(value)) return value.map((item) => extend(item, additions));
  if (!isJsonObject(value)) return value;
  const extended: JsonObject = {};
  const wanted = (additions.get(value) ?? []).filter(({ name }) => !hasField(value, name));
  for (const { name, value: added, first } of wanted) if (first) putField(extended, name, added);
  for (const [name, field] of Object.entries(value)) putField(extended, name, extend(field, additions));
  for (const { name, value: added, first } of wanted) if (!first) putField(extended, name, added);
  return extended;
}
