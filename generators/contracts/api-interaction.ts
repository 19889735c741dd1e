import { apiOperation, type ApiOperation, type OperationId } from '../../specs/api-operations.ts';
import { problems, type ProblemCode } from '../../specs/api-problems.ts';
import type { AssumptionId } from '../../specs/assumptions.ts';
import type { ServiceId } from '../../specs/requirements/service.ts';
import { apiStateParams, type ApiStateName, type ApiStateParam } from './api-state-names.ts';
import type { HttpInteraction, Matched, MatchedHeaders, ProviderState } from './contract.ts';
import { matchersFromSchema, regex } from './matchers-from-schema.ts';
import type { JsonFields, JsonValue } from '../../specs/json-value.ts';
import { isJsonContainer } from '../../specs/json-object.ts';
import { valueAt } from '../../specs/json-pointer.ts';

/** A state of API v1; a typo in its name or in that of a parameter does not compile. */
export interface RequiredApiState extends ProviderState {
  readonly name: ApiStateName;
  readonly params?: Readonly<Partial<Record<ApiStateParam, JsonValue>>>;
}

/** Definition of an interaction of API v1. */
export interface ApiInteractionPlan {
  readonly operation: OperationId;
  /** The client's action and its result. */
  readonly does: string;
  readonly requirement: ServiceId;
  readonly states?: readonly RequiredApiState[];
  /** Values of the path. */
  readonly parameters?: { readonly id?: number; readonly key?: string };
  /** The key is sent as a bearer token. */
  readonly bearer?: true;
  readonly idempotencyKey?: string;
  readonly body?: JsonFields;
  /** JSON Pointers of request fields whose exact value determines the outcome. */
  readonly exact?: readonly string[];
  /** The request violates its schema on purpose. */
  readonly broken?: true;
  readonly answer: ApiAnswerPlan | ApiProblemPlan;
  /** Open points of the interface, which no client should rely on. */
  readonly notShown?: readonly AssumptionId[];
}

/** A successful answer. */
export interface ApiAnswerPlan {
  readonly status: 200 | 201 | 202;
  readonly body: JsonValue;
  /** JSON Pointers of fields with an exact value. */
  readonly exact?: readonly string[];
  /** The expected fields of the body, or of each entry of a list; default: all. */
  readonly shows?: readonly string[];
  /** Fields that are ignored in every object of the body. */
  readonly hides?: readonly string[];
  /** JSON Pointers of objects whose content is ignored. */
  readonly opaque?: readonly string[];
}

/** An error. */
export interface ApiProblemPlan {
  readonly problem: ProblemCode;
  /** Seconds in Retry-After. */
  readonly retryAfter?: number;
}

/** One request to API v1 and its answer. */
export interface ApiInteraction extends HttpInteraction {
  readonly operation: OperationId;
  readonly notShown: readonly AssumptionId[];
}

/** An unknown key. */
export const exampleApiKey = 'svc_sk_an-example-and-no-key';

/** The interaction that a plan describes. Throws RangeError for a body that does not match its schema. */
export function apiInteraction(plan: ApiInteractionPlan): ApiInteraction {
  const { operation: id, does, requirement, notShown = [] } = plan;
  const operation = apiOperation(id);
  const states = plan.states ?? [];
  const body = requestBody(operation, plan);
  return {
    kind: 'http',
    operation: id,
    description: does,
    requirement,
    notShown,
    states,
    request: {
      method: operation.method,
      path: pathOf(operation, plan),
      headers: requestHeaders(plan),
      ...(body !== undefined && { body }),
    },
    response: 'problem' in plan.answer ? problemResponse(plan.answer) : response(operation, plan.answer),
  };
}

function response({ responses }: ApiOperation, { status, body, exact = [], shows, ...left }: ApiAnswerPlan) {
  const { opaque = [], hides = [] } = left;
  const schema = responses[status];
  if (schema === undefined) throw new RangeError(`expected a status of the operation, received ${status}`);
  const anything = opaque.map((pointer) => [pointer, { 'pact:matcher:type': 'type', value: {} }] as const);
  const instead = { ...valuesAt(body, exact), ...Object.fromEntries(anything) };
  const matched = without(matchersFromSchema(schema, body, { instead }), hides);
  return { status, body: shows ? only(matched, shows) : matched };
}

/** The code is the title; a code that the interface does not define matches any string. */
function problemResponse({ problem, retryAfter }: ApiProblemPlan) {
  const { status, named } = problems[problem];
  const headers: MatchedHeaders = {
    'Content-Type': regex('^application/problem\\+json(;.*)?$', 'application/problem+json'),
    ...(retryAfter !== undefined && { 'Retry-After': regex('^[1-9][0-9]*$', String(retryAfter)) }),
  };
  return { status, headers, body: { title: named ? problem : { 'pact:matcher:type': 'type', value: problem } } };
}

function requestHeaders({ bearer, idempotencyKey, body }: ApiInteractionPlan): MatchedHeaders {
  return {
    ...(bearer
      ? { Authorization: regex('^[Bb]earer +svc_sk_\\S+$', `Bearer ${exampleApiKey}`) }
      : { 'X-Api-Key': regex('^svc_sk_\\S+$', exampleApiKey) }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': regex('^.{1,255}$', idempotencyKey) }),
    ...(body && { 'Content-Type': regex('^application/json *(;.*)?$', 'application/json') }),
  };
}

function requestBody({ request }: ApiOperation, { body, exact = [], broken, states = [] }: ApiInteractionPlan) {
  if (body === undefined) return undefined;
  if (request === undefined) throw new RangeError('expected an operation with a body, received one without');
  if (broken) return body;
  const ids = Object.keys(body).filter((name) => isIdOf(name, states));
  const fromStates = ids.map((name) => [`/${name}`, injected(`\${${name}}`, body[name] ?? null)] as const);
  return matchersFromSchema(request, body, {
    instead: { ...valuesAt(body, exact), ...Object.fromEntries(fromStates) },
  });
}

/** The value of `{id}`, named as in states. */
export function idParameter({ path }: Pick<ApiOperation, 'path'>): ApiStateParam | undefined {
  const kind = /\/v1\/(\w+)s\/\{id\}/.exec(path)?.[1];
  return kind === undefined ? undefined : (`${kind}Id` as ApiStateParam);
}

function pathOf(operation: ApiOperation, { parameters = {}, states = [] }: ApiInteractionPlan): Matched {
  const values = [
    ['{id}', idParameter(operation), String(parameters.id ?? '')],
    ['{key}', 'key', encodeURIComponent(parameters.key ?? '')],
  ] as const;
  const filled = (isExample: boolean) =>
    values.reduce((path, [place, name = '', value]) => {
      return path.replace(place, () => (isExample || !isGiven(name, states) ? value : `\${${name}}`));
    }, operation.path);
  const [example, expression] = [filled(true), filled(false)];
  return example === expression ? example : injected(expression, example);
}

/** Exactly this value on the mock server; the verifier inserts the value from the provider state. */
function injected(expression: string, value: JsonValue): Matched {
  return { 'pact:matcher:type': 'equality', 'pact:generator:type': 'ProviderState', expression, value };
}

function isGiven(name: string, states: readonly RequiredApiState[]): boolean {
  return states.some(({ params }) => params !== undefined && name in params);
}

function isIdOf(name: string, states: readonly RequiredApiState[]): boolean {
  return isGiven(name, states) && apiStateParams[name as ApiStateParam].kind === 'id';
}

/** The values at these pointers, matched exactly. */
function valuesAt(body: JsonValue, pointers: readonly string[]): Record<string, Matched> {
  return Object.fromEntries(
    pointers.map((pointer) => {
      const value = valueAt(body, pointer) as JsonValue | undefined;
      if (value === undefined) throw new RangeError(`expected a value at ${pointer}, received none`);
      return [pointer, value];
    }),
  );
}

function only(matched: Matched, names: readonly string[]): Matched {
  const { value, ...rules } = matched as JsonFields;
  if ('pact:matcher:type' in rules && Array.isArray(value)) {
    return { ...rules, value: (value as readonly Matched[]).map((entry) => only(entry, names)) };
  }
  return Object.fromEntries(names.map((name) => [name, (matched as JsonFields)[name] ?? null]));
}

function without(matched: Matched, names: readonly string[]): Matched {
  if (Array.isArray(matched)) return (matched as readonly Matched[]).map((entry) => without(entry, names));
  if (!isJsonContainer(matched)) return matched;
  const fields = Object.entries(matched as JsonFields).filter(([name]) => !names.includes(name));
  return Object.fromEntries(fields.map(([name, value]) => [name, without(value, names)]));
}
