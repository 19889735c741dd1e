import type { CheckKit } from '../../harness/checks/check.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import type { TracedDelivery } from '../late-effects.ts';
import { once } from '../once.ts';
import { requireControl } from '../require-control.ts';
import { sampleEvent } from './sample-event.ts';
import { subjectOf } from './signed-events.ts';

/** One delivery that was posted several times. */
export interface RedeliveredEvent extends TracedDelivery {
  answers: readonly Observation[];
}

/** A delivery three times, one after the other; the first answer is not among the answers. */
export function redeliverLater(kit: CheckKit): Promise<RedeliveredEvent> {
  const { session, hooks } = kit;
  return once(session, 'hooks redelivered later', async () => {
    const delivery = hooks.sign(sampleEvent(kit, {}, 'appointment.created'));
    requireControl(await hooks.post(delivery, { label: 'a delivery, to come again' }), 'the first delivery');
    const second = await hooks.post(delivery, { label: 'the same X-Svc-Delivery-Id again' });
    const third = await hooks.post(delivery, { label: 'the same X-Svc-Delivery-Id a third time' });
    return traced(delivery.event, [second, third], third);
  });
}

/** A delivery twice at the same moment. */
export function redeliverAtOnce(kit: CheckKit): Promise<RedeliveredEvent> {
  const { session, hooks } = kit;
  return once(session, 'hooks redelivered at once', async () => {
    const delivery = hooks.sign(sampleEvent(kit, {}, 'appointment.created'));
    const [one, other] = await Promise.all([
      hooks.post(delivery, { label: 'one delivery twice at once' }),
      hooks.post(delivery, { label: 'the same X-Svc-Delivery-Id at the same moment' }),
    ]);
    return traced(delivery.event, [one, other], other);
  });
}

function traced(event: unknown, answers: readonly Observation[], observation: Observation): RedeliveredEvent {
  return { answers, subject: subjectOf(event), observation, answeredAt: performance.now() };
}
