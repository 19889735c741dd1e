import { appointmentEvents } from './appointment-event-types.ts';
import type { CrmEvent } from './generated/types.ts';

type CrmEventType = CrmEvent['eventType'];
type AppointmentEventType = (typeof appointmentEvents)[keyof typeof appointmentEvents]['crm'];

/** Events without an appointment, with the numbers that named them until October 2026 (interface: CRM webhook events). */
const conversationEvents = {
  IncomingCallLookup: { legacyNumber: 0, isLookup: true },
  NewConversation: { legacyNumber: 2, isLookup: true },
  FinishedCall: { legacyNumber: 1, isLookup: false },
  ConversationPaused: { legacyNumber: 3, isLookup: false },
  Manual: { legacyNumber: 4, isLookup: false },
  FormSubmitted: { legacyNumber: 5, isLookup: false },
} as const satisfies Record<Exclude<CrmEventType, AppointmentEventType>, { legacyNumber: number; isLookup: boolean }>;

type ConversationEventType = keyof typeof conversationEvents;

/** Event types whose answer the service waits for before it greets. */
export type LookupEventType = {
  [Type in ConversationEventType]: (typeof conversationEvents)[Type]['isLookup'] extends true ? Type : never;
}[ConversationEventType];

/** Event types without an appointment. */
export const crmConversationEventTypes = Object.keys(conversationEvents) as readonly ConversationEventType[];

/** Event types about an appointment: `appointmentData` is present. */
export const crmAppointmentEventTypes = Object.values(appointmentEvents).map(({ crm }) => crm);

/** All twelve, in the order of the interface. */
export const crmEventTypes: readonly CrmEventType[] = [...crmConversationEventTypes, ...crmAppointmentEventTypes];

/** Types after which an endpoint is most likely to do something: a new appointment, a case, a request. */
export const crmTypesOfWork = [
  'AppointmentCreated',
  'FinishedCall',
  'FormSubmitted',
] as const satisfies readonly CrmEventType[];

export const lookupEventTypes = crmConversationEventTypes.filter(
  (type): type is LookupEventType => conversationEvents[type].isLookup,
);

/** Event types that had numbers: the index is the number. */
export const legacyEventTypes: readonly ConversationEventType[] = crmConversationEventTypes.toSorted(
  (one, other) => conversationEvents[one].legacyNumber - conversationEvents[other].legacyNumber,
);

/** The name of an event type that is given by its name or its former number. */
export function eventTypeName(eventType: unknown): unknown {
  return typeof eventType === 'number' ? legacyEventTypes[eventType] : eventType;
}
