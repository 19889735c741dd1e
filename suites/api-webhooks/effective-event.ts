import type { CheckKit } from '../../harness/checks/check.ts';
import { subscribedType, subscribedTypes } from '../../harness/config/subscribed-types.ts';
import type { ApiWebhookEvent, Appointment } from '../../specs/generated/types.ts';
import { findEffectiveKind } from '../effective-kind.ts';
import type { ObservedDelivery } from '../observed-effects.ts';
import { once } from '../once.ts';

type EventType = ApiWebhookEvent['type'];

/** Makes new events of one type. */
type CreateEvent = (data?: Partial<Appointment>) => ApiWebhookEvent;

/** Deliveries with an effect that can be seen. */
export interface EffectiveDeliveries {
  create: CreateEvent;
  /** The latest one. */
  observed: ObservedDelivery;
}

/**
 * Events of the first subscribed type with an effect, `appointment.created` before the others. Each is about a contact
 * that no other event is about, so that work on earlier events is not mistaken for its effect; the usual contact is
 * tried where only known ones have an effect.
 */
export function effectiveEvent(kit: CheckKit): Promise<EffectiveDeliveries | undefined> {
  const { sample, hooks, settings } = kit;
  const preferred = subscribedType(settings.config, 'appointment.created');
  const types = subscribedTypes(settings.config);
  const ofUsualContact =
    (type: EventType): CreateEvent =>
    (data) =>
      sample.apiWebhookEvent(type, data);
  const ofNewContact =
    (type: EventType): CreateEvent =>
    (data) =>
      sample.apiWebhookEvent(type, { contactId: sample.newCustomer().id, ...data });
  return once(kit.session, 'hooks effective event', async () => {
    const found = await findEffectiveKind<CreateEvent>(
      kit,
      {
        usual: [ofNewContact(preferred)],
        others: [...types.filter((type) => type !== preferred).map(ofNewContact), ...types.map(ofUsualContact)],
      },
      (create) => hooks.post(hooks.sign(create()), { label: 'a delivery, observed' }),
    );
    return found && { create: found.kind, observed: found.observed };
  });
}
