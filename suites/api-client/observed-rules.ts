import type { ClientRule, JudgedRequest } from './rules.ts';
import type { ClientRequest, ReadTraffic } from './traffic.ts';

/**
 * Requirements that requests of an endpoint during a run do not show. We cause their number and their repetition: a
 * redelivery, or another event about the same contact, leads to the same request again. Only the run of a client shows
 * what is a retry.
 */
const causedByTheRun: ReadonlySet<ClientRule['requirement']> = new Set([
  'api-client/at-most-60-requests-a-minute',
  'api-client/at-most-60-in-any-minute',
  'api-client/retry-keeps-its-key',
  'api-client/retry-carries-a-key',
  'api-client/retried-request-takes-effect-once',
  'api-client/retried-log-entry-has-an-external-id',
  'api-client/retried-log-entry-keeps-its-external-id',
  'api-client/drops-the-reply-after-409',
  'api-client/drops-the-skill-after-409',
  'api-client/does-not-repeat-what-was-refused',
  'api-client/waits-after-429',
  'api-client/waiting-message-is-not-sent-again',
  'api-client/contact-is-not-sent-again-unchanged',
  'api-client/addresses-contacts-by-their-id',
  'api-client/asks-for-no-skill-while-not-on',
] satisfies ClientRule['requirement'][]);

/** Requirements that show when a request of the endpoint fails on purpose, with no other event under way. */
export const aboutRetries: ReadonlySet<ClientRule['requirement']> = new Set([
  'api-client/retry-keeps-its-key',
  'api-client/retry-carries-a-key',
  'api-client/retried-request-takes-effect-once',
  'api-client/retried-log-entry-has-an-external-id',
  'api-client/retried-log-entry-keeps-its-external-id',
  'api-client/another-request-has-another-key',
  'api-client/waits-after-429',
] satisfies ClientRule['requirement'][]);

/** Requirements about the client as a whole: no event excuses an exception. */
const strict: ReadonlySet<ClientRule['requirement']> = new Set([
  'api-client/carries-an-api-key',
  'api-client/names-one-target',
  'api-client/carries-the-key-as-issued',
  'api-client/no-secret-in-an-address',
  'api-client/no-secret-in-a-body',
  'api-client/requests-take-effect',
  'api-client/another-request-has-another-key',
  'api-client/another-log-entry-has-another-external-id',
  'api-client/operations-do-not-share-keys',
  'api-client/consent-refusal-is-not-worked-around',
  'api-client/one-subscription-for-one-address',
  'api-client/agent-secret-is-not-replaced-at-once',
] satisfies ClientRule['requirement'][]);

/**
 * Judges the requests that an endpoint sent during a run by one rule. A run also sends unusual events, such as one whose
 * project is null; a request that lacks a value only then does not count. So a rule about single requests fails only
 * where all requests of an operation break it.
 */
export function judgeObserved({ requirement, judge }: ClientRule, traffic: ReadTraffic): JudgedRequest[] {
  if (causedByTheRun.has(requirement)) return [];
  const judged = judge(withoutLostValues(traffic)).filter(({ open }) => open === undefined);
  if (strict.has(requirement)) return judged;
  const kindOf = new Map(traffic.requests.map((request) => [request.exchange, kindOfRequest(request)]));
  const passing = new Set(judged.flatMap(({ exchange, finding }) => (finding ? [] : [kindOf.get(exchange)])));
  return judged.filter(({ exchange, finding }) => finding === undefined || !passing.has(kindOf.get(exchange)));
}

const read = new WeakMap<ReadTraffic, ReadTraffic>();

/** The traffic without requests whose path lacks a value that it has in other requests of the kind. */
function withoutLostValues(traffic: ReadTraffic): ReadTraffic {
  let without = read.get(traffic);
  if (!without) {
    const complete = new Set(traffic.requests.filter((request) => !lacksValue(request)).map(shapeOf));
    const requests = traffic.requests.filter((request) => !lacksValue(request) || !complete.has(shapeOf(request)));
    read.set(traffic, (without = { ...traffic, requests }));
  }
  return without;
}

const lost = /^(?:|undefined|null|none|nil|nan|-?\d+(?:\.\d+)?(?:e\+?\d+)?)$/i;

/** Whether a part of the path is empty, or the string of a missing or too large value. */
function lacksValue(request: ClientRequest): boolean {
  return partsOf(request).some((part) => lost.test(part) && !/^\d+$/.test(part));
}

/** The path with a placeholder for every id and every missing value. */
function shapeOf(request: ClientRequest): string {
  const parts = partsOf(request).map((part) => (lost.test(part) ? '*' : part));
  return `${request.exchange.request.method} ${parts.join('/')}`;
}

/** The parts of the path as sent, doubled slashes included. */
function partsOf({ exchange }: ClientRequest): string[] {
  return (exchange.path.split(/[?#]/, 1)[0] ?? '').replace(/\/$/, '').split('/').slice(1);
}

function kindOfRequest(request: ClientRequest): string {
  return request.operation ?? shapeOf(request);
}
