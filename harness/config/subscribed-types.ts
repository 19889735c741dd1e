import { appointmentEventTypes } from '../../specs/appointment-event-types.ts';
import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import type { ResolvedConfig } from './settings.ts';

type Subscriber = Pick<ResolvedConfig, 'apiWebhooks'>;

/** The event types that the endpoint subscribed to, in the order of the interface: all six without `apiWebhooks.events`. */
export function subscribedTypes({ apiWebhooks }: Subscriber): readonly ApiWebhookEvent['type'][] {
  const { events } = apiWebhooks ?? {};
  return events === undefined ? appointmentEventTypes : appointmentEventTypes.filter((type) => events.includes(type));
}

/** This type if the endpoint subscribed to it, otherwise the first one that it did subscribe to. */
export function subscribedType(config: Subscriber, preferred: ApiWebhookEvent['type']): ApiWebhookEvent['type'] {
  const types = subscribedTypes(config);
  return types.includes(preferred) ? preferred : (types[0] ?? preferred);
}
