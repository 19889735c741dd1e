import { formatDescriptions, formats } from './formats.ts';
import type { FormatName } from './formats.ts';
import { resolveRef } from './schemas.ts';
import type { JsonSchema, JsonType, JsonValue } from './schemas.ts';

/**
 * One place where a value violates its schema.
 *
 * - `pointer`: JSON Pointer into the value; empty for the whole value
 * - `expected`: what is asked for there, to be read after "expected"
 * - `received`: short JSON text of what is there, or `(missing)`
 */
export interface Violation {
  pointer: string;
  expected: string;
  received: string;
  /** Allowed values or types, by which the violations of several branches are put together. */
  choices?: { kind: 'values' | 'types'; texts: readonly string[] };
}

const receivedCharacters = 80;
const mostViolations = 20;

const typeTexts: Record<JsonType, string> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasType(value: unknown, type: JsonType): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** JSON text of at most 80 characters, cut between characters. */
export function shortJson(value: unknown): string {
  const enough = 2 * receivedCharacters;
  let text: string;
  try {
    text = JSON.stringify(typeof value === 'string' ? value.slice(0, enough) : value) ?? String(value);
  } catch {
    // Nested deeper than the engine can write.
    text = Array.isArray(value) ? '[…]' : '{…}';
  }
  const characters = Array.from(text.slice(0, enough));
  if (characters.length <= receivedCharacters) return text;
  return `${characters.slice(0, receivedCharacters - 1).join('')}…`;
}

function alternatives(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
}

function listed(values: readonly string[]): string {
  return values.length === 1 ? values.join('') : `one of ${values.join(', ')}`;
}

function plainly(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function below(pointer: string, step: string | number): string {
  return `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Code points, as JSON Schema counts; allocates no array for a string that is short enough in UTF-16 units. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/**
 * Describes where a value violates one of our schemas, at most 20 places. Knows the keywords of
 * {@link JsonSchema}. Where no branch of oneOf or anyOf matches, describes the violations of the branch that is closest to the value.
 *
 * @param base `$id` against which references are resolved
 */
export function explainViolations(schema: JsonSchema, value: unknown, base: string, pointer = ''): Violation[] {
  const found: Violation[] = [];
  const add = (expected: string, choices?: Violation['choices'], at = pointer, received = shortJson(value)) =>
    void found.push({ pointer: at, expected, received, ...(choices && { choices }) });

  if (schema.$ref !== undefined) {
    const target = resolveRef(schema.$ref, base);
    found.push(...explainViolations(target.schema, value, target.base, pointer));
  }
  for (const part of schema.allOf ?? []) found.push(...explainViolations(part, value, base, pointer));
  const choice = fieldChoice(schema.oneOf ?? []);
  if (choice) {
    const given = isObject(value) ? choice.filter((field) => Object.hasOwn(value, field)) : undefined;
    if (given && given.length !== 1) {
      add(`exactly one of ${choice.join(', ')}`, undefined, pointer, given.join(' and ') || 'none of them');
    }
  }

  if (schema.type !== undefined) {
    const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
    if (!types.some((type) => hasType(value, type))) {
      const texts = types.map((type) => typeTexts[type]);
      add(alternatives(texts), { kind: 'types', texts });
      return found;
    }
  }
  const allowed = schema.const !== undefined ? [schema.const] : schema.enum;
  if (allowed && !allowed.some((one) => one === value)) {
    const texts = allowed.map(plainly);
    add(listed(texts), { kind: 'values', texts });
  }
  if (typeof value === 'string') found.push(...textViolations(schema, value, pointer));
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) add(`at least ${schema.minimum}`);
    if (schema.maximum !== undefined && value > schema.maximum) add(`at most ${schema.maximum}`);
  }
  if (Array.isArray(value)) {
    const { minItems = 0, maxItems = Infinity, items } = schema;
    if (value.length < minItems) add(`at least ${plural(minItems, 'item')}`);
    if (value.length > maxItems) add(maxItems === 0 ? 'no items' : `at most ${plural(maxItems, 'item')}`);
    for (const [index, item] of items ? value.entries() : []) {
      if (found.length >= mostViolations) break;
      found.push(...explainViolations(items!, item, base, below(pointer, index)));
    }
  }
  if (isObject(value)) {
    for (const field of schema.required ?? []) {
      if (!Object.hasOwn(value, field)) add(`a field ${field}`, undefined, below(pointer, field), '(missing)');
    }
    for (const [field, inner] of Object.entries(value)) {
      if (found.length >= mostViolations) break;
      const known = schema.properties && Object.hasOwn(schema.properties, field);
      const rule = known ? schema.properties[field] : schema.additionalProperties;
      // Forbidden by name in one branch, it may be of certain values in another.
      const none = known ? ({ kind: 'values', texts: [] } as const) : undefined;
      if (rule === false) add('no such field', none, below(pointer, field), shortJson(inner));
      else if (typeof rule === 'object') found.push(...explainViolations(rule, inner, base, below(pointer, field)));
    }
  }
  // A violation that occurs in every branch is explanation enough.
  for (const branches of found.length > 0 ? [] : [choice ? undefined : schema.oneOf, schema.anyOf]) {
    if (branches) found.push(...closestBranch(branches, value, base, pointer));
  }
  return found.slice(0, mostViolations);
}

function textViolations(schema: JsonSchema, value: string, pointer: string): Violation[] {
  const found: string[] = [];
  const { minLength = 0, maxLength = Infinity, format, pattern } = schema;
  if (value.length > maxLength) {
    const length = codePoints(value);
    if (length > maxLength) found.push(`at most ${plural(maxLength, 'character')} (it has ${length})`);
  }
  if (value.length < 2 * minLength && codePoints(value) < minLength) {
    found.push(minLength === 1 ? 'a non-empty string' : `at least ${plural(minLength, 'character')}`);
  }
  if (format !== undefined && !formats[format as FormatName](value))
    found.push(formatDescriptions[format as FormatName]);
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) found.push(`a string that matches ${pattern}`);
  return found.map((expected) => ({ pointer, expected, received: shortJson(value) }));
}

/** The fields of which there has to be exactly one; `undefined` where the branches say anything else. */
function fieldChoice(branches: readonly JsonSchema[]): string[] | undefined {
  const fields = branches.map(({ required, properties = {}, ...others }) => {
    const [field, ...more] = required ?? [];
    const forbidden = Object.entries(properties).filter(([, rule]) => rule === false);
    const free = Object.entries(properties).filter(([, rule]) => rule !== false && Object.keys(rule).length === 0);
    const plain = more.length + Object.keys(others).length === 0 && free.length === 1 && free[0]?.[0] === field;
    return plain && forbidden.length === branches.length - 1 ? field : undefined;
  });
  const known = fields.filter((field) => field !== undefined);
  return known.length > 1 && known.length === branches.length ? known : undefined;
}

/**
 * The violations of the branch that the value was meant for: first by the constants that only some branches refuse,
 * then by count. Where all that remain refuse the value or type at one place, their choices become one sentence.
 */
function closestBranch(branches: readonly JsonSchema[], value: unknown, base: string, pointer: string): Violation[] {
  const tried = branches.map((branch) => explainViolations(branch, value, base, pointer));
  if (tried.some((violations) => violations.length === 0)) return [];
  const refusedBy = new Map<string, number>();
  for (const { pointer: at, choices } of tried.flat()) {
    if (choices?.kind === 'values') refusedBy.set(at, (refusedBy.get(at) ?? 0) + 1);
  }
  const mismatches = (violations: Violation[]) =>
    violations.filter((one) => one.choices?.kind === 'values' && refusedBy.get(one.pointer) !== tried.length).length;
  const least = Math.min(...tried.map(mismatches));
  const meant = tried.filter((violations) => mismatches(violations) === least);
  return joined(meant) ?? meant.reduce((best, next) => (next.length < best.length ? next : best));
}

function joined(branches: Violation[][]): Violation[] | undefined {
  const [first, ...others] = branches;
  for (const violation of others.length > 0 ? (first ?? []) : []) {
    const { choices, pointer } = violation;
    if (!choices) continue;
    const same = branches.map((one) =>
      one.find((other) => other.pointer === pointer && other.choices?.kind === choices.kind),
    );
    if (same.includes(undefined)) continue;
    const texts = [...new Set(same.flatMap((one) => one?.choices?.texts ?? []))];
    const expected = choices.kind === 'types' ? alternatives(texts) : listed(texts);
    return [{ ...violation, expected, choices: { kind: choices.kind, texts } }];
  }
  return undefined;
}
