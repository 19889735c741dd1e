import type { CheckKit } from '../../harness/checks/check.ts';
import type { Session } from '../../harness/checks/session.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import { conclude } from '../matchers/expect.ts';
import {
  effectsBetween,
  hasEffect,
  isAccepted,
  noteWatched,
  settledState,
  stateAfterEffect,
  type EffectsReading,
} from '../observed-effects.ts';
import { effectiveEvent } from './effective-event.ts';

/** Least number of other requests between a delivery and its late repetition. */
const fewestBetween = 20;

/** Deliveries of the effects phase, and the number of requests of the run and of stops of an endpoint by then. */
interface Remembered {
  deliveries: readonly SignedDelivery[];
  begun: number;
  stops: number;
}

const remembered = new WeakMap<Session, Remembered>();

/** Keeps a delivery that the receiver knows, and sends and keeps another one, to repeat both at the end of the run. */
export async function rememberForLater(kit: CheckKit, known: SignedDelivery, another: SignedDelivery): Promise<void> {
  const { hooks, session } = kit;
  const before = await settledState(kit, 'the state before');
  const answer = await hooks.post(another, { label: 'an event that comes again later' });
  const after = await stateAfterEffect(kit, before, 'the state after it');
  // Otherwise its only effect might be that of the repetition.
  if (!isAccepted(answer) || !hasEffect(effectsBetween(kit, before, after))) return;
  remembered.set(session, { deliveries: [known, another], begun: session.begun, stops: session.stops });
}

/**
 * Requires that deliveries have no second effect in the state at `observe.url` when they come again after others. A new
 * delivery shows what an effect looks like. A finding needs one of each of them that names the delivery or what it is
 * about, since work of other surfaces, such as a slow queue, may add entries at any moment.
 */
export async function judgeLateRedelivery(kit: CheckKit): Promise<void> {
  const { hooks, session, notExercised } = kit;
  const earlier = remembered.get(session);
  const event = await effectiveEvent(kit);
  if (!earlier || !event) return notExercised('No effect of a delivery was seen earlier in the run.');
  const between = session.begun - earlier.begun;
  if (between < fewestBetween) return notExercised(`Only ${between} other requests came in between.`);
  // A crash is judged itself, and --chaos judges what survives one.
  const requireNoStop = () => {
    if (session.stops !== earlier.stops) notExercised('The endpoint stopped in between, and may have lost its data.');
  };
  requireNoStop();
  const before = await settledState(kit, 'the state before');
  const another = hooks.sign(event.create());
  await hooks.post(another, { label: 'a new event' });
  const after = await stateAfterEffect(kit, before, 'the state after a new event');
  const usual = effectsBetween(kit, before, after);
  if (usual.grown.size === 0 || !isNamedMore(another, before, after)) {
    return notExercised('The state at observe.url does not show which delivery an effect belongs to.');
  }
  noteWatched(kit, { ...usual, requests: [] });
  let last: Observation | undefined;
  for (const delivery of earlier.deliveries) {
    const from = await settledState(kit, 'the state before the repetition', { isPatient: true });
    last = await hooks.post(delivery, { label: 'an event of the beginning of the run again' });
    if (!isAccepted(last)) return notExercised('The repetition was not accepted; another check judges that.');
    const to = await settledState(kit, 'the state after the repetition', { isPatient: true });
    const { grown } = effectsBetween(kit, from, to);
    const isSecond = [...grown.keys()].some((place) => usual.grown.has(place)) && isNamedMore(delivery, from, to);
    if (!isSecond) return conclude(last, undefined);
  }
  if (!last) return;
  requireNoStop();
  conclude(last, {
    expected: 'no second effect of a delivery that comes again',
    received: `a second effect of each of ${earlier.deliveries.length}, after ${between} other requests of the run`,
    hint: 'Keep the delivery ids in the database, with the data, and not only the latest ones.',
  });
}

/** Whether a state names a delivery, its appointment, contact or project more often than one before. */
function isNamedMore({ event }: SignedDelivery, before: EffectsReading, after: EffectsReading): boolean {
  const { id, data } = event as Pick<ApiWebhookEvent, 'id' | 'data'>;
  const names = [id, data.id, data.contactId, data.projectId].filter((name) => name !== null);
  return names.some((name) => timesNamed(after.text, String(name)) > timesNamed(before.text, String(name)));
}

function timesNamed(text: string, name: string): number {
  return text.match(new RegExp(String.raw`(?<!\w)${name}(?!\w)`, 'g'))?.length ?? 0;
}
