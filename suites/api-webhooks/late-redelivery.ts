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

/** Keeps a delivery that the receiver knows, and sends and keeps another one, to repeat both at the end of the run. */
export async function rememberForLater(kit: CheckKit, known: SignedDelivery, another: SignedDelivery): Promise<void> {
  const { hooks, session } = kit;
  const before = await settledState(kit, 'the state before');
  const answer = await hooks.post(another, { label: 'an event that comes again later' });
  const after = await stateAfterEffect(kit, before, 'the state after it');
  // Otherwise its only effect might be that of the repetition.
  if (!isAccepted(answer) || !hasEffect(effectsBetween(kit, before, after))) return;
  remembered.set(session, { deliveries: [known, another], begun: session.begun });
}

/**
 * Requires that deliveries have no second effect in the state at `observe.url` when they come again after others. A new
 * delivery shows what an effect looks like; a finding needs an effect of each of them, since an effect of other work may
 * appear at the same moment once.
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
  if (usual.grown.size === 0) return notExercised('The state at observe.url does not show effects of deliveries.');
  noteWatched(kit, { ...usual, requests: [] });
  let last: Observation | undefined;
  for (const delivery of earlier.deliveries) {
    const from = await settledState(kit, 'the state before the repetition', { isPatient: true });
    last = await hooks.post(delivery, { label: 'an event of the beginning of the run again' });
    if (!isAccepted(last)) return notExercised('The repetition was not accepted; another check judges that.');
    const to = await settledState(kit, 'the state after the repetition', { isPatient: true });
    const { grown } = effectsBetween(kit, from, to);
    if (![...grown.keys()].some((place) => usual.grown.has(place))) return conclude(last, undefined);
  }
  if (!last) return;
  conclude(last, {
    expected: 'no second effect of a delivery that comes again',
    received: `a second effect of each of ${earlier.deliveries.length}, after ${between} other requests of the run`,
    hint: 'Keep the delivery ids in the database, with the data, and not only the latest ones.',
  });
}
