import { formatMs } from '../format-ms.ts';
import type { Connection } from '../connection.ts';
import type { ProbeOutcome } from '../outcome.ts';
import type { Stopwatch, Measurement } from './stopwatch.ts';

/** Number of events after which a single slow first event is attributed to start-up: fewer where each costs money. */
const seriesOf: Readonly<Record<string, number>> = { 'own-ai-chat': 12 };
const usualSeries = 20;
/** Slow events at a fixed interval that are not chance, and the most events sent to observe them. */
const enoughTurns = 4;
const mostForTurns = 20;
const ordinals: Readonly<Record<number, string>> = { 2: 'second', 3: 'third' };

/** Explains why one of two typical events was slow. `firstTwo` has both, in order. */
export async function findRhythm(
  connection: Connection,
  watch: Stopwatch,
  firstTwo: readonly Measurement[],
): Promise<ProbeOutcome> {
  const all = [...firstTwo];
  const take = async (fresh: boolean): Promise<Measurement> => {
    const next = await watch.take(fresh ? 'an event on a new connection' : 'the next event', undefined, { fresh });
    all.push(next);
    return next;
  };
  const done = (found: ProbeOutcome['found'], suspects: ProbeOutcome['suspects'] = []): ProbeOutcome => ({
    found,
    suspects,
    passed: [],
    seen: watch.seen,
  });
  // An order that alternating instances cannot produce.
  for (const fresh of [true, true, false, false]) await take(fresh);
  const are = (connected: boolean, slow: boolean) =>
    all.every((one) => one.connected !== connected || one.slow === slow) &&
    all.filter((one) => one.connected === connected).length >= 2;
  const slowOn = (connected: boolean) => are(connected, true) && are(!connected, false);
  // Random delays may look like this for a while, but not for so long.
  if (slowOn(true) || slowOn(false)) for (const fresh of [true, false, false, true]) await take(fresh);
  const slowest = Math.max(...all.map(({ ms }) => ms));
  const quickest = Math.min(...all.map(({ ms }) => ms));
  if (slowOn(true)) {
    const text = `Each event on a new connection takes up to ${formatMs(slowest)}, and on a reused connection ${formatMs(quickest)}.`;
    return done({ id: 'timing/slow-on-new-connections', summary: text });
  }
  if (slowOn(false)) {
    const text = `An event on a reused connection takes ${formatMs(slowest)} or more, and on a new one ${formatMs(quickest)}.`;
    return done({ id: 'timing/slow-on-kept-connections', summary: text });
  }
  const count = seriesOf[connection.surface] ?? usualSeries;
  const slowOnes = () => all.flatMap(({ slow }, at) => (slow ? [at] : []));
  const gapOf = ([one = 0, two = 0]: readonly number[]) => two - one;
  const turns = (at: readonly number[]) => {
    const gap = gapOf(at);
    return gap >= 2 && all.every(({ slow }, index) => slow === (index % gap === (at[0] ?? 0) % gap));
  };
  const mayBeFirst = () => slowOnes().every((at) => at === 0);
  while (all.length < count && (mayBeFirst() || turns(slowOnes()) || slowOnes().length < 2)) await take(false);
  // Any two slow events have an interval; only later ones confirm it.
  while (slowOnes().length < enoughTurns && turns(slowOnes()) && all.length < mostForTurns) await take(false);
  const slow = slowOnes();
  if (slow.length === 1 && slow[0] === 0 && all.length >= count) return done(firstSlow(all));
  const gap = gapOf(slow);
  if (slow.length >= enoughTurns && turns(slow)) {
    const text = `Every ${ordinals[gap] ?? `${gap}th`} event takes up to ${formatMs(slowest)}, the others ${formatMs(quickest)} at best: one of ${gap} instances is slow.`;
    return done({ id: 'timing/one-of-several-instances', summary: text });
  }
  const why = `${slow.length} of ${all.length} equal events were slow (up to ${formatMs(slowest)}), without a recognisable pattern.`;
  return done(undefined, [{ id: 'timing/at-random', why }]);
}

/** The cause if only the first event was slow. */
export function firstSlow(all: readonly Measurement[]): NonNullable<ProbeOutcome['found']> {
  const [first, ...others] = all;
  const slowest = Math.max(...others.map(({ ms }) => ms));
  const text = `The first event takes ${formatMs(first?.ms ?? 0)}, and each of ${others.length} after it ${formatMs(slowest)} at most.`;
  return { id: 'timing/slow-at-first', summary: text };
}
