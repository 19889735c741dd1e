import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import { subscribedTypes } from '../../harness/config/subscribed-types.ts';
import { preparedAppointment } from './prepared-appointment.ts';
import type { SendContext, SendResult } from './send-context.ts';
import { someCustomer } from '../../service/some-customer.ts';

/** Sends an appointment event to the subscription, once (assumption webhook-redelivery). */
export async function sendAppointmentEvent(
  { service, config }: SendContext,
  type: ApiWebhookEvent['type'],
): Promise<SendResult> {
  const { inbox } = service;
  const record = await preparedAppointment(inbox, type, someCustomer(inbox).phone ?? '');
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
