import { apiOperations } from '../specs/api-operations.ts';
import { isLoopback } from '../specs/is-loopback.ts';
import { suggestion } from '../specs/nearest.ts';
import { schemas } from '../specs/schemas.ts';
import type { ScenarioStep } from '../specs/generated/types.ts';
import { validate, type Violation, type SchemaViolation } from '../specs/validators.ts';
import { isJsonContainer } from '../specs/json-object.ts';
import { parsePointer } from '../specs/json-pointer.ts';

/** Name of a step, in scenario files and in the addresses of the control API. */
export type StepName = keyof ScenarioStep;

/** One step of the simulated service, as scenario files and the control API write it. */
export type Step = {
  [Name in StepName]: { readonly name: Name; readonly body: NonNullable<ScenarioStep[Name]> };
}[StepName];

/**
 * A fault of a step. `lacksQuotes`: a number or a boolean in place of a string, as YAML reads a value without quotes.
 */
export type StepViolation = Violation & { readonly lacksQuotes?: boolean };

const bodies = schemas.scenario.$defs?.['ScenarioStep']?.properties ?? {};

/** Every step by its name, in the schema's order. */
export const stepNames = Object.keys(bodies) as readonly StepName[];

/** Description of a step for its users. */
export interface StepDescription {
  /** Its effect, in a sentence or two. */
  does: string;
  /** Fields that it must have. */
  required: readonly string[];
  /** JSON Schema of each of its fields, without references. */
  fields: Readonly<Record<string, unknown>>;
}

/** Description and fields of a step, from the schema. */
export function stepDescription(name: StepName): StepDescription {
  const { description = '', required = [], properties = {} } = resolved(bodies[name]) as Schema;
  return { does: description, required, fields: properties };
}

type Schema = { description?: string; required?: readonly string[]; properties?: Record<string, unknown> };

/** A piece of the scenario schema with the definitions in place of references to them; none of them is recursive. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (!isJsonContainer(value)) return value;
  const { $ref, ...rest } = value as { $ref?: string };
  const definition = $ref === undefined ? {} : schemas.scenario.$defs?.[last($ref)];
  const entries = Object.entries({ ...definition, ...rest }).filter(
    ([key, inner]) => key !== 'title' || typeof inner !== 'string',
  );
  return Object.fromEntries(entries.map(([key, inner]) => [key, resolved(inner)]));
}

/**
 * The step of this name and body, or its faults. Pointers are those of the body; for a name that no step has, the
 * pointer is empty.
 */
export function readStep(name: string, body: unknown): { step: Step } | { violations: StepViolation[] } {
  if (!isStepName(name)) return { violations: [{ pointer: '', expected: steps, received: JSON.stringify(name) }] };
  const prefix = `/0/${name}`;
  const found = validate('scenario', [{ [name]: body }]).map((violation) => readableViolation(violation, prefix));
  const violations = found.length > 0 ? found : furtherRules({ name, body } as Step);
  return violations.length > 0 ? { violations } : { step: { name, body } as Step };
}

/** Whether there is a step of this name. */
export function isStepName(name: string): name is StepName {
  return Object.hasOwn(bodies, name);
}

const steps = `a step: one of ${stepNames.join(', ')}`;

const operations = Object.keys(apiOperations);

/** The purpose of some patterns, by their beginning, reported when a value does not match. */
const patternDescriptions: readonly (readonly [start: string, words: string])[] = [
  ['^(https?://', 'an https: address (http: for loopback only), or an empty string'],
  ['^(wss?://', 'a wss: address (ws: for loopback only), or an empty string'],
];

function readableViolation(
  { pointer, expected, received, rule, value }: SchemaViolation,
  prefix: string,
): StepViolation {
  const inBody = pointer.slice(prefix.length);
  if (pointer === '/0/api-trouble/operation' && typeof value === 'string') {
    const meant = suggestion(value, operations);
    return {
      pointer: inBody,
      expected: `one of the operations ${operations.join(', ')}`,
      received: received + (meant && `.${meant}`),
    };
  }
  if (rule.keyword === 'no-such-field') {
    const known = fieldNames(pointer.split('/').slice(2, -1));
    return {
      pointer: inBody,
      expected: `only the fields ${known.join(', ')}`,
      received: `the field ${last(pointer)}`,
    };
  }
  const words =
    rule.keyword === 'pattern' ? patternDescriptions.find(([start]) => rule.pattern.startsWith(start))?.[1] : undefined;
  const isString = rule.keyword === 'enum' || (rule.keyword === 'type' && rule.types.includes('string'));
  const lacksQuotes = isString && (typeof value === 'number' || typeof value === 'boolean');
  return { pointer: inBody, expected: words ?? expected, received, lacksQuotes };
}

/** Rules that the JSON Schema keywords in use cannot express. */
function furtherRules({ name, body }: Step): Violation[] {
  const found: Violation[] = [];
  const add = (pointer: string, expected: string, received: string) => found.push({ pointer, expected, received });
  const fields = Object.keys(body);
  if ('from' in body && 'projectId' in body) add('', 'from or projectId', 'both');
  if (name === 'time-passes' && fields.length === 0) add('', 'days, hours, minutes or seconds', 'none of them');
  if (name === 'consent' && !('marketing' in body) && !('service' in body)) {
    add('', 'marketing or service', 'neither of them');
  }
  if ((name === 'customer-accepts' || name === 'customer-declines') && fields.length > 1) {
    add('', 'appointmentId or externalId', 'both');
  }
  if (name === 'connect') {
    if (fields.length === 0) add('', 'crmWebhook, apiWebhooks, chat or phone', 'none of them');
    for (const [field, address] of Object.entries(body)) {
      const wrong = typeof address === 'string' && address !== '' ? addressFault(address) : undefined;
      if (wrong !== undefined) add(`/${field}`, wrong, JSON.stringify(address));
    }
  }
  for (const [at, act] of name === 'customer-calls' ? (body.say ?? []).entries() : []) {
    const does = typeof act === 'string' ? 1 : Object.keys(act).length;
    if (does !== 1)
      add(`/say/${at}`, 'one of press, interrupt, team-picks-up, target-picks-up', does === 0 ? 'none' : 'several');
  }
  return found;
}

/** The fault of an address that the service is to use; `undefined` for a usable one. */
function addressFault(address: string): string | undefined {
  if (!URL.canParse(address)) return 'an absolute address';
  const { protocol, hostname, username, password, hash } = new URL(address);
  if (username !== '' || password !== '') return 'an address without a user name or password';
  const isOpen = protocol === 'http:' || protocol === 'ws:';
  if (isOpen && !isLoopback(hostname)) return `${protocol} for loopback only (localhost, 127.0.0.1, [::1])`;
  return protocol.startsWith('ws') && hash !== '' ? 'an address without a part after #' : undefined;
}

function fieldNames(path: readonly string[]): string[] {
  const definitions = schemas.scenario.$defs ?? {};
  let schema = definitions['ScenarioStep'];
  for (const step of path) {
    const next = /^\d+$/.test(step) ? schema?.items : schema?.properties?.[step];
    schema = next === false || next === undefined ? undefined : next;
    schema = schema?.$ref === undefined ? schema : definitions[last(schema.$ref)];
  }
  return Object.keys(schema?.properties ?? {});
}

function last(pointer: string): string {
  return parsePointer(pointer).at(-1) ?? '';
}
