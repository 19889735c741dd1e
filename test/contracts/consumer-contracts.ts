import type { JsonValue } from '../../specs/json-value.ts';

/** An interaction as a consumer's test describes it, independent of the version of Pact. */
export interface Expectation {
  description: string;
  states?: readonly (string | { name: string; params: Record<string, JsonValue> })[];
  method?: string;
  path: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: JsonValue;
  status?: number;
  responseHeaders?: Record<string, string>;
  responseBody?: JsonValue;
  /** Matching rules for the body of the answer, by path (`$.id`). */
  rules?: Record<string, Record<string, JsonValue>>;
  /** Rule of the status, for version 4. */
  statusRule?: Record<string, JsonValue>;
  /** Generators of the request, for version 3 and 4. */
  generators?: JsonValue;
}

const key = { 'X-Api-Key': 'svc_sk_example' };

/** The content of a Pact file of this version. */
export function pactFile(version: 2 | 3 | 4, expectations: readonly Expectation[]): string {
  return JSON.stringify({
    consumer: { name: 'crm' },
    provider: { name: 'conversation-api' },
    interactions: expectations.map((one) => interactionOf(version, one)),
    metadata: { pactSpecification: { version: `${version}.0${version === 4 ? '' : '.0'}` } },
  });
}

function interactionOf(version: 2 | 3 | 4, expectation: Expectation): JsonValue {
  const {
    description,
    states = [],
    method,
    path,
    query,
    body,
    responseBody,
    rules = {},
    statusRule,
    generators,
  } = expectation;
  const { status = 200, responseHeaders, headers = key } = expectation;
  const verb = method ?? (body === undefined ? 'GET' : 'POST');
  const requestHeaders = { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }) };
  const named = states.map((state) => (typeof state === 'string' ? { name: state } : state));
  if (version === 2) {
    return {
      description,
      ...(named[0] && { providerState: named[0].name }),
      request: {
        method: verb,
        path,
        headers: requestHeaders,
        ...(query && { query: new URLSearchParams(query).toString() }),
        ...(body !== undefined && { body }),
      },
      response: {
        status,
        ...(responseHeaders && { headers: responseHeaders }),
        ...(responseBody !== undefined && { body: responseBody }),
        matchingRules: Object.fromEntries(Object.entries(rules).map(([at, rule]) => [at.replace('$', '$.body'), rule])),
      },
    };
  }
  const listed = (given: Record<string, string>) =>
    version === 4 ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [value]])) : given;
  const bodyOf = (value: JsonValue): JsonValue =>
    version === 4 ? { content: value, contentType: 'application/json', encoded: false } : value;
  const bodyRules = Object.fromEntries(
    Object.entries(rules).map(([at, rule]) => [at, { combine: 'AND', matchers: [rule] }]),
  );
  return {
    ...(version === 4 && { type: 'Synchronous/HTTP', pending: false }),
    description,
    ...(named.length > 0 && { providerStates: named as unknown as JsonValue }),
    request: {
      method: verb,
      path,
      headers: listed(requestHeaders),
      ...(query && { query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])) }),
      ...(body !== undefined && { body: bodyOf(body) }),
      ...(generators !== undefined && { generators }),
    },
    response: {
      status,
      ...(responseHeaders && { headers: listed(responseHeaders) }),
      ...(responseBody !== undefined && { body: bodyOf(responseBody) }),
      matchingRules: { body: bodyRules, ...(statusRule && { status: { $: { matchers: [statusRule] } } }) },
    },
  };
}
