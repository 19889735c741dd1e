import type { CheckKit } from '../../harness/checks/check.ts';
import { subscribedType, subscribedTypes } from '../../harness/config/subscribed-types.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import type { ApiWebhookEvent, Appointment } from '../../specs/generated/types.ts';
import { once } from '../once.ts';

/**
 * An event of a type that the endpoint subscribed to, `appointment.confirmed` if possible; of another type if events of
 * this one were never answered, so that they prevent no other judgement.
 */
export function sampleEvent(
  { sample, settings, hooks }: Pick<CheckKit, 'sample' | 'settings' | 'hooks'>,
  data: Partial<Appointment> = {},
  preferred: ApiWebhookEvent['type'] = 'appointment.confirmed',
): ApiWebhookEvent {
  const usual = subscribedType(settings.config, preferred);
  const answered = [usual, ...subscribedTypes(settings.config)].find((type) => !hooks.isUnanswered(type));
  return sample.apiWebhookEvent(answered ?? usual, data);
}

/** The answer to one plain, correctly signed event of a type. */
export function plainAnswer(kit: CheckKit, type: ApiWebhookEvent['type']): Promise<Observation> {
  return once(kit.session, `api-webhooks ${type}`, () =>
    kit.hooks.post(kit.hooks.sign(kit.sample.apiWebhookEvent(type)), { label: type }),
  );
}
