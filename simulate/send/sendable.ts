import { crmEventTypes } from '../../specs/crm-event-types.ts';
import type { ApiWebhookEvent, CrmEvent } from '../../specs/generated/types.ts';
import { suggestion } from '../../specs/nearest.ts';
import { UsageError } from '../../run/usage-error.ts';

/** What `send` can send, and the key of the config that says where to. */
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

const all: readonly Sendable[] = [
  { surface: 'chat', name: 'message.received' },
  { surface: 'chat', name: 'ping' },
  { surface: 'phone', name: 'call' },
  ...appointmentEvents.map((name) => ({ surface: 'apiWebhooks' as const, name })),
  ...crmEventTypes.map((name) => ({ surface: 'crmWebhook' as const, name })),
];

/** The names, in groups, for the help. */
export const sendableNames = [
  'own-AI chat:      message.received, ping',
  'own-AI phone:     call',
  `API webhooks:     ${appointmentEvents.join(', ')}`,
  `CRM webhook:      ${crmEventTypes.join(', ')}`,
].join('\n');

/** What a name means, in any letter case. Throws {@link UsageError} for one that means nothing. */
export function sendable(name: string): Sendable {
  const found = all.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = all.map((one) => one.name);
  throw new UsageError(`send ${name}: nothing is called that.${suggestion(name, names)} There is\n${sendableNames}`);
}

/** The appointment event that an event of the CRM webhook stands for; `undefined` for the others. */
export function appointmentEventOf(name: Sendable['name']): ApiWebhookEvent['type'] | undefined {
  const at = crmEventTypes.findIndex((one) => one === name) - (crmEventTypes.length - appointmentEvents.length);
  return at >= 0 ? appointmentEvents[at] : appointmentEvents.find((one) => one === name);
}
