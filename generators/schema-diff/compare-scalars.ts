import { codePoints } from '../json-values.ts';
import { bounds, kindOf } from './alternatives.ts';
import type { Alternative, Bound, JsonKind } from './alternatives.ts';
import type { SchemaChange, Tolerance } from './schema-change.ts';
import { without } from './set-algebra.ts';

const sentences: Readonly<Record<Bound, string>> = {
  minLength: 'the minimum length',
  maxLength: 'the maximum length',
  minimum: 'the minimum',
  maximum: 'the maximum',
  exclusiveMinimum: 'the exclusive minimum',
  exclusiveMaximum: 'the exclusive maximum',
  minItems: 'the minimum number of items',
  maxItems: 'the maximum number of items',
  minProperties: 'the minimum number of fields',
  maxProperties: 'the maximum number of fields',
};

/** Differences of type, listed values, bounds, patterns and formats at one place. */
export function compareScalars(older: Alternative, newer: Alternative, pointer: string): SchemaChange[] {
  return [
    ...kindChanges(older, newer, pointer),
    ...valueChanges(older, newer, pointer),
    ...boundChanges(older, newer, pointer),
    ...textChanges(older, newer, pointer),
  ];
}

function change(
  pointer: string,
  rule: SchemaChange['rule'],
  text: string,
  effect: { narrows?: boolean; widens?: boolean },
  tolerated?: Tolerance,
): SchemaChange {
  const { narrows = false, widens = false } = effect;
  return { pointer, rule, text, narrows, widens, ...(widens && tolerated !== undefined && { tolerated }) };
}

/** Types of one side that the other lacks; number includes integer. */
function kindChanges(older: Alternative, newer: Alternative, pointer: string): SchemaChange[] {
  const words = (kinds: Iterable<JsonKind>) => [...kinds].join(' or ');
  const gone = without(older.kinds, newer.kinds);
  const come = without(newer.kinds, older.kinds);
  return [
    ...(gone.size > 0
      ? [change(pointer, 'type-removed', `no longer ${words(gone)}: was ${words(older.kinds)}, is ${words(newer.kinds)}`, { narrows: true })]
      : []),
    ...(come.size > 0
      ? [change(pointer, 'type-added', `now also ${words(come)}: was ${words(older.kinds)}, is ${words(newer.kinds)}`, { widens: true })]
      : []),
  ]; // prettier-ignore
}

function valueChanges(older: Alternative, newer: Alternative, pointer: string): SchemaChange[] {
  const found: SchemaChange[] = [];
  const tolerated = leavesOpen(older.descriptions) ? 'open-value' : 'unknown-value';
  if (older.values === undefined && newer.values === undefined) return found;
  if (older.values === undefined) {
    const text = `accepts only listed values now: ${[...(newer.values ?? [])].join(', ')}`;
    return [change(pointer, 'value-removed', text, { narrows: true })];
  }
  if (newer.values === undefined) {
    const refused = [...older.values].filter((text) => !meetsRules(newer, JSON.parse(text)));
    for (const text of refused) found.push(change(pointer, 'value-removed', `no longer accepts the value ${text}`, { narrows: true })); // prettier-ignore
    found.push(change(pointer, 'value-added', 'values other than the listed ones', { widens: true }, tolerated));
    return found;
  }
  for (const text of without(older.values, newer.values)) {
    if (!newer.kinds.has(kindOf(JSON.parse(text)))) continue;
    found.push(change(pointer, 'value-removed', `no longer accepts the value ${text}`, { narrows: true }));
  }
  for (const text of without(newer.values, older.values)) {
    if (!older.kinds.has(kindOf(JSON.parse(text)))) continue;
    found.push(change(pointer, 'value-added', `also accepts the value ${text}`, { widens: true }, tolerated));
  }
  return found;
}

/** Whether a description states that the list of values is not complete. */
function leavesOpen(descriptions: readonly string[]): boolean {
  return descriptions.some((text) => /\bother values are not shown\b/i.test(text));
}

/** Whether a string or number meets bounds and patterns. Formats are ignored. */
function meetsRules({ limits, patterns, kinds }: Alternative, value: unknown): boolean {
  if (!kinds.has(kindOf(value))) return true;
  if (typeof value === 'string') {
    const length = codePoints(value);
    if (length < (limits.minLength ?? 0) || length > (limits.maxLength ?? Infinity)) return false;
    return [...patterns].every((pattern) => new RegExp(pattern, 'u').test(value));
  }
  if (typeof value !== 'number') return true;
  if (value < (limits.minimum ?? -Infinity) || value > (limits.maximum ?? Infinity)) return false;
  return value > (limits.exclusiveMinimum ?? -Infinity) && value < (limits.exclusiveMaximum ?? Infinity);
}

/**
 * Whether both sides accept unlisted values of the type to which a keyword applies; a list of values is compared by
 * itself.
 */
function bothFree(older: Alternative, newer: Alternative, type: JsonKind | 'number'): boolean {
  if (older.values !== undefined || newer.values !== undefined) return false;
  const has = ({ kinds }: Alternative) => kinds.has(type) || (type === 'number' && kinds.has('integer'));
  return has(older) && has(newer);
}

function boundChanges(older: Alternative, newer: Alternative, pointer: string): SchemaChange[] {
  return (Object.keys(bounds) as Bound[]).flatMap((keyword) => {
    const [was, is] = [older.limits[keyword], newer.limits[keyword]];
    const { stricter, of } = bounds[keyword];
    if (was === is || !bothFree(older, newer, of)) return [];
    const loosest = stricter === Math.max ? (of === 'number' ? -Infinity : 0) : Infinity;
    const [before, after] = [was ?? loosest, is ?? loosest];
    if (before === after) return [];
    const narrows = stricter(before, after) === after;
    const text = `${sentences[keyword]} was ${was ?? 'not bounded'}, is ${is ?? 'not bounded'}`;
    const promised = was !== undefined && isNamed(was, older.descriptions);
    return [change(pointer, 'bound-changed', text, { narrows, widens: !narrows }, promised ? undefined : 'unpromised-bound')]; // prettier-ignore
  });
}

/** Whether a description contains a number, as for every bound that the interface states. */
function isNamed(bound: number, descriptions: readonly string[]): boolean {
  const numbers = descriptions.flatMap(
    (text) => text.replaceAll(/(?<=\d),(?=\d{3})/g, '').match(/\d+(?:\.\d+)?/g) ?? [],
  );
  return numbers.some((each) => Number(each) === bound);
}

function textChanges(older: Alternative, newer: Alternative, pointer: string): SchemaChange[] {
  if (!bothFree(older, newer, 'string')) return [];
  const found: SchemaChange[] = [];
  for (const [keyword, rule, tolerated] of [
    ['patterns', 'pattern-changed', 'unpromised-bound'],
    ['formats', 'format-changed', undefined],
  ] as const) {
    const [gone, come] = [without(older[keyword], newer[keyword]), without(newer[keyword], older[keyword])];
    if (gone.size === 0 && come.size === 0) continue;
    const words = (each: ReadonlySet<string>) => (each.size === 0 ? 'none' : [...each].join(' and '));
    const text = `the ${keyword.slice(0, -1)} was ${words(older[keyword])}, is ${words(newer[keyword])}`;
    found.push(change(pointer, rule, text, { narrows: come.size > 0, widens: gone.size > 0 }, tolerated));
  }
  return found;
}
