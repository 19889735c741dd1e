import type { CrmEvent } from './generated/types.ts';

/** Event types by name (interface: CRM webhook events). */
export const crmEventTypes = [
  'IncomingCallLookup',
  'NewConversation',
  'FinishedCall',
  'ConversationPaused',
  'Manual',
  'FormSubmitted',
  'AppointmentCreated',
  'AppointmentConfirmed',
  'AppointmentRescheduled',
  'AppointmentCancelled',
  'AppointmentFinished',
  'AppointmentReminderSent',
] as const satisfies readonly CrmEvent['eventType'][];
