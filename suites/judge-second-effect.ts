import type { ApiEffect } from '../harness/wire/api-effects.ts';
import type { CheckKit } from '../harness/checks/check.ts';
import { NotExercised } from '../harness/checks/faults.ts';
import type { Finding } from '../harness/checks/finding.ts';
import type { Arrival, Observation } from '../harness/wire/observation.ts';
import { toBeAccepted } from './matchers/answer-matchers.ts';
import { conclude } from './matchers/expect.ts';
import {
  effectsBetween,
  growth,
  hasEffect,
  noEffectReason,
  noteWatched,
  settledState,
  stateAfterEffect,
  type DeliveryEffects,
} from './observed-effects.ts';

const hint = 'Remember what was processed by its delivery id (by callbackUrl for CRM events) before acting on it.';

/** Deliveries whose effects are compared. */
export interface RepeatedDelivery {
  /** Sends a delivery; a second call repeats it. */
  same: (which: 'first' | 'second') => Promise<Observation>;
  /** A different delivery of the same kind, which shows the effects of one delivery. */
  other?: {
    send: () => Promise<Observation>;
    /** The effects of one that was sent before. Another one is then sent only to confirm a second effect. */
    known?: DeliveryEffects;
  };
}

/**
 * Delivers the same thing twice, one after the other or (with `other`) both at once, with the endpoint to itself, and
 * compares its state and its requests to the simulated service. An effect is a list or an object of the state that has
 * gained entries (a value that merely changes, such as a time or a counter, does not count), or a request to API v1
 * that made something new; the same request again is a second one. It must show for two deliveries made by `make`, since
 * work on earlier ones may appear at the same moment once. Not exercised when no effect shows at either place.
 */
export async function judgeSecondEffect(kit: CheckKit, make: () => RepeatedDelivery): Promise<void> {
  const first = await secondEffect(kit, make());
  const shown = first && !first.finding ? first : await secondEffect(kit, make(), { confirms: true });
  if (shown) conclude(shown.last, shown.finding);
}

/**
 * The same for deliveries of several kinds: all come, and then all come again. Where that shows an effect, each kind is
 * judged by itself.
 */
export async function judgeSecondEffects(kit: CheckKit, kinds: readonly (() => RepeatedDelivery)[]): Promise<void> {
  const before = await settledState(kit, 'the state before');
  const deliveries = kinds.map((make) => make());
  await Promise.all(deliveries.map(({ same }) => same('first')));
  const once = await settledState(kit, 'the state after one delivery of each kind', { isPatient: true });
  const effects = effectsBetween(kit, before, once);
  if (!hasEffect(effects)) return kit.notExercised(noEffectReason(kit));
  noteWatched(kit, effects);
  const again = await Promise.all(deliveries.map(({ same }) => same('second')));
  const after = await settledState(kit, 'the state after each delivery came again', { isPatient: true });
  if (!hasEffect(effectsBetween(kit, once, after))) return again.forEach((delivery) => conclude(delivery, undefined));
  for (const make of kinds) {
    try {
      await judgeSecondEffect(kit, make);
    } catch (error) {
      // A kind without an effect must not hide that another one has two.
      if (!(error instanceof NotExercised)) throw error;
    }
  }
  kit.notExercised('An effect showed when all deliveries came again, but none when each kind came again by itself.');
}

/**
 * The second effect of one repeated delivery, and the exchange that shows it; `undefined` if the known effects of another
 * one do not show at all. Ends the check if no effect can be seen. `confirms`: all effects are observed again.
 */
async function secondEffect(
  kit: CheckKit,
  { same, other }: RepeatedDelivery,
  { confirms = false } = {},
): Promise<{ last: Observation | Arrival; finding?: Finding } | undefined> {
  const { notExercised, inbox } = kit;
  // A part of an effect that comes later, such as a callback in a list of requests, could count as that of the repetition.
  const options = { isDecisive: confirms };
  const before = await settledState(kit, 'the state before', options);
  let once = before;
  const known = confirms ? undefined : other?.known;
  let effects = known;
  if (!effects) {
    const refused = toBeAccepted(await (other ? other.send() : same('first')));
    if (refused) return notExercised(`The delivery was not accepted: ${refused.received}.`);
    once = await stateAfterEffect(kit, before, 'the state after one delivery', options);
    effects = effectsBetween(kit, before, once);
    if (!hasEffect(effects)) return notExercised(noEffectReason(kit));
  }
  noteWatched(kit, effects);
  const [first, last] = await Promise.all([other && same('first'), same('second')]);
  for (const delivery of [first ?? last, last]) {
    const finding = toBeAccepted(delivery);
    if (finding) return notExercised(`The repeated delivery was not accepted: ${finding.received}.`);
  }
  const after = await settledState(kit, 'the state after the delivery came again', { ...options, isPatient: true });
  const again = growth(once.state, after.state);
  const hasRequest = inbox.apiEffects.after(once.done).length > 0;
  if (known && !hasRequest && ![...known.grown.keys()].some((place) => again.has(place))) return undefined;
  const allowed = (place: string) => (other ? (effects.grown.get(place) ?? 0) : 0);
  const grown = [...effects.grown.keys()].find((place) => (again.get(place) ?? 0) > allowed(place));
  const expected = other ? 'one effect of one delivery that came twice at once' : 'no second effect of one delivery';
  if (grown !== undefined) {
    const place = grown === '' ? 'the top' : grown;
    const received = `${again.get(grown) ?? 0} more at ${place} of the state, after ${effects.grown.get(grown) ?? 0} by one delivery`;
    return { last, finding: { expected, received, hint } };
  }
  const second = secondRequest(effects.requests, inbox.apiEffects.after(once.done), other !== undefined);
  if (!second) return { last };
  return {
    last: second.arrival,
    finding: { expected, received: `the same request twice: ${second.signature}`, hint },
  };
}

/**
 * The request that was repeated for a repeated delivery. When deliveries are sent at once, `before` is of another
 * delivery and only shows how often one delivery makes the same request.
 */
function secondRequest(
  before: readonly ApiEffect[],
  after: readonly ApiEffect[],
  atOnce: boolean,
): ApiEffect | undefined {
  if (!atOnce) return after.find(({ content }) => before.some((earlier) => earlier.content === content));
  const usual = Math.max(1, ...[...Map.groupBy(before, ({ content }) => content).values()].map(({ length }) => length));
  return [...Map.groupBy(after, ({ content }) => content).values()].find(({ length }) => length > usual)?.at(-1);
}
