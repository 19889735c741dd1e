import { nothingSeen, type Outcome, type Probe } from '../outcome.ts';
import type { Connection } from '../connection.ts';
import { eventKinds, usualEvent } from './event-kinds.ts';
import { findAlwaysSlow } from './find-always-slow.ts';
import { findPool } from './find-pool.ts';
import { findRhythm, firstSlow } from './find-rhythm.ts';
import { shownMs, Stopwatch, type Taken } from './stopwatch.ts';

/** Events sent before and here after which one slow first event was the first's own. */
const enoughQuick = 12;

/**
 * When the answers of the CRM webhook or of an own-AI chat come too late: always, at first, on new connections, for
 * some callers, types or sizes, or at once (interface: Limits). Other surfaces have no such limit.
 */
export const diagnoseTiming: Probe = async (connection) => {
  const { surface, limitMs } = connection;
  if ((surface !== 'crm-webhook' && surface !== 'own-ai-chat') || limitMs === undefined) return nothingSeen;
  const watch = new Stopwatch(connection, limitMs);
  const earlier = watch.earlier();
  await connection.release();
  const first = await watch.take('an event on a new connection', usualEvent(connection));
  const gaveAnswer = (one: Taken) => one.accepted || one.observation.answer.outcome === 'no-answer';
  // What is refused or broken says nothing about the time of an answer.
  if (!gaveAnswer(first)) return { ...nothingSeen, seen: watch.seen };
  const second = await watch.take('the next event', usualEvent(connection));
  if (!gaveAnswer(second)) return { ...nothingSeen, seen: watch.seen };
  if (first.slow && second.slow) return await findAlwaysSlow(connection, watch, [first, second]);
  if (first.slow || second.slow) return await findRhythm(connection, watch, [first, second]);
  const byKind = await findSlowKind(connection, watch);
  if (byKind) return byKind;
  const together = await findPool(connection, watch, Math.max(first.ms, second.ms));
  if (together.found || together.suspects.length > 0) return together;
  const before = [...earlier, first, second];
  if (earlier[0]?.slow === true) {
    const othersQuick = before.slice(1).every(({ slow }) => !slow);
    const found = othersQuick && before.length > enoughQuick ? firstSlow(before) : undefined;
    const why = 'An event was slow before this diagnosis looked at times, and none since.';
    return { ...together, found, suspects: found ? [] : [{ id: 'timing/at-random', why }] };
  }
  const fine = [
    `Single events are answered within ${shownMs(Math.max(first.ms, second.ms))}; the limit is ${shownMs(limitMs)}.`,
    ...together.fine,
  ];
  return { ...together, fine };
};

/** The kind of event that is slow where usual ones are not. */
async function findSlowKind(connection: Connection, watch: Stopwatch): Promise<Outcome | undefined> {
  for (const { what, event, slower } of eventKinds(connection)) {
    if (slower === undefined) continue;
    const kind = await watch.take(what, event());
    if (!kind.slow) continue;
    // Instances that take turns would not keep to this order, nor would chance.
    const slowOnes = [kind];
    const usual: Taken[] = [];
    for (const isKind of [true, true, false, false, true, false]) {
      if (isKind) slowOnes.push(await watch.take(`${what}, again`, event()));
      else usual.push(await watch.take('a usual event', usualEvent(connection)));
    }
    if (slowOnes.every(({ slow }) => slow) && usual.every(({ slow }) => !slow)) {
      const usualMs = Math.max(...usual.map(({ ms }) => ms));
      const text = `${what.charAt(0).toUpperCase()}${what.slice(1)} takes ${shownMs(kind.ms)}${sizeOf(kind)}, and a usual event takes ${shownMs(usualMs)}; the limit is ${shownMs(watch.limitMs)}.`;
      return { found: { id: slower, text }, suspects: [], fine: [], seen: watch.seen };
    }
    const why = 'Times of equal events differ from one to the next.';
    return { suspects: [{ id: 'timing/at-random', why }], fine: [], seen: watch.seen };
  }
  return undefined;
}

/** Bytes of an event, where they are many. */
function sizeOf({ observation: { request } }: Taken): string {
  const kilobytes = Math.round(request.body.length / 1000);
  return kilobytes < 10 ? '' : ` (${kilobytes} KB)`;
}
