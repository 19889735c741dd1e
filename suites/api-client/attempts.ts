import type { OperationId } from '../../specs/api-operations.ts';
import type { ClientRequest, ReadTraffic } from './traffic.ts';

/** How requests of one kind are distinguished and recognised. */
export interface RequestIdentity {
  operations: readonly OperationId[];
  /** Content of the request; equal strings are one request sent again. `undefined`: not known. */
  says: (request: ClientRequest) => string | undefined;
  /** Names that the client gives the request; the service recognises it by any of them. */
  names: (request: ClientRequest) => readonly string[];
}

/** Recognises requests by their content, under their Idempotency-Key. */
export const byWholeRequest: Pick<RequestIdentity, 'says' | 'names'> = {
  says: ({ whole }) => whole,
  names: ({ idempotencyKey }) => (idempotencyKey === undefined ? [] : [idempotencyKey]),
};

/** Milliseconds in which the same request counts as a retry of the failed one; later it may be a new one. */
const retryMs = 60_000;

/** A request that failed, and those that were sent again for it. */
export interface Retried {
  failed: ClientRequest;
  /** Oldest first, at least one. */
  again: readonly [ClientRequest, ...ClientRequest[]];
}

/** Accepted, and the client received the answer. */
export function isAccepted({ exchange: { ended, response } }: ClientRequest): boolean {
  return ended === 'answered' && response.status >= 200 && response.status < 300;
}

/** Refused with this status, and the client received the answer. */
export function isRefused({ exchange: { ended, response } }: ClientRequest, ...statuses: number[]): boolean {
  return ended === 'answered' && statuses.includes(response.status);
}

/**
 * Requests after which the client cannot know whether they were processed, each with the same ones that came after it.
 * Where a client repeats a request on purpose, only repetitions beyond those of the undisturbed round were retries.
 */
export function retries({ requests, cutShort }: ReadTraffic, kind: RequestIdentity): Retried[] {
  return kind.operations.flatMap((operation) => {
    const own = requests.filter((request) => request.operation === operation);
    const meantTwice = deliberateRepeats(own, kind);
    const groups = groupIdentical(own, kind.says);
    return groups.flatMap((same) => {
      const [
        {
          exchange: { round },
        },
      ] = same;
      const said = kind.says(same[0]);
      const isMeantTwice = said !== undefined && meantTwice.has(said);
      const undisturbed = groups.find(([one]) => one.exchange.round === 'undisturbed' && kind.says(one) === said);
      let tooMany =
        !isMeantTwice || cutShort || round === 'undisturbed' || !undisturbed
          ? 0
          : intentsOf(same, kind) - intentsOf(undisturbed, kind);
      return same.filter(isUncertain).flatMap((failed): Retried[] => {
        const later = same.filter((request) => isLater(failed, request) && knewOfFailure(failed, request));
        const named = later.filter((request) => shareName(kind.names(failed), kind.names(request)));
        const [first, ...rest] = !isMeantTwice ? later : named.length > 0 ? named : tooMany-- > 0 ? later : [];
        return first ? [{ failed, again: [first, ...rest] }] : [];
      });
    });
  });
}

/** Number of distinct requests among identical ones: those that share a name are one. */
function intentsOf(same: readonly ClientRequest[], { names }: RequestIdentity): number {
  const counted = same.filter((request) => isAccepted(request) || isUncertain(request));
  return counted.filter(
    (request, at) => !counted.slice(0, at).some((earlier) => shareName(names(earlier), names(request))),
  ).length;
}

/**
 * Requests that a client repeats on purpose: the same again after it was accepted undisturbed, under another name or
 * none. A repetition of it after a failure may be meant as well.
 */
export function deliberateRepeats(
  requests: readonly ClientRequest[],
  { says, names }: Pick<RequestIdentity, 'says' | 'names'>,
  isPlain: (taken: ClientRequest) => boolean = () => true,
): ReadonlySet<string> {
  const twice = groupIdentical(requests, says).filter((same) =>
    same.some(
      (first) =>
        isAccepted(first) &&
        first.exchange.trouble === undefined &&
        isPlain(first) &&
        same.some((second) => isLater(first, second) && !shareName(names(first), names(second))),
    ),
  );
  return new Set(twice.flatMap(([one]) => says(one) ?? []));
}

/** Requests with equal content, oldest first. */
type IdenticalRequests = [ClientRequest, ...ClientRequest[]];

/** Requests by content, for each round, in order. */
export function groupIdentical(requests: readonly ClientRequest[], says: RequestIdentity['says']): IdenticalRequests[] {
  const groups = new Map<string, IdenticalRequests>();
  for (const request of requests) {
    const said = says(request);
    if (said === undefined) continue;
    const key = `${request.exchange.round} ${said}`;
    const group = groups.get(key);
    if (group) group.push(request);
    else groups.set(key, [request]);
  }
  return [...groups.values()];
}

/**
 * Milliseconds after an answer in which a copy that was sent at the same time as the answered request (hedging) can
 * arrive here, on a busy machine.
 */
const copyMs = 1_000;

/** Whether a request is a copy of another one, under the same Idempotency-Key, that did not wait for its answer. */
export function isCopy(first: ClientRequest, second: ClientRequest): boolean {
  return (
    first.idempotencyKey !== undefined &&
    first.idempotencyKey === second.idempotencyKey &&
    second.exchange.at - first.exchange.endedAt < copyMs
  );
}

/** Whether one request was complete after another. */
export function isLater(first: ClientRequest, second: ClientRequest): boolean {
  return second.exchange.at > first.exchange.at;
}

export function shareName(some: readonly string[], others: readonly string[]): boolean {
  return some.some((name) => others.includes(name));
}

function isUncertain({ exchange: { ended, response, trouble } }: ClientRequest): boolean {
  return ended !== 'answered' || response.status >= 500 || trouble === 'slow';
}

/** Whether a later request can have been sent because an earlier one was not answered. */
function knewOfFailure({ exchange: failed }: ClientRequest, { exchange: again }: ClientRequest): boolean {
  if (again.at - failed.endedAt > retryMs) return false;
  if (failed.ended === 'abandoned') return true;
  // The answer was late: only requests sent before it can be retries.
  if (failed.ended === 'answered' && failed.response.status < 500) return again.at < failed.endedAt;
  return again.at >= failed.endedAt;
}
