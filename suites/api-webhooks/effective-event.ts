import type { CheckKit } from '../../harness/checks/check.ts';
import { subscribedType, subscribedTypes } from '../../harness/config/subscribed-types.ts';
import type { ApiWebhookEvent, Appointment } from '../../specs/generated/types.ts';
import { findEffectiveKind } from '../effective-kind.ts';
import { once } from '../once.ts';

/** Makes new events of a type whose delivery has an effect that can be seen. */
export type CreateEvent = (data?: Partial<Appointment>) => ApiWebhookEvent;

/**
 * Events of the first subscribed type with an effect, `appointment.created` before the others. An endpoint that takes
 * deliveries of one contact for repetitions may have handled the usual contact before, so new contacts are tried as well.
 */
export function effectiveEvent(kit: CheckKit): Promise<CreateEvent | undefined> {
  const { sample, hooks, settings } = kit;
  const preferred = subscribedType(settings.config, 'appointment.created');
  const ofUsualContact =
    (type: ApiWebhookEvent['type']): CreateEvent =>
    (data) =>
      sample.apiWebhookEvent(type, data);
  const ofNewContact: CreateEvent = (data) =>
    sample.apiWebhookEvent(preferred, { contactId: sample.newCustomer().id, ...data });
  const others = subscribedTypes(settings.config).filter((type) => type !== preferred);
  return once(kit.session, 'hooks effective event', () =>
    findEffectiveKind<CreateEvent>(
      kit,
      { usual: [ofUsualContact(preferred)], others: [ofNewContact, ...others.map(ofUsualContact)] },
      (create) => hooks.post(hooks.sign(create()), { label: 'a delivery, observed' }),
    ),
  );
}
