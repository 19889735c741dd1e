import type { CheckKit } from '../../harness/checks/check.ts';
import type { Session } from '../../harness/checks/session.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { conclude } from '../matchers/expect.ts';
import {
  effectsBetween,
  hasEffect,
  isAccepted,
  noteWatched,
  settledState,
  stateAfterEffect,
} from '../observed-effects.ts';
import { effectiveEvent } from './effective-event.ts';

/** Least number of other requests between a delivery and its late repetition. */
const fewestBetween = 20;

/** Deliveries of the effects phase, and the number of requests of the run by then. */
const remembered = new WeakMap<Session, { deliveries: readonly SignedDelivery[]; begun: number }>();

/** Keeps deliveries that have been accepted, to repeat them at the end of the run. */
export function rememberForLater(session: Session, deliveries: readonly SignedDelivery[]): void {
  remembered.set(session, { deliveries, begun: session.begun });
}

/**
 * Requires that deliveries have no second effect when they come again after many others. A new delivery shows what an
 * effect looks like; a finding needs an effect of each of them, since work on others may show once.
 */
export async function judgeLateRedelivery(kit: CheckKit): Promise<void> {
  const { hooks, session, notExercised } = kit;
  const earlier = remembered.get(session);
  const create = await effectiveEvent(kit);
  if (!earlier || !create) return notExercised('No effect of a delivery was seen earlier in the run.');
  const between = session.begun - earlier.begun;
  if (between < fewestBetween) return notExercised(`Only ${between} other requests came in between.`);
  const before = await settledState(kit, 'the state before');
  await hooks.post(hooks.sign(create()), { label: 'a new event' });
  const usual = effectsBetween(kit, before, await stateAfterEffect(kit, before, 'the state after a new event'));
  if (!hasEffect(usual)) return notExercised('Effects of deliveries can no longer be seen.');
  noteWatched(kit, usual);
  let last: Observation | undefined;
  for (const delivery of earlier.deliveries) {
    const from = await settledState(kit, 'the state before the repetition', { isPatient: true });
    last = await hooks.post(delivery, { label: 'an event of the beginning of the run again' });
    if (!isAccepted(last)) return notExercised('The repetition was not accepted; another check judges that.');
    const to = await settledState(kit, 'the state after the repetition', { isPatient: true });
    const { grown, requests } = effectsBetween(kit, from, to);
    if (requests.length === 0 && ![...grown.keys()].some((place) => usual.grown.has(place))) {
      return conclude(last, undefined);
    }
  }
  if (!last) return;
  conclude(last, {
    expected: 'no second effect of a delivery that comes again',
    received: `a second effect of each of ${earlier.deliveries.length}, after ${between} other requests`,
    hint: 'Keep the delivery ids in the database, with the data, and not only the latest ones.',
  });
}
