import type { CheckKit } from '../../harness/checks/check.ts';
import { subscribedType, subscribedTypes } from '../../harness/config/subscribed-types.ts';
import type { ApiWebhookEvent, Appointment } from '../../specs/generated/types.ts';

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
