import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import { subscribedTypes } from '../../harness/config/subscribed-types.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { withOverrides } from './override.ts';
import { preparedAppointment, setAppointment } from './prepared-appointment.ts';
import { assignIds } from './assign-ids.ts';
import type { SendContext, SendResult } from './send-context.ts';
import { defaultCustomer } from '../../service/default-customer.ts';

/** Sends an appointment event to the subscription, once (assumption webhook-redelivery). */
export async function sendAppointmentEvent(
  { service, config, body, overrides }: SendContext,
  type: ApiWebhookEvent['type'],
): Promise<SendResult> {
  const { inbox } = service;
  const contact = defaultCustomer(inbox);
  const record = await preparedAppointment(inbox, type, contact.phone ?? '');
  const project = inbox.conversations.get(record.projectId);
  const usual = { workspaceId: inbox.workspace.id, data: inbox.appointments.wire(record) };
  const { value } = withOverrides(body ?? usual, overrides);
  const { workspaceId, data } = value as { workspaceId?: unknown; data?: unknown };
  if (isJsonObject(data)) {
    const { id: appointmentId, contactId, projectId } = data;
    const ids = { workspaceId, appointmentId, contactId, projectId };
    assignIds(inbox.workspace, { contact, project, appointment: record }, ids);
    setAppointment(inbox, record, data);
  }
  const { url = '', secret = '' } = config.apiWebhooks ?? {};
  const id = inbox.ids.integer();
  const createdAt = inbox.clock.now();
  inbox.workspace.subscriptions.set(id, { id, url, events: [type], description: null, secret, createdAt });
  await inbox.apiWebhooks.emit(type, inbox.appointments.wire(record));
  const isTaken = service.events.kept.findLast(({ type }) => type === 'delivery')?.data['taken'] === true;
  const isSubscribed = subscribedTypes(config).includes(type);
  return {
    isUsable: isTaken,
    ...(!isSubscribed && {
      notes: [`apiWebhooks.events does not list ${type}, so the service would not send it to this subscription.`],
    }),
    sentences: [
      isTaken
        ? 'The event counts as received.'
        : 'The event does not count as received. The interface does not mention redelivery, so it is not sent again.',
    ],
  };
}
