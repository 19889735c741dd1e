import { formats, type FormatName } from './formats.ts';
import { resolveRef, type JsonSchema, type JsonType } from './schemas.ts';
import { isJsonObject } from './json-object.ts';
import { pointerSegment } from './json-pointer.ts';
import { formatRule, type BrokenRule } from './broken-rule.ts';

/**
 * One place where a value violates its schema.
 *
 * - `pointer`: JSON Pointer into the value; empty for the whole value
 * - `expected`: what is asked for there, to be read after "expected"
 * - `received`: short JSON text of what is there, or `(missing)`
 *
 * `expected` and `received` are for people; code decides on `rule` and `value`.
 */
export interface ExplainedViolation {
  pointer: string;
  expected: string;
  received: string;
  rule: BrokenRule;
  /** The received value; `undefined` for a missing field. */
  value: unknown;
}

const receivedCharacters = 80;
const mostViolations = 20;

function hasType(value: unknown, type: JsonType): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
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
export function explainViolations(
  schema: JsonSchema,
  value: unknown,
  base: string,
  pointer = '',
): ExplainedViolation[] {
  const found: ExplainedViolation[] = [];
  const add = (rule: BrokenRule, received?: string) => void found.push(violationOf(rule, pointer, value, received));

  if (schema.$ref !== undefined) {
    const target = resolveRef(schema.$ref, base);
    found.push(...explainViolations(target.schema, value, target.base, pointer));
  }
  for (const part of schema.allOf ?? []) found.push(...explainViolations(part, value, base, pointer));
  const choice = fieldChoice(schema.oneOf ?? []);
  if (choice) {
    const given = isJsonObject(value) ? choice.filter((field) => Object.hasOwn(value, field)) : undefined;
    if (given && given.length !== 1) {
      add({ keyword: 'one-field-of', fields: choice, given }, given.join(' and ') || 'none of them');
    }
  }

  if (schema.type !== undefined) {
    const types = typeof schema.type === 'string' ? [schema.type] : schema.type;
    if (!types.some((type) => hasType(value, type))) {
      add({ keyword: 'type', types });
      return found;
    }
  }
  const allowed = schema.const !== undefined ? [schema.const] : schema.enum;
  if (allowed && !allowed.some((one) => one === value)) add({ keyword: 'enum', values: allowed });
  if (typeof value === 'string') found.push(...textViolations(schema, value, pointer));
  if (typeof value === 'number') {
    if (schema.minimum !== undefined && value < schema.minimum) add({ keyword: 'minimum', limit: schema.minimum });
    if (schema.maximum !== undefined && value > schema.maximum) add({ keyword: 'maximum', limit: schema.maximum });
  }
  if (Array.isArray(value)) {
    const { minItems = 0, maxItems = Infinity, items } = schema;
    if (value.length < minItems) add({ keyword: 'minItems', limit: minItems });
    if (value.length > maxItems) add({ keyword: 'maxItems', limit: maxItems });
    for (const [index, item] of items ? value.entries() : []) {
      if (found.length >= mostViolations) break;
      found.push(...explainViolations(items!, item, base, pointer + pointerSegment(index)));
    }
  }
  if (isJsonObject(value)) {
    for (const field of schema.required ?? []) {
      if (Object.hasOwn(value, field)) continue;
      const place = pointer + pointerSegment(field);
      found.push(violationOf({ keyword: 'required', field }, place, undefined, '(missing)'));
    }
    for (const [field, inner] of Object.entries(value)) {
      if (found.length >= mostViolations) break;
      const known = schema.properties && Object.hasOwn(schema.properties, field);
      const rule = known ? schema.properties[field] : schema.additionalProperties;
      if (rule === false) {
        const isListed = known === true;
        found.push(violationOf({ keyword: 'no-such-field', isListed }, pointer + pointerSegment(field), inner));
      } else if (typeof rule === 'object')
        found.push(...explainViolations(rule, inner, base, pointer + pointerSegment(field)));
    }
  }
  // A violation that occurs in every branch is explanation enough.
  for (const branches of found.length > 0 ? [] : [choice ? undefined : schema.oneOf, schema.anyOf]) {
    if (branches) found.push(...closestBranch(branches, value, base, pointer));
  }
  return found.slice(0, mostViolations);
}

function violationOf(
  rule: BrokenRule,
  pointer: string,
  value: unknown,
  received = shortJson(value),
): ExplainedViolation {
  return { pointer, expected: formatRule(rule), received, rule, value };
}

function textViolations(schema: JsonSchema, value: string, pointer: string): ExplainedViolation[] {
  const found: BrokenRule[] = [];
  const { minLength = 0, maxLength = Infinity, pattern } = schema;
  const format = schema.format as FormatName | undefined;
  if (value.length > maxLength) {
    const length = codePoints(value);
    if (length > maxLength) found.push({ keyword: 'maxLength', limit: maxLength, length });
  }
  if (value.length < 2 * minLength && codePoints(value) < minLength) {
    found.push({ keyword: 'minLength', limit: minLength });
  }
  if (format !== undefined && !formats[format](value)) found.push({ keyword: 'format', format });
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) found.push({ keyword: 'pattern', pattern });
  return found.map((rule) => violationOf(rule, pointer, value));
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
function closestBranch(
  branches: readonly JsonSchema[],
  value: unknown,
  base: string,
  pointer: string,
): ExplainedViolation[] {
  const tried = branches.map((branch) => explainViolations(branch, value, base, pointer));
  if (tried.some((violations) => violations.length === 0)) return [];
  const refusedBy = new Map<string, number>();
  for (const { pointer: at, rule } of tried.flat()) {
    if (choicesOf(rule)?.keyword === 'enum') refusedBy.set(at, (refusedBy.get(at) ?? 0) + 1);
  }
  const mismatches = (violations: ExplainedViolation[]) =>
    violations.filter(({ rule, pointer: at }) => {
      return choicesOf(rule)?.keyword === 'enum' && refusedBy.get(at) !== tried.length;
    }).length;
  const least = Math.min(...tried.map(mismatches));
  const meant = tried.filter((violations) => mismatches(violations) === least);
  return joined(meant) ?? meant.reduce((best, next) => (next.length < best.length ? next : best));
}

/** The allowed values or types of a rule. A field that one branch forbids by name may have certain values in another. */
function choicesOf(rule: BrokenRule): Extract<BrokenRule, { keyword: 'enum' | 'type' }> | undefined {
  if (rule.keyword === 'no-such-field' && rule.isListed) return { keyword: 'enum', values: [] };
  return rule.keyword === 'enum' || rule.keyword === 'type' ? rule : undefined;
}

function joined(branches: ExplainedViolation[][]): ExplainedViolation[] | undefined {
  const [first, ...others] = branches;
  for (const { rule, pointer, value, received } of others.length > 0 ? (first ?? []) : []) {
    const choices = choicesOf(rule);
    if (!choices) continue;
    const same = branches.map((one) =>
      one
        .flatMap((other) => (other.pointer === pointer ? (choicesOf(other.rule) ?? []) : []))
        .find(({ keyword }) => keyword === choices.keyword),
    );
    if (same.includes(undefined)) continue;
    const all: BrokenRule =
      choices.keyword === 'type'
        ? { keyword: 'type', types: distinct(same.flatMap((one) => (one?.keyword === 'type' ? one.types : []))) }
        : { keyword: 'enum', values: distinct(same.flatMap((one) => (one?.keyword === 'enum' ? one.values : []))) };
    return [violationOf(all, pointer, value, received)];
  }
  return undefined;
}

function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Set(items)];
}
