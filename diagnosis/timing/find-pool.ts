import type { Connection } from '../connection.ts';
import type { Outcome } from '../outcome.ts';
import { eventsOfOtherCallers, typicalEvent } from './event-kinds.ts';
import { jitterMs, formatMs, type Stopwatch, type Measurement } from './stopwatch.ts';

/** Events at once: as many as a check sends. */
const atOnceOf: Readonly<Record<string, number>> = { 'own-ai-chat': 5 };
const usualAtOnce = 10;
/** Events one after the other until an endpoint has worked off what we gave up on. */
const mostUntilQuiet = 4;
/** An event that did not wait for another takes at most this many times as long as alone. */
const notQueued = 1.5;

/** A step of a queue may be off by this much of the time of one event, and by this much more with each step before it. */
const ofOneStep = 0.35;
const ofEachStep = 0.06;
const leastToleranceMs = 20;
/** Steps of a queue that are answered: fewer make no row. */
const leastSteps = 2;
/** A probability: what may be chance to this degree is suspected, and not named. */
const mostByChance = 0.01;

/** Usual events are quick one after the other: whether they are at once, too, and if not, how many are. */
export async function findPool(connection: Connection, watch: Stopwatch, aloneMs: number): Promise<Outcome> {
  const most = atOnceOf[connection.surface] ?? usualAtOnce;
  const send = (count: number, others = false) =>
    watch.atOnce(
      `${count} events ${others ? 'of different callers ' : ''}at once`,
      others ? eventsOfOtherCallers(connection, count) : Array.from({ length: count }, () => typicalEvent(connection)),
    );
  const done = (found: Outcome['found'], suspects: Outcome['suspects'] = []): Outcome => ({
    found,
    suspects,
    passed: [],
    seen: watch.seen,
  });
  const quiet = async (): Promise<boolean> => {
    for (let times = 0; times < mostUntilQuiet; times++) {
      const one = await watch.take('one event alone', typicalEvent(connection));
      if (one.accepted && !one.slow && one.ms <= aloneMs * notQueued + jitterMs) return true;
    }
    return false;
  };
  const first = await send(most);
  if (first.some(isFailed)) {
    const id = 'timing/fails-in-parallel';
    const singles: Measurement[] = [];
    while (singles.length < most) singles.push(await watch.take('one event alone', typicalEvent(connection)));
    const again = await send(most);
    const failed = [...first, ...again].filter(isFailed).length;
    const rate = failed / (2 * most);
    // What fails at random fails alone as well, sooner or later.
    const byChance = (1 - rate) ** (singles.length + 2);
    if (!singles.every(({ accepted }) => accepted) || !again.some(isFailed) || byChance > mostByChance) {
      return done(undefined, [{ id, why: `${failed} of ${2 * most} events at once were not accepted.` }]);
    }
    const text = `Of ${2 * most} events, ${most} at once, ${failed} were ${troubleOf(again.find(isFailed))}; each alone is accepted.`;
    return done({ id, summary: text });
  }
  const slowest = slowestOf(first);
  if (first.every(({ slow }) => !slow)) {
    const passed = [
      `${most} events at once are answered within ${formatMs(slowest)}; the limit is ${formatMs(watch.limitMs)}.`,
    ];
    return { suspects: [], passed, seen: watch.seen };
  }
  const unclear = done(undefined, [
    { id: 'timing/slow-in-parallel', why: `${most} events at once took up to ${formatMs(slowest)}.` },
    { id: 'timing/at-random', why: 'The times of events at once do not tell that they wait for each other.' },
  ]);
  if (!(await quiet())) return unclear;
  const others = await send(most, true);
  if (!(await quiet())) return unclear;
  const again = await send(most);
  if (others.every(isUnqueued)) {
    const othersAgain = (await quiet()) ? await send(most, true) : [];
    const isLocked = again.some(({ slow }) => slow) && stepsAmong([first, again], aloneMs, 1) !== undefined;
    if (!isLocked || othersAgain.length === 0 || !othersAgain.every(isUnqueued)) return unclear;
    const text = `${most} events of one caller at once take up to ${formatMs(slowest)}, and of different callers ${formatMs(slowestOf(others))}.`;
    return done({ id: 'timing/one-at-a-time-per-caller', summary: text });
  }
  const size = stepsAmong([first, others, again], aloneMs, 2);
  if (size !== undefined) {
    const workers = size === 1 ? 'one event at a time' : `${size} events at a time`;
    const text = `The endpoint works on ${workers}, ${formatMs(aloneMs)} each; of ${most} at once the last takes ${formatMs(slowest)}.`;
    return done({ id: 'timing/pool-too-small', summary: text });
  }
  if (![first, others, again].every((taken) => taken.every(({ ms }) => ms > aloneMs * notQueued))) return unclear;
  const text = `One event alone takes ${formatMs(aloneMs)}, and ${most} at once take up to ${formatMs(slowest)} each.`;
  return done({ id: 'timing/slow-in-parallel', summary: text });

  function isUnqueued({ slow, accepted, ms }: Measurement): boolean {
    return !slow && accepted && ms <= aloneMs * notQueued + jitterMs;
  }
}

/** The number at a time that at least `enough` of these show, and none of them contradicts. */
function stepsAmong(runs: readonly (readonly Measurement[])[], aloneMs: number, enough: number): number | undefined {
  const sizes = runs.map((taken) => stepsOf(taken, aloneMs)).filter((size) => size !== undefined);
  return sizes.length >= enough && new Set(sizes).size === 1 ? sizes[0] : undefined;
}

/**
 * How many are worked on at a time, when the times of events at once go up in steps of the time of one alone; `undefined`
 * when they do not.
 */
function stepsOf(taken: readonly Measurement[], aloneMs: number): number | undefined {
  const sorted = [...taken].sort((a, b) => a.ms - b.ms);
  for (let size = 1; size < sorted.length; size++) {
    const stepOf = (at: number) => Math.floor(at / size) + 1;
    const fits = sorted.every(({ ms, observation }, at) => {
      const step = stepOf(at);
      const tolerance = Math.max(leastToleranceMs, aloneMs * (ofOneStep + ofEachStep * step));
      // Of one that was given up, only the earliest time is known.
      if (observation.answer.outcome === 'no-answer') return step * aloneMs >= ms - tolerance;
      return Math.abs(ms - step * aloneMs) <= tolerance;
    });
    const answered = sorted.filter(({ observation }) => observation.answer.outcome !== 'no-answer').length;
    if (fits && stepOf(answered - 1) >= leastSteps) return size;
  }
  return undefined;
}

function slowestOf(taken: readonly Measurement[]): number {
  return Math.max(...taken.map(({ ms }) => ms));
}

/** Not accepted though there was time. */
function isFailed({ accepted, slow, observation }: Measurement): boolean {
  return !accepted && !slow && observation.answer.outcome !== 'no-answer';
}

function troubleOf(taken: Measurement | undefined): string {
  const answer = taken?.observation.answer;
  if (answer?.outcome === 'answered') return `answered ${answer.status}`;
  return 'left without a complete answer';
}
