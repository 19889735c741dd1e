import { isAdvice } from '../answer/answer-fault.ts';
import { bodyFaults } from '../answer/answer-faults.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import type { Connection } from '../connection.ts';
import type { Found } from '../outcome.ts';
import type { FollowUp, FollowedEvent } from './follow.ts';

/** What is wrong about requests that followed, wherever they went; the gravest alone. */
export function placeFault(
  { events, strays: astray, garbled, atEarlier }: FollowUp,
  isOwed: (event: FollowedEvent) => boolean,
): Found | undefined {
  const owed = events.filter(isOwed);
  const counts = owed.map(({ made }) => made.box?.arrivals.length ?? 0);
  const [first = 0] = counts;
  if (owed.length > 1 && counts.includes(0) && counts.some((count) => count >= owed.length)) {
    const which = first > 0 ? 'the first of them' : 'the last of them';
    return {
      id: 'callback/mixed-up',
      summary: `Of two events that came together all that follows goes to the address of ${which}.`,
    };
  }
  if (counts.some((count) => count > 0)) return undefined;
  // One may still have been under way for the earlier event itself.
  if (owed.length > 0 && atEarlier >= owed.length) {
    return { id: 'callback/mixed-up', summary: 'What follows later events goes to the address of an earlier one.' };
  }
  const [stray] = astray;
  if (stray) return { id: stray.id, summary: stray.summary };
  const [other] = garbled;
  if (!other) return undefined;
  return other.isTls
    ? { id: 'callback/https-assumed', summary: 'TLS is spoken to the address that was given, which begins with http:.' }
    : {
        id: 'callback/malformed-request',
        summary: `What arrives at the port that was given is not a request that HTTP allows${other.code === '' ? '' : ` (${other.code})`}.`,
      };
}

/** What is wrong with a request that arrived at its address, beside what its surface alone knows. */
export function requestFault(connection: Connection, { made }: FollowedEvent, arrival: Arrival): Found | undefined {
  const { method, body } = arrival.request;
  if (method !== 'POST') {
    return { id: 'callback/wrong-method', summary: `The address receives a ${shortJson(method)} instead of a POST.` };
  }
  if (body.length === 0) return { id: 'callback/empty-body' };
  if (arrival.truncated) return undefined;
  const faults = bodyFaults(connection.surface, body, { event: made.event, skills: connection.config.skills });
  const fault = faults.find((one) => !isAdvice(one));
  // What is in doubt about a body is not a cause that can be named.
  if (!fault || fault.doubt !== undefined) return undefined;
  const where = connection.surface === 'crm-webhook' ? 'In the callback' : 'In the reply';
  return { id: fault.id, summary: `${where}: ${fault.summary}` };
}
