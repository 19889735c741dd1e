import { levelOf } from '../answer/answer-fault.ts';
import { bodyFaults } from '../answer/answer-faults.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import type { Connection } from '../connection.ts';
import type { Found } from '../outcome.ts';
import type { FollowUp, FollowedEvent } from './follow-event.ts';

/** The most severe fault in where requests went. */
export function placeFault(
  { events, strays: astray, garbled, atEarlier }: FollowUp,
  isOwed: (event: FollowedEvent) => boolean,
): Found | undefined {
  const owed = events.filter(isOwed);
  const counts = owed.map(({ made }) => made.box?.arrivals.length ?? 0);
  const [first = 0] = counts;
  if (owed.length > 1 && counts.includes(0) && counts.some((count) => count >= owed.length)) {
    const which = first > 0 ? 'the first' : 'the last';
    return {
      id: 'callback/mixed-up',
      summary: `For two simultaneous events, all requests go to the URL of ${which}.`,
    };
  }
  if (counts.some((count) => count > 0)) return undefined;
  // One of them may be a late request for the earlier event itself.
  if (owed.length > 0 && atEarlier >= owed.length) {
    return { id: 'callback/mixed-up', summary: 'Requests for later events go to the URL of an earlier one.' };
  }
  const [stray] = astray;
  if (stray) return { id: stray.id, summary: stray.summary };
  const [other] = garbled;
  if (!other) return undefined;
  return other.isTls
    ? { id: 'callback/https-assumed', summary: 'The client speaks TLS to the given URL, which begins with http:.' }
    : {
        id: 'callback/malformed-request',
        summary: `The data that arrives at the given port is not a valid HTTP request${other.code === '' ? '' : ` (${other.code})`}.`,
      };
}

/** Finds a fault in a request that reached its URL, independent of the surface. */
export function requestFault(connection: Connection, { made }: FollowedEvent, arrival: Arrival): Found | undefined {
  const { method, body } = arrival.request;
  if (method !== 'POST') {
    return { id: 'callback/wrong-method', summary: `The URL receives a ${shortJson(method)} instead of a POST.` };
  }
  if (body.length === 0) return { id: 'callback/empty-body' };
  if (arrival.truncated) return undefined;
  const faults = bodyFaults(connection.surface, body, { event: made.event, skills: connection.config.skills });
  const fault = faults.find((one) => levelOf(one) === 'must') ?? faults.find((one) => levelOf(one) === 'should');
  // A doubtful fault in a body is not a cause.
  if (!fault || fault.doubt !== undefined) return undefined;
  const where = connection.surface === 'crm-webhook' ? 'In the callback' : 'In the reply';
  return { id: fault.id, summary: `${where}: ${fault.summary}` };
}
