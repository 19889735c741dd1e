import type { ApiWebhookEvent, CrmEvent } from '../../specs/generated/types.ts';
import { suggestion } from '../../specs/nearest.ts';
import { UsageError } from '../../run/usage-error.ts';

/** An event or call that `send` can send, and the config key of its endpoint. */
export type Sendable =
  | { surface: 'chat'; name: 'message.received' | 'ping' }
  | { surface: 'apiWebhooks'; name: ApiWebhookEvent['type'] }
  | { surface: 'crmWebhook'; name: CrmEvent['eventType'] }
  | { surface: 'phone'; name: 'call' };

const appointmentEvents = [
  'appointment.created',
  'appointment.confirmed',
  'appointment.rescheduled',
  'appointment.cancelled',
  'appointment.finished',
  'appointment.reminder_sent',
] as const satisfies readonly ApiWebhookEvent['type'][];

const crmEvents = [
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

const all: readonly Sendable[] = [
  { surface: 'chat', name: 'message.received' },
  { surface: 'chat', name: 'ping' },
  { surface: 'phone', name: 'call' },
  ...appointmentEvents.map((name) => ({ surface: 'apiWebhooks' as const, name })),
  ...crmEvents.map((name) => ({ surface: 'crmWebhook' as const, name })),
];

/** The names by surface, for the help. */
export const sendableNames = [
  'own-AI chat:      message.received, ping',
  'own-AI phone:     call',
  `API webhooks:     ${appointmentEvents.join(', ')}`,
  `CRM webhook:      ${crmEvents.join(', ')}`,
].join('\n');

/** Finds an event or call by name, ignoring case. Throws {@link UsageError} for an unknown one. */
export function sendable(name: string): Sendable {
  const found = all.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = all.map((one) => one.name);
  throw new UsageError(`send ${name}: unknown event.${suggestion(name, names)} Expected one of\n${sendableNames}`);
}

/** The appointment event that corresponds to an event of the CRM webhook; `undefined` for other events. */
export function appointmentEventOf(name: Sendable['name']): ApiWebhookEvent['type'] | undefined {
  const at = crmEvents.findIndex((one) => one === name) - (crmEvents.length - appointmentEvents.length);
  return at >= 0 ? appointmentEvents[at] : appointmentEvents.find((one) => one === name);
}
