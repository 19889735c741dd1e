import { appointmentEventTypes } from '../../specs/appointment-event-types.ts';
import { crmEventTypes } from '../../specs/crm-event-types.ts';

const documentedKinds: readonly string[] = [...crmEventTypes, ...appointmentEventTypes, 'message.received', 'ping'];

/** The name of a timed request: the documented type of an event. Other types may come from outside, so they are not named. */
export function labelKind(kind: string, toBeRefused: boolean): string {
  const known = documentedKinds.includes(kind) ? kind : 'another request';
  return toBeRefused ? `a forged ${known}` : known;
}
