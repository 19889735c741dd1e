import { parseJson } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { JsonObject } from '../../specs/json-value.ts';
import { emptyOutcome, type ProbeOutcome, type Probe } from '../outcome.ts';
import type { Connection } from '../connection.ts';
import { eventKinds, typicalEvent } from './event-kinds.ts';
import { findAlwaysSlow } from './find-always-slow.ts';
import { findPool } from './find-pool.ts';
import { findRhythm, firstSlow } from './find-rhythm.ts';
import { findSlowDuringOthers } from './find-slow-during-others.ts';
import { formatMs } from '../format-ms.ts';
import { Stopwatch, type Measurement } from './stopwatch.ts';

/** Number of quick events after which a slow first event is attributed to start-up. */
const enoughQuick = 12;

/**
 * Determines when answers of the CRM webhook or of an own-AI chat are late: always, at first, on new connections, for some
 * callers, types or sizes, or under concurrency (interface: Limits). Other surfaces have no such limit.
 */
export const diagnoseTiming: Probe = async (connection) => {
  const { surface, limitMs } = connection;
  if ((surface !== 'crm-webhook' && surface !== 'own-ai-chat') || limitMs === undefined) return emptyOutcome;
  const watch = new Stopwatch(connection, limitMs);
  const earlier = watch.earlier();
  await connection.release();
  const first = await watch.take('an event on a new connection', typicalEvent(connection));
  const isTimed = (one: Measurement) => one.accepted || one.observation.answer.outcome === 'no-answer';
  // The time of a refused or broken answer is meaningless.
  if (!isTimed(first)) return { ...emptyOutcome, seen: watch.seen };
  const second = await watch.take('the next event', typicalEvent(connection));
  if (!isTimed(second)) return { ...emptyOutcome, seen: watch.seen };
  if (first.slow && second.slow) return await findAlwaysSlow(connection, watch, [first, second]);
  if (first.slow || second.slow) return await findRhythm(connection, watch, [first, second]);
  const byKind = await findSlowKind(connection, watch, earlier);
  if (byKind) return byKind;
  const duringOthers = await findSlowDuringOthers(connection, watch);
  if (duringOthers) return duringOthers;
  const together = await findPool(connection, watch, Math.max(first.ms, second.ms));
  if (together.found || together.suspects.length > 0) return together;
  const before = [...earlier, first, second];
  if (earlier[0]?.slow === true) {
    const othersQuick = before.slice(1).every(({ slow }) => !slow);
    const found = othersQuick && before.length > enoughQuick ? firstSlow(before) : undefined;
    const why = 'An event was slow before the timing checks, and none since.';
    return { ...together, found, suspects: found ? [] : [{ id: 'timing/at-random', why }] };
  }
  const passed = [
    `Single events are answered within ${formatMs(Math.max(first.ms, second.ms))}; the limit is ${formatMs(limitMs)}.`,
    ...together.passed,
  ];
  return { ...together, passed };
};

/** Finds a kind of event that is slow while typical ones are not; `earlier` ones in time are not sent again. */
async function findSlowKind(
  connection: Connection,
  watch: Stopwatch,
  earlier: readonly Measurement[],
): Promise<ProbeOutcome | undefined> {
  const inTime = earlier.filter(({ slow, uncertain }) => !slow && !uncertain).flatMap(eventOf);
  for (const { what, event, slower, includes } of eventKinds(connection)) {
    if (slower === undefined || (includes && inTime.some(includes))) continue;
    const kind = await watch.take(what, event());
    if (!kind.slow) continue;
    // Neither alternating instances nor chance would follow this order.
    const slowOnes = [kind];
    const usual: Measurement[] = [];
    for (const isKind of [true, true, false, false, true, false]) {
      if (isKind) slowOnes.push(await watch.take(`${what}, again`, event()));
      else usual.push(await watch.take('a typical event', typicalEvent(connection)));
    }
    if (slowOnes.every(({ slow }) => slow) && usual.every(({ slow }) => !slow)) {
      const usualMs = Math.max(...usual.map(({ ms }) => ms));
      const text = `${what.charAt(0).toUpperCase()}${what.slice(1)} takes ${formatMs(kind.ms)}${sizeOf(kind)}, and a typical event takes ${formatMs(usualMs)}; the limit is ${formatMs(watch.limitMs)}.`;
      return { found: { id: slower, summary: text }, suspects: [], passed: [], seen: watch.seen };
    }
    const why = 'Equal events take different times.';
    return { suspects: [{ id: 'timing/at-random', why }], passed: [], seen: watch.seen };
  }
  return undefined;
}

function eventOf({ observation: { request } }: Measurement): JsonObject[] {
  const parsed = parseJson(request.body);
  return 'value' in parsed && isJsonObject(parsed.value) ? [parsed.value] : [];
}

/** The size of a large event, in parentheses. */
function sizeOf({ observation: { request } }: Measurement): string {
  const kilobytes = Math.round(request.body.length / 1000);
  return kilobytes < 10 ? '' : ` (${kilobytes} KB)`;
}
