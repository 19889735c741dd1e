import { appointmentEventTypes } from '../../specs/appointment-event-types.ts';
import { waiverProblems } from './waiver-problems.ts';
import { resolveRef, schemas, type JsonSchema, type SchemaName } from '../../specs/schemas.ts';
import { validate, type SchemaViolation } from '../../specs/validators.ts';
import { suggestion } from '../../specs/nearest.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { parsePointer } from '../../specs/json-pointer.ts';
import type { ConfigProblem } from '../../specs/faults/config-problem.ts';

/** Fields whose value is shown. Any other string may be a misplaced secret, so only its kind is shown. */
const shownFields = new Set([
  'brand',
  'url',
  'publicUrl',
  'host',
  'kind',
  'knownCaller',
  'until',
  'requirement',
  '$schema',
  'id',
  'from',
  'to',
  'timeZone',
]);

/** What configures a run: the kind of file that a key belongs to. */
type ConfigSchema = Extract<SchemaName, 'config' | 'targets'>;

/** The problems of a config by key; empty when it is valid. */
export function configProblems(value: unknown): ConfigProblem[] {
  const problems = schemaProblems('config', value);
  return [...problems, ...furtherWaiverProblems(value, new Set(problems.map(({ key }) => key)))];
}

/** The problems that the schema alone finds, by key. Shows no value that may be a secret. */
export function schemaProblems(schema: ConfigSchema, value: unknown): ConfigProblem[] {
  return validate(schema, value).map((violation) => {
    const path = parsePointer(violation.pointer);
    return {
      key: path.length === 0 ? 'the config' : path.join('.'),
      expected: describeExpected(violation, path, schema),
      received: describeReceived(violation, path),
      ...hintFor(violation, path, schema),
    };
  });
}

/** Problems of waivers that no violation reports. Violations do not hide them, so that the user fixes all at once. */
function furtherWaiverProblems(value: unknown, reported: ReadonlySet<string>): ConfigProblem[] {
  const { waivers, suites } = (value ?? {}) as { waivers?: unknown; suites?: unknown };
  if (!Array.isArray(waivers)) return [];
  const wholes = waivers.map((waiver: unknown) => {
    const { requirement, reason } = (waiver ?? {}) as Record<string, unknown>;
    return { requirement: stringOf(requirement), reason: stringOf(reason), until: '' };
  });
  const isWhole = (key: string) => !reported.has(key) && !reported.has(key.replace(/\.\w+$/, ''));
  const hasOwnSuites = Array.isArray(suites) && suites.length > 0;
  return waiverProblems(wholes, { hasOwnSuites }).filter(({ key }) => isWhole(key));
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Describes a JSON value by its kind alone; a number, a boolean and null by their value. */
function kindOf({ value, received }: SchemaViolation): string {
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string (not shown)';
  if (Array.isArray(value)) return 'an array';
  return isJsonObject(value) ? 'an object' : received;
}

/** The purpose of some patterns of the schema, by their beginning. */
const patternPurposes: readonly (readonly [start: string, purpose: string])[] = [
  ['^env:', 'env:NAME, the environment variable that contains it'],
  ['^https?://', 'an https: address (http: for loopback only)'],
  ['^wss?://', 'a wss: address (ws: for loopback only)'],
  ['^[a-z0-9](?:[a-z0-9-]', 'lower-case letters, digits and hyphens, at most 64'],
  ['^(?:[01][0-9]|2', 'a time of day such as 22:00'],
  ['^(?:(?:[01][0-9]|2', 'a time of day such as 06:00, or 24:00'],
  ['^(?:[A-Za-z0-9]{1,2}|[BbD-Z', 'a name of up to 40 letters and digits (a-z, 0-9), other than Crm and Api'],
];

function describeExpected({ expected, rule }: SchemaViolation, path: readonly string[], schema: ConfigSchema): string {
  if (rule.keyword === 'pattern') {
    return patternPurposes.find(([start]) => rule.pattern.startsWith(start))?.[1] ?? expected;
  }
  if (rule.keyword !== 'no-such-field') return expected;
  return `one of the keys ${fieldNames(path.slice(0, -1), schema).join(', ')}`;
}

function hintFor(
  { rule, value }: SchemaViolation,
  path: readonly string[],
  schema: ConfigSchema,
): Pick<ConfigProblem, 'hint'> {
  if (isEventType(path) && typeof value === 'string') {
    const near = suggestion(value, appointmentEventTypes);
    return { hint: `The interface lists no other event types of API webhooks.${near}` };
  }
  // YAML reads +49… as a number.
  if (path.at(-1) === 'knownCaller' && typeof value === 'number') return { hint: 'Write it in quotes.' };
  const near =
    rule.keyword === 'no-such-field' ? suggestion(path.at(-1) ?? '', fieldNames(path.slice(0, -1), schema)) : '';
  return near === '' ? {} : { hint: near.trim() };
}

function describeReceived(violation: SchemaViolation, path: readonly string[]): string {
  const { rule, received } = violation;
  const name = path.at(-1) ?? '';
  if (rule.keyword === 'no-such-field')
    return `the unknown key ${name} (${kindOf(violation).replace(/ \(not shown\)$/, ', not shown')})`;
  if (rule.keyword === 'one-field-of') return received;
  // A user name and password in an address are not shown.
  const isShown = shownFields.has(name) || isEventType(path) || path.at(-2) === 'days';
  return isShown ? received.replace(/\/\/[^/@"]*@/, '//…@') : kindOf(violation);
}

/** Whether the path leads to an item of `apiWebhooks.events`. */
function isEventType(path: readonly string[]): boolean {
  return path.length === 3 && path[0] === 'apiWebhooks' && path[1] === 'events';
}

function fieldNames(path: readonly string[], root: ConfigSchema): string[] {
  let place: { schema: JsonSchema; base: string } = { schema: schemas[root], base: schemas[root].$id };
  for (const step of path) {
    const next = /^\d+$/.test(step) ? place.schema.items : place.schema.properties?.[step];
    if (!next) return [];
    place = next.$ref === undefined ? { ...place, schema: next } : resolveRef(next.$ref, place.base);
  }
  return Object.keys(place.schema.properties ?? {}).filter((name) => name !== '$schema');
}
