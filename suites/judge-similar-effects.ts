import type { CheckKit } from '../harness/checks/check.ts';
import type { Observation } from '../harness/wire/observation.ts';
import { conclude } from './matchers/expect.ts';
import {
  effectsBetween,
  hasEffect,
  isAccepted,
  noEffectReason,
  settledState,
  showsEffect,
} from './observed-effects.ts';

/** A pair whose second delivery shows no effect is sent once more. */
const attempts = 2;

/** Two different deliveries that resemble each other. */
export interface SimilarDeliveries {
  /** Completes "two …". */
  what: string;
  /** A delivery that resembles no other, to show that deliveries of this kind have an effect. */
  other: () => Promise<Observation>;
  /** A new pair; each is sent when its function is called. */
  pair: () => readonly [first: () => Promise<Observation>, second: () => Promise<Observation>];
}

/**
 * Delivers two different things that resemble each other, with the endpoint to itself, and requires an effect of each:
 * any change of its state, or a request to API v1. Not exercised when no effect of such a delivery can be seen.
 */
export async function judgeSimilarEffects(kit: CheckKit, { what, other, pair }: SimilarDeliveries): Promise<void> {
  if (!(await showsEffect(kit, other))) return kit.notExercised(noEffectReason(kit));
  let last: Observation | undefined;
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const [first, second] = pair();
    const before = await settledState(kit, 'the state before');
    const idle = await settledState(kit, 'the state without a delivery');
    if (idle.text !== before.text) {
      return kit.notExercised('The state at observe.url changes by itself, so a missing effect cannot be identified.');
    }
    const one = await first();
    const between = await settledState(kit, 'the state after the first');
    last = await second();
    const after = await settledState(kit, 'the state after the second');
    if (!isAccepted(one) || !isAccepted(last)) {
      return kit.notExercised('They were not both accepted, which other checks judge.');
    }
    if (!hasEffect(effectsBetween(kit, idle, between))) {
      return kit.notExercised('The first of the two had no effect that can be seen.');
    }
    if (after.text !== between.text || after.done !== between.done) return conclude(last, undefined);
  }
  if (!last || !(await showsEffect(kit, other)))
    return kit.notExercised('Effects of deliveries can no longer be seen.');
  conclude(last, {
    expected: `an effect of each of two ${what}`,
    received: `an effect of the first one only, ${attempts} times out of ${attempts}`,
    hint: 'Recognise what comes again by the delivery id alone (by callbackUrl for CRM events), not by contact, project, type or time.',
  });
}
