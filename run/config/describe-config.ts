import { isOwnRequirementId } from '../../harness/checks/own-requirement.ts';
import { waiverProblemLine, waiverProblems } from '../../harness/config/waiver-problems.ts';
import { requirements } from '../../specs/requirements/catalogue.ts';
import { resolveRef, schemas, type JsonSchema } from '../../specs/schemas.ts';
import { validate, type Violation } from '../../specs/validators.ts';
import { suggestion } from '../../specs/nearest.ts';

/** Fields whose value is shown. Any other string may be a misplaced secret, so only its kind is shown. */
const shownFields = new Set(['url', 'publicUrl', 'host', 'kind', 'knownCaller', 'until', 'requirement', '$schema']);

const suitesHint = ' If one of your suites defines it, list that suite under suites.';

/** The violations of a config, one line per key with the allowed and the received value. Empty when it is valid. */
export function configViolations(value: unknown): string[] {
  const violations = validate('config', value);
  const keys = new Set<string>();
  const lines = violations.map((violation) => {
    const path = violation.pointer.split('/').slice(1).map(unescaped);
    const key = path.length === 0 ? 'the config' : path.join('.');
    keys.add(key);
    return `  ${key}: expected ${describeExpected(violation, path)}, received ${describeReceived(violation, path)}${keyHint(violation, path)}`;
  });
  return [...lines, ...waiverLines(value, keys)];
}

/** Problems of waivers that no violation reports. Violations do not hide them, so that the user fixes all at once. */
function waiverLines(value: unknown, reported: ReadonlySet<string>): string[] {
  const { waivers, suites } = (value ?? {}) as { waivers?: unknown; suites?: unknown };
  if (!Array.isArray(waivers)) return [];
  const wholes = waivers.map((waiver: unknown) => {
    const { requirement, reason } = (waiver ?? {}) as Record<string, unknown>;
    return { requirement: stringOf(requirement), reason: stringOf(reason), until: '' };
  });
  const isWhole = (key: string) => !reported.has(key) && !reported.has(key.replace(/\.\w+$/, ''));
  const hasOwnSuites = Array.isArray(suites) && suites.length > 0;
  const problems = waiverProblems(wholes, { hasOwnSuites }).filter(({ key }) => isWhole(key));
  return problems.map((problem) => {
    const { kind, received } = problem;
    const near = kind === 'unknown-requirement' ? suggestion(received, Object.keys(requirements)) : '';
    const hint = near + (kind === 'unknown-requirement' && isOwnRequirementId(received) ? suitesHint : '');
    return `${waiverProblemLine(problem)}${hint === '' ? '' : `.${hint}`}`;
  });
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Describes a JSON value by its kind alone. */
export function describeKind(text: string): string {
  if (text === '""') return 'an empty string';
  if (text.startsWith('"')) return 'a string (not shown)';
  if (text.startsWith('{')) return 'an object';
  return text.startsWith('[') ? 'an array' : text;
}

function describeExpected({ expected }: Violation, path: readonly string[]): string {
  if (expected.includes('^env:')) return 'env:NAME, the environment variable that holds it';
  if (expected.includes('^https?://')) return 'an https: address (http: for loopback only)';
  if (expected.includes('^wss?://')) return 'a wss: address (ws: for loopback only)';
  if (expected !== 'no such field') return expected;
  return `one of the keys ${fieldNames(path.slice(0, -1)).join(', ')}`;
}

function keyHint({ expected, received }: Violation, path: readonly string[]): string {
  // YAML reads +49… as a number.
  if (path.at(-1) === 'knownCaller' && /^\d+$/.test(received)) return '. Write it in quotes.';
  const hint = expected === 'no such field' ? suggestion(path.at(-1) ?? '', fieldNames(path.slice(0, -1))) : '';
  return hint === '' ? '' : `.${hint}`;
}

function describeReceived({ expected, received }: Violation, path: readonly string[]): string {
  const name = path.at(-1) ?? '';
  if (expected === 'no such field') return `the key ${name} with ${describeKind(received)}`;
  // User name and password of an address are redacted.
  return shownFields.has(name) ? received.replace(/\/\/[^/@"]*@/, '//…@') : describeKind(received);
}

function fieldNames(path: readonly string[]): string[] {
  let place: { schema: JsonSchema; base: string } = { schema: schemas.config, base: schemas.config.$id };
  for (const step of path) {
    const next = /^\d+$/.test(step) ? place.schema.items : place.schema.properties?.[step];
    if (!next) return [];
    place = next.$ref === undefined ? { ...place, schema: next } : resolveRef(next.$ref, place.base);
  }
  return Object.keys(place.schema.properties ?? {}).filter((name) => name !== '$schema');
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
