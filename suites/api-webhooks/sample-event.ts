import type { CheckKit } from '../../harness/checks/check.ts';
import { subscribedType } from '../../harness/config/subscribed-types.ts';
import type { ApiWebhookEvent, Appointment } from '../../specs/generated/types.ts';

/** An event of a type that the endpoint subscribed to, `appointment.confirmed` if possible. */
export function sampleEvent(
  { sample, settings }: Pick<CheckKit, 'sample' | 'settings'>,
  data: Partial<Appointment> = {},
  preferred: ApiWebhookEvent['type'] = 'appointment.confirmed',
): ApiWebhookEvent {
  return sample.apiWebhookEvent(subscribedType(settings.config, preferred), data);
}
