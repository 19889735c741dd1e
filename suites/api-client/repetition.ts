import type { FindingPart } from '../../harness/checks/finding.ts';
import type { OperationId } from '../../specs/api-operations.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import { limits } from '../../specs/limits.ts';
import { byWholeRequest, isRefused, isAccepted, retries, shareName, type RequestIdentity } from './attempts.ts';
import { haveDifferentTargets } from './have-different-targets.ts';
import type { ClientRule, JudgedRequest } from './rules.ts';
import { requestWithout, type ClientRequest, type ReadTraffic } from './traffic.ts';

/** Operations for which the interface names Idempotency-Key (Limits: messages, notes, skills). */
const keyed: readonly OperationId[] = ['sendMessage', 'addNote', 'runSkill'];

const byKey: RequestIdentity = { operations: keyed, ...byWholeRequest };

const byExternalId: RequestIdentity = {
  operations: ['logMessage'],
  says: withoutExternalId,
  // Whether "messages" are also those that are logged is not stated: a kept Idempotency-Key is as good.
  names: (request) => [...externalIdOf(request), ...byKey.names(request)],
};

const keyValidityMs = limits.idempotencyKeyHours * 3_600_000;
const noRetry = (what: string) => `The client sent no ${what} again after no answer or a server error.`;
const hint = 'Make it once, before the first attempt, and keep it with the request.';

/** Rules about requests that are sent again, and about what distinguishes requests (interface: Limits, API v1). */
export const repetitionRules: readonly ClientRule[] = [
  {
    requirement: 'api-client/retry-keeps-its-key',
    title: 'a request that is sent again keeps its Idempotency-Key',
    needs: noRetry('message, note or skill with an Idempotency-Key'),
    judge: keepsItsName(byKey, 'Idempotency-Key'),
  },
  {
    requirement: 'api-client/retry-carries-a-key',
    title: 'a request that is sent again has an Idempotency-Key',
    needs: noRetry('message, note or skill'),
    judge: hasAName(byKey, 'Idempotency-Key'),
  },
  {
    requirement: 'api-client/retried-request-takes-effect-once',
    title: 'a request that is sent again takes effect once',
    needs: noRetry('message, note, skill or logged message that had been processed'),
    judge: (traffic) => [byKey, byExternalId].flatMap((kind) => takesEffectOnce(kind)(traffic)),
  },
  {
    requirement: 'api-client/another-request-has-another-key',
    title: 'different requests have different Idempotency-Keys',
    needs: 'The client did not send two different requests of one operation with Idempotency-Keys.',
    judge: keyClashes,
  },
  {
    requirement: 'api-client/operations-do-not-share-keys',
    title: 'messages, notes and skills have separate Idempotency-Keys',
    needs: 'The client did not use Idempotency-Keys with two operations.',
    judge: (traffic) =>
      differInName(
        traffic,
        traffic.requests.filter(
          ({ operation, idempotencyKey }) => operation && keyed.includes(operation) && idempotencyKey,
        ),
        ({ operation }) => operation,
        ({ idempotencyKey }) => idempotencyKey,
        'Idempotency-Key',
      ),
  },
  {
    requirement: 'api-client/retried-log-entry-has-an-external-id',
    title: 'a logged message that is sent again has an externalId',
    needs: noRetry('logged message'),
    judge: hasAName(byExternalId, 'externalId'),
  },
  {
    requirement: 'api-client/retried-log-entry-keeps-its-external-id',
    title: 'a logged message that is sent again keeps its externalId',
    needs: noRetry('logged message with an externalId'),
    judge: keepsItsName(byExternalId, 'externalId'),
  },
  {
    requirement: 'api-client/another-log-entry-has-another-external-id',
    title: 'different logged messages of a channel have different externalIds',
    needs: 'The client did not log two different messages with externalIds on one channel.',
    judge: (traffic) => {
      const logged = traffic.requests.filter(
        (request) => request.operation === 'logMessage' && externalIdOf(request).length > 0,
      );
      return [...new Set(logged.map(({ body }) => shortJson(body?.channel)))].flatMap((channel) =>
        differInName(
          traffic,
          logged.filter(({ body }) => shortJson(body?.channel) === channel),
          // The target may be written in several ways, and the rest does not make another message.
          ({ body }) => JSON.stringify([body?.direction, body?.subject, body?.text]),
          (request) => externalIdOf(request)[0],
          'externalId',
        ),
      );
    },
  },
];

/** Requests with an Idempotency-Key, with a finding where a different one of the operation had the key before. */
export function keyClashes(traffic: ReadTraffic): JudgedRequest[] {
  return keyed.flatMap((operation) =>
    differInName(
      traffic,
      traffic.requests.filter((request) => request.operation === operation && request.idempotencyKey !== undefined),
      ({ listed }) => listed,
      ({ idempotencyKey }) => idempotencyKey,
      'Idempotency-Key',
    ),
  );
}

type NameOfRequests = 'Idempotency-Key' | 'externalId';

/**
 * Judges requests that were processed although the client could not know it, by whether the same ones after it were
 * processed as well.
 */
function takesEffectOnce(kind: RequestIdentity): ClientRule['judge'] {
  return (traffic) =>
    retries(traffic, kind).flatMap(({ failed, again }): JudgedRequest[] => {
      const taken = again.filter(isAccepted);
      if (!isProcessed(failed) || taken.length === 0) return [];
      const twice = taken.find((request) => !shareName(kind.names(failed), kind.names(request)));
      if (!twice) return [{ exchange: (taken[0] ?? failed).exchange, beside: failed.exchange }];
      return [
        {
          exchange: twice.exchange,
          beside: failed.exchange,
          finding: {
            expected: `the request that was sent again ${after(failed)} to take effect once`,
            received: 'both processed',
            hint: 'With the key of the first attempt the service answers the second one without processing it.',
          },
        },
      ];
    });
}

/** Whether a request took effect, even if the client did not receive the answer. */
export function isProcessed({ exchange: { ended, response, unsentStatus } }: ClientRequest): boolean {
  const status = ended === 'answered' ? response.status : (unsentStatus ?? 0);
  return status >= 200 && status < 300;
}

function partOf(what: NameOfRequests): FindingPart {
  return what === 'externalId' ? { body: [what] } : { header: what.toLowerCase() };
}

function keepsItsName(kind: RequestIdentity, what: NameOfRequests): ClientRule['judge'] {
  return (traffic) =>
    retries(traffic, kind).flatMap(({ failed, again }): JudgedRequest[] => {
      const names = kind.names(failed);
      const [name] = names;
      if (name === undefined) return [];
      const kept = again.find((request) => shareName(names, kind.names(request)));
      if (kept) return [{ exchange: kept.exchange, beside: failed.exchange }];
      const [other] = kind.names(again[0]);
      return [
        {
          exchange: again[0].exchange,
          beside: failed.exchange,
          finding: {
            expected: `the ${what} of the first attempt (${shortJson(name)}) ${after(failed)}`,
            received: other === undefined ? 'none' : shortJson(other),
            hint,
            part: partOf(what),
          },
        },
      ];
    });
}

function hasAName(kind: RequestIdentity, what: NameOfRequests): ClientRule['judge'] {
  return (traffic) =>
    retries(traffic, kind).map(({ failed, again: [first] }) => ({
      exchange: first.exchange,
      beside: failed.exchange,
      ...(kind.names(failed).length === 0 && {
        finding: {
          expected: `a request with ${what} from the start, since it was sent again ${after(failed)}`,
          received: 'none at the first attempt',
          hint: 'Without it, what the first attempt did is done a second time.',
          part: kind.names(first).length === 0 ? partOf(what) : undefined,
        },
      }),
    }));
}

/** Judges requests that have a name and follow a different accepted one: they must not share its name. */
function differInName(
  { isObserved }: ReadTraffic,
  requests: readonly ClientRequest[],
  content: (request: ClientRequest) => string | undefined,
  name: (request: ClientRequest) => string | undefined,
  what: NameOfRequests,
): JudgedRequest[] {
  // A refused request was not processed, so its name is still free.
  const named = requests.filter((request) => content(request) !== undefined && !isCorrectable(request));
  return rounds(named).flatMap((round) => {
    const first = new Map<string, ClientRequest>();
    const taken = new Set<string | undefined>();
    return round.flatMap((request): JudgedRequest[] => {
      const own = name(request) ?? '';
      const says = content(request);
      const isComparable = taken.size > (taken.has(says) ? 1 : 0);
      const before = first.get(own);
      const earlier = before && isForgotten(before, request, what) ? undefined : before;
      // Processed although the answer did not arrive, it has its name as well.
      if (isProcessed(request)) {
        taken.add(says);
        first.set(own, earlier ?? request);
      }
      const { exchange } = request;
      if (!isComparable) return [];
      if (!earlier || content(earlier) === says) return [{ exchange }];
      if (isObserved && !haveDifferentTargets(earlier, request)) return [];
      return [
        {
          exchange,
          beside: earlier.exchange,
          finding: {
            expected: `another ${what} for another request`,
            received: `${shortJson(own)} again`,
            hint: 'The service takes it for a repetition and does not process it.',
            part: partOf(what),
          },
        },
      ];
    });
  });
}

/** A key that the service has forgotten may be used for another request (interface: Limits). */
function isForgotten({ exchange: first }: ClientRequest, { exchange }: ClientRequest, what: NameOfRequests): boolean {
  return what === 'Idempotency-Key' && exchange.serviceTimeMs - first.serviceTimeMs >= keyValidityMs;
}

function isCorrectable(request: ClientRequest): boolean {
  return isRefused(request, 400, 401, 403, 404, 429);
}

function rounds(requests: readonly ClientRequest[]): ClientRequest[][] {
  const of = (round: ReadTraffic['exchanges'][number]['round']) =>
    requests.filter(({ exchange }) => exchange.round === round);
  return [of('undisturbed'), of('troubled')];
}

function after({ exchange: { ended, response } }: ClientRequest): string {
  if (ended === 'cut') return 'after the connection broke';
  return ended === 'answered' && response.status >= 500 ? `after ${response.status}` : 'after no answer in time';
}

function externalIdOf({ body }: ClientRequest): string[] {
  const id = body?.externalId;
  return typeof id === 'string' && id !== '' ? [id] : [];
}

const said = new WeakMap<ClientRequest, string | undefined>();

function withoutExternalId(request: ClientRequest): string | undefined {
  if (!said.has(request)) said.set(request, requestWithout(request, 'externalId'));
  return said.get(request);
}
