import { setTimeout as delay } from 'node:timers/promises';
import type { CheckKit } from '../harness/checks/check.ts';
import { conclude } from './matchers/expect.ts';
import {
  effectsBetween,
  hasEffect,
  isAccepted,
  noteWatched,
  settledState,
  showsEffect,
  stateAfterEffect,
  type Delivered,
} from './observed-effects.ts';

/** Attempts that must show no effect of the second delivery, each after an earlier one where there is such. */
const attempts = 2;

/** Two different deliveries that resemble each other; each is sent when its function is called. */
export interface SimilarPair {
  /** Sends what the two continue. */
  before?: () => Promise<unknown>;
  /**
   * Sends one about the same contact or project, if the second of an earlier pair has shown no effect: an endpoint that acts
   * only on the first delivery about one of these then shows no effect of the pair, and is not judged.
   */
  earlier?: () => Promise<unknown>;
  first: () => Promise<Delivered>;
  second: () => Promise<Delivered>;
  /**
   * Whether a state after the first delivery shows what differs in the second. If the effect is an entry of the state, it
   * must: an endpoint may also store both deliveries in one entry that does not show what has changed.
   */
  isShown?: (state: string) => boolean;
}

/** Different deliveries that resemble each other. */
export interface SimilarDeliveries {
  /** Completes "two …". */
  what: string;
  /** A delivery that resembles no other, to show that deliveries of this kind still have an effect. */
  other: () => Promise<Delivered>;
  /** Makes a new pair. */
  pair: () => SimilarPair;
  hint?: string;
}

const defaultHint =
  'Recognise a repeated delivery by its delivery id alone (by callbackUrl for CRM events), not by contact, project, type or time.';

/**
 * Delivers two different things that resemble each other, with the endpoint to itself, and requires an effect of each:
 * any change of its state, or a request to API v1. Not exercised when no effect of the first one can be seen.
 */
export async function judgeSimilarEffects(
  kit: CheckKit,
  { what, other, pair, hint }: SimilarDeliveries,
): Promise<void> {
  for (let made = 1; ; made++) {
    const { before: prepare, earlier, first, second, isShown } = pair();
    await prepare?.();
    if (made > 1) await earlier?.();
    const before = await settledState(kit, 'the state before');
    const idle = await settledState(kit, 'the state without a delivery', { isFresh: true });
    if (idle.text !== before.text) {
      return kit.notExercised('The state at observe.url changes by itself, so a missing effect cannot be identified.');
    }
    const one = await first();
    // A late effect of an earlier delivery must not count as the effect of the second.
    const between = await settledState(kit, 'the state after the first', { isPatient: true });
    const last = await second();
    let after = await settledState(kit, 'the state after the second');
    if (!isAccepted(one) || !isAccepted(last)) {
      return kit.notExercised('They were not both accepted; other checks judge that.');
    }
    const effects = effectsBetween(kit, idle, between);
    if (!hasEffect(effects)) return kit.notExercised('The first of the two had no effect that can be seen.');
    if (isShown && effects.requests.length === 0 && !isShown(between.text)) {
      return kit.notExercised('The state at observe.url does not show what differs in the two.');
    }
    noteWatched(kit, effects);
    const isChanged = () => after.text !== between.text || after.done !== between.done;
    // The effect may come later than any before.
    if (!isChanged()) after = await stateAfterEffect(kit, between, 'the state some time after the second');
    if (isChanged()) return conclude(last, undefined);
    if (made < attempts + (earlier ? 1 : 0)) continue;
    if (!(await showsEffect(kit, other))) return kit.notExercised('Effects of deliveries can no longer be seen.');
    return conclude(last, {
      expected: `an effect of each of two ${what}`,
      received: `an effect of the first one only, ${made} times out of ${made}`,
      hint: hint ?? defaultHint,
    });
  }
}

/** Similar deliveries that are sent at the same moment. */
export interface DeliveriesAtOnce extends Pick<SimilarDeliveries, 'what' | 'hint'> {
  /**
   * Makes new deliveries. `earlier` as in {@link SimilarPair}; `single` and each of `both` resemble each other. Unless
   * `alike`, the two of `both` differ: they show whether the endpoint handles any two deliveries at once.
   */
  make: (options: { alike: boolean }) => {
    earlier: () => Promise<unknown>;
    single: () => Promise<Delivered>;
    both: () => Promise<readonly Delivered[]>;
  };
}

/**
 * Sends one delivery, then two that resemble it at the same moment, and requires that the two have more effects than the
 * one: more entries at a place of the state, or more requests to API v1. Not exercised when two different deliveries at
 * once have no more effects either.
 */
export async function judgeEffectsAtOnce(kit: CheckKit, { what, make, hint }: DeliveriesAtOnce): Promise<void> {
  for (let made = 1; ; made++) {
    const { last, isMore } = await sendAtOnce(kit, make({ alike: true }), { isPrepared: made > 1 });
    if (isMore) return conclude(last, undefined);
    if (made <= attempts) continue;
    if (!(await sendAtOnce(kit, make({ alike: false }), { isPrepared: true })).isMore)
      return kit.notExercised('Two different ones at once have no more effects than one either.');
    return conclude(last, {
      expected: `an effect of each of two ${what}`,
      received: `no more effects than of one, ${made} times out of ${made}`,
      hint,
    });
  }
}

/** Whether two deliveries at once have more effects than one. */
async function sendAtOnce(
  kit: CheckKit,
  { earlier, single, both }: ReturnType<DeliveriesAtOnce['make']>,
  { isPrepared }: { isPrepared: boolean },
): Promise<{ last: Delivered; isMore: boolean }> {
  if (isPrepared) await earlier();
  const before = await settledState(kit, 'the state before');
  const idle = await settledState(kit, 'the state without a delivery', { isFresh: true });
  if (hasEffect(effectsBetween(kit, before, idle)))
    return kit.notExercised('Effects show without a delivery, so a missing one cannot be identified.');
  const one = await single();
  const between = await settledState(kit, 'the state after one', { isPatient: true });
  const two = await both();
  let after = await settledState(kit, 'the state after two at once');
  const [last] = two;
  if (!last || ![one, ...two].every(isAccepted)) {
    return kit.notExercised('They were not all accepted; other checks judge that.');
  }
  const usual = effectsBetween(kit, idle, between);
  if (!hasEffect(usual)) return kit.notExercised('A single one of them had no effect that can be seen.');
  noteWatched(kit, usual);
  const isMore = () => {
    const { grown, requests } = effectsBetween(kit, between, after);
    return (
      requests.length > usual.requests.length || [...grown].some(([place, by]) => by > (usual.grown.get(place) ?? 0))
    );
  };
  if (!isMore()) {
    // The effect may come later than any before.
    await delay(kit.settings.retryWatchMs);
    after = await settledState(kit, 'the state some time after two at once');
  }
  return { last, isMore: isMore() };
}
