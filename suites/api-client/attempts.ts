import type { OperationId } from '../../specs/api-operations.ts';
import type { ClientRequest, ReadTraffic } from './traffic.ts';

/** How requests of one kind are told apart and recognised. */
export interface Kind {
  operations: readonly OperationId[];
  /** What the request says; equal texts are one request sent again. `undefined`: cannot be told. */
  says: (request: ClientRequest) => string | undefined;
  /** Names that the client gives the request, by any of which the service knows it again. */
  names: (request: ClientRequest) => readonly string[];
}

/** Recognises requests by all that they say, under their Idempotency-Key. */
export const byWhole: Pick<Kind, 'says' | 'names'> = {
  says: ({ whole }) => whole,
  names: ({ idempotencyKey }) => (idempotencyKey === undefined ? [] : [idempotencyKey]),
};

/** Milliseconds in which the same request is taken for the failed one sent again; later it may be one of its own. */
const retryMs = 60_000;

/** A request that failed, and those that were sent again for it. */
export interface Retried {
  failed: ClientRequest;
  /** Oldest first, at least one. */
  again: readonly [ClientRequest, ...ClientRequest[]];
}

/** Accepted, and the client was told so. */
export function isTaken({ exchange: { ended, response } }: ClientRequest): boolean {
  return ended === 'answered' && response.status >= 200 && response.status < 300;
}

/** Refused with this status, and the client was told so. */
export function isRefused({ exchange: { ended, response } }: ClientRequest, ...statuses: number[]): boolean {
  return ended === 'answered' && statuses.includes(response.status);
}

/**
 * Requests after which the client cannot know whether they were processed, each with the same ones that came after it.
 * A client that says the same twice on purpose gives nothing to judge here.
 */
export function retries({ requests }: ReadTraffic, kind: Kind): Retried[] {
  return kind.operations.flatMap((operation) => {
    const own = requests.filter((request) => request.operation === operation);
    if (saysThingsTwice(own, kind)) return [];
    return sameOnes(own, kind.says).flatMap((same) =>
      same.filter(isUncertain).flatMap((failed): Retried[] => {
        const [first, ...rest] = same.filter((request) => isLater(failed, request) && knewOfFailure(failed, request));
        return first ? [{ failed, again: [first, ...rest] }] : [];
      }),
    );
  });
}

/**
 * Whether the client repeats a request that was taken undisturbed, under another name or none: then a repetition after
 * a failure may be meant as well.
 */
export function saysThingsTwice(
  requests: readonly ClientRequest[],
  { says, names }: Pick<Kind, 'says' | 'names'>,
  isPlain: (taken: ClientRequest) => boolean = () => true,
): boolean {
  return sameOnes(requests, says).some((same) =>
    same.some(
      (first) =>
        isTaken(first) &&
        first.exchange.trouble === undefined &&
        isPlain(first) &&
        same.some((second) => isLater(first, second) && !shareAName(names(first), names(second))),
    ),
  );
}

/** Requests by what they say, those of each round by themselves, in their order. */
export function sameOnes(requests: readonly ClientRequest[], says: Kind['says']): ClientRequest[][] {
  const groups = new Map<string, ClientRequest[]>();
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

/** Whether one request was complete after another. */
export function isLater(first: ClientRequest, second: ClientRequest): boolean {
  return second.exchange.at > first.exchange.at;
}

export function shareAName(some: readonly string[], others: readonly string[]): boolean {
  return some.some((name) => others.includes(name));
}

function isUncertain({ exchange: { ended, response, trouble } }: ClientRequest): boolean {
  return ended !== 'answered' || response.status >= 500 || trouble === 'slow';
}

/** Whether a later request can have been sent for want of an answer to an earlier one. */
function knewOfFailure({ exchange: failed }: ClientRequest, { exchange: again }: ClientRequest): boolean {
  if (again.at - failed.endedAt > retryMs) return false;
  if (failed.ended === 'abandoned') return true;
  // A slow answer that came after all: only what was sent before it was sent for want of it.
  if (failed.ended === 'answered' && failed.response.status < 500) return again.at < failed.endedAt;
  return again.at >= failed.endedAt;
}
