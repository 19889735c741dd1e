import type { ApiWebhookEvent, CrmEvent } from '../../specs/generated/types.ts';
import { suggestion } from '../../specs/nearest.ts';
import { UsageError } from '../../run/usage-error.ts';
import { appointmentEvents, appointmentEventTypes } from '../../specs/appointment-event-types.ts';
import { crmEventTypes } from '../../specs/crm-event-types.ts';

/** What `send` can send, and the key of the config that says where to. */
export type Sendable =
  | { surface: 'chat'; name: 'message.received' | 'ping' }
  | { surface: 'apiWebhooks'; name: ApiWebhookEvent['type'] }
  | { surface: 'crmWebhook'; name: CrmEvent['eventType'] }
  | { surface: 'phone'; name: 'call' };

const all: readonly Sendable[] = [
  { surface: 'chat', name: 'message.received' },
  { surface: 'chat', name: 'ping' },
  { surface: 'phone', name: 'call' },
  ...appointmentEventTypes.map((name) => ({ surface: 'apiWebhooks' as const, name })),
  ...crmEventTypes.map((name) => ({ surface: 'crmWebhook' as const, name })),
];

/** The names, in groups, for the help. */
export const sendableNames = [
  'own-AI chat:      message.received, ping',
  'own-AI phone:     call',
  `API webhooks:     ${appointmentEventTypes.join(', ')}`,
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
  return appointmentEventTypes.find((type) => type === name || appointmentEvents[type].crm === name);
}
