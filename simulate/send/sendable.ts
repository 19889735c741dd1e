import type { ApiWebhookEvent, CrmEvent } from '../../specs/generated/types.ts';
import { suggestion } from '../../specs/nearest.ts';
import { appointmentEvents, appointmentEventTypes } from '../../specs/appointment-event-types.ts';
import { crmEventTypes } from '../../specs/crm-event-types.ts';
import { surfaceTable } from '../../specs/surfaces.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** An event or call that `send` can send, and the config key of its endpoint. */
export type Sendable =
  | { surface: 'own-ai-chat'; name: 'message.received' | 'ping' }
  | { surface: 'api-webhooks'; name: ApiWebhookEvent['type'] }
  | { surface: 'crm-webhook'; name: CrmEvent['eventType'] }
  | { surface: 'own-ai-phone'; name: 'call' };

const all: readonly Sendable[] = [
  { surface: 'own-ai-chat', name: 'message.received' },
  { surface: 'own-ai-chat', name: 'ping' },
  { surface: 'own-ai-phone', name: 'call' },
  ...appointmentEventTypes.map((name) => ({ surface: 'api-webhooks' as const, name })),
  ...crmEventTypes.map((name) => ({ surface: 'crm-webhook' as const, name })),
];

/** The names by surface, for the help. */
export const sendableNames = (['own-ai-chat', 'own-ai-phone', 'api-webhooks', 'crm-webhook'] as const)
  .map((surface) => {
    const names = all.filter((one) => one.surface === surface).map(({ name }) => name);
    return `${`${surfaceTable[surface].endpoint.label}:`.padEnd(18)}${names.join(', ')}`;
  })
  .join('\n');

/** Finds an event or call by name, ignoring case. Throws {@link HarnessFault} for an unknown one. */
export function sendable(name: string): Sendable {
  const found = all.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = all.map((one) => one.name);
  throw new HarnessFault('name-unknown:sent', { name, known: sendableNames, near: suggestion(name, names) });
}

/** The appointment event that corresponds to an event of the CRM webhook; `undefined` for other events. */
export function appointmentEventOf(name: Sendable['name']): ApiWebhookEvent['type'] | undefined {
  return appointmentEventTypes.find((type) => type === name || appointmentEvents[type].crm === name);
}
