import { formatMs } from '../format-ms.ts';
import type { Connection } from '../connection.ts';
import type { ProbeOutcome } from '../outcome.ts';
import { concurrentEvents, explainFailuresAtOnce } from './explain-failures-at-once.ts';
import { eventsOfOtherCallers, typicalEvent } from './event-kinds.ts';
import { jitterMs, type Stopwatch, type Measurement } from './stopwatch.ts';

/** Sequential events until an endpoint has finished the abandoned ones. */
const mostUntilQuiet = 4;
/** Greatest factor by which an event that is not queued exceeds its time alone. */
const notQueued = 1.5;

/** Tolerance of a queue step as a share of the time of one event, and the additional share for each earlier step. */
const ofOneStep = 0.35;
const ofEachStep = 0.06;
const leastToleranceMs = 20;
/** Fewest answered steps that form a queue. */
const leastSteps = 2;

/** Tests concurrency: whether events that are quick sequentially are quick concurrently, and how many are processed at a time. */
export async function findPool(connection: Connection, watch: Stopwatch, aloneMs: number): Promise<ProbeOutcome> {
  const most = concurrentEvents(connection);
  const send = (count: number, others = false) =>
    watch.atOnce(
      `${count} concurrent events${others ? ' of different callers' : ''}`,
      others ? eventsOfOtherCallers(connection, count) : Array.from({ length: count }, () => typicalEvent(connection)),
    );
  const done = (found: ProbeOutcome['found'], suspects: ProbeOutcome['suspects'] = []): ProbeOutcome => ({
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
    const alone = () => watch.take('one event alone', typicalEvent(connection));
    return {
      ...(await explainFailuresAtOnce(first, { alone, again: () => send(most), isFailed })),
      passed: [],
      seen: watch.seen,
    };
  }
  const slowest = slowestOf(first);
  if (first.every(({ slow }) => !slow)) {
    const passed = [
      `${most} concurrent events are answered within ${formatMs(slowest)}; the limit is ${formatMs(watch.limitMs)}.`,
    ];
    return { suspects: [], passed, seen: watch.seen };
  }
  const unclear = done(undefined, [
    { id: 'timing/slow-in-parallel', why: `${most} concurrent events took up to ${formatMs(slowest)}.` },
    { id: 'timing/at-random', why: 'The times of concurrent events do not show that they wait for each other.' },
  ]);
  if (!(await quiet())) return unclear;
  const others = await send(most, true);
  if (!(await quiet())) return unclear;
  const again = await send(most);
  if (others.every(isUnqueued)) {
    const othersAgain = (await quiet()) ? await send(most, true) : [];
    const isLocked = again.some(({ slow }) => slow) && stepsAmong([first, again], aloneMs, 1) !== undefined;
    if (!isLocked || othersAgain.length === 0 || !othersAgain.every(isUnqueued)) return unclear;
    const text = `${most} concurrent events of one caller take up to ${formatMs(slowest)}, and those of different callers ${formatMs(slowestOf(others))}.`;
    return done({ id: 'timing/one-at-a-time-per-caller', summary: text });
  }
  const size = stepsAmong([first, others, again], aloneMs, 2);
  if (size !== undefined) {
    const workers = size === 1 ? 'one event at a time' : `${size} events at a time`;
    const text = `The endpoint processes ${workers}, ${formatMs(aloneMs)} each; of ${most} concurrent events the last takes ${formatMs(slowest)}.`;
    return done({ id: 'timing/pool-too-small', summary: text });
  }
  if (![first, others, again].every((measured) => measured.every(({ ms }) => ms > aloneMs * notQueued))) return unclear;
  const text = `One event alone takes ${formatMs(aloneMs)}, and ${most} concurrent events take up to ${formatMs(slowest)} each.`;
  return done({ id: 'timing/slow-in-parallel', summary: text });

  function isUnqueued({ slow, accepted, ms }: Measurement): boolean {
    return !slow && accepted && ms <= aloneMs * notQueued + jitterMs;
  }
}

/** The queue size that at least `enough` of these runs show and none contradicts. */
function stepsAmong(runs: readonly (readonly Measurement[])[], aloneMs: number, enough: number): number | undefined {
  const sizes = runs.map((measured) => stepsOf(measured, aloneMs)).filter((size) => size !== undefined);
  return sizes.length >= enough && new Set(sizes).size === 1 ? sizes[0] : undefined;
}

/**
 * How many events are processed at a time, if the times of concurrent events rise in steps of the time of one alone;
 * `undefined` otherwise.
 */
function stepsOf(measured: readonly Measurement[], aloneMs: number): number | undefined {
  const sorted = [...measured].sort((a, b) => a.ms - b.ms);
  for (let size = 1; size < sorted.length; size++) {
    const stepOf = (at: number) => Math.floor(at / size) + 1;
    const fits = sorted.every(({ ms, observation }, at) => {
      const step = stepOf(at);
      const tolerance = Math.max(leastToleranceMs, aloneMs * (ofOneStep + ofEachStep * step));
      // An abandoned event only gives a lower bound.
      if (observation.answer.outcome === 'no-answer') return step * aloneMs >= ms - tolerance;
      return Math.abs(ms - step * aloneMs) <= tolerance;
    });
    const answered = sorted.filter(({ observation }) => observation.answer.outcome !== 'no-answer').length;
    if (fits && stepOf(answered - 1) >= leastSteps) return size;
  }
  return undefined;
}

function slowestOf(measured: readonly Measurement[]): number {
  return Math.max(...measured.map(({ ms }) => ms));
}

/** Not accepted, although within the time limit. */
function isFailed({ accepted, slow, observation }: Measurement): boolean {
  return !accepted && !slow && observation.answer.outcome !== 'no-answer';
}
