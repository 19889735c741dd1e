import { emptyOutcome, type Probe } from '../outcome.ts';
import { typicalEvent } from './event-kinds.ts';
import { findAlwaysSlow } from './find-always-slow.ts';
import { findFailuresAtOnce } from './find-failures-at-once.ts';
import { findPool } from './find-pool.ts';
import { findQuick } from './find-quick.ts';
import { findRhythm, firstSlow } from './find-rhythm.ts';
import { findSlowDuringOthers } from './find-slow-during-others.ts';
import { eventOf, findSlowKind } from './find-slow-kind.ts';
import { formatMs } from '../format-ms.ts';
import { Stopwatch, type Measurement } from './stopwatch.ts';

/** Number of quick events after which a slow first event is attributed to start-up. */
const enoughQuick = 12;

/**
 * Determines when answers of the CRM webhook or of an own-AI chat are late: always, at first, on new connections, for some
 * callers, types or sizes, or under concurrency (interface: Limits). Appointment webhooks have no such limit: of them, only
 * failures under concurrency are found.
 */
export const diagnoseTiming: Probe = async (connection) => {
  const { surface, limitMs } = connection;
  if (surface === 'api-webhooks') return await findFailuresAtOnce(connection);
  if ((surface !== 'crm-webhook' && surface !== 'own-ai-chat') || limitMs === undefined) return emptyOutcome;
  const watch = new Stopwatch(connection, limitMs);
  const sent = watch.earlier();
  const accepted = sent.filter((one) => one.accepted);
  const unanswered = unansweredPing(sent);
  const earlier = unanswered ? [unanswered, ...accepted] : accepted;
  const quick = await findQuick(connection, watch, earlier);
  if (quick) return quick;
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
    const areOthersQuick = () => before.slice(1).every(({ slow }) => !slow);
    while (before.length <= enoughQuick && areOthersQuick())
      before.push(await watch.take('another event', typicalEvent(connection)));
    const found = areOthersQuick() ? firstSlow(before) : undefined;
    if (found && unanswered) {
      const why = `The first ping got no answer within ${formatMs(unanswered.ms)}, and all ${before.length - 1} events after it were in time.`;
      return { ...together, suspects: [{ id: found.id, why }] };
    }
    const why = 'An event was slow before the timing checks, and none since.';
    return { ...together, found, suspects: found ? [] : [{ id: 'timing/at-random', why }] };
  }
  const passed = [
    `Single events are answered within ${formatMs(Math.max(first.ms, second.ms))}; the limit is ${formatMs(limitMs)}.`,
    ...together.passed,
  ];
  return { ...together, passed };
};

/** The first event if it is a ping without an answer and a later one is accepted: the endpoint may have been starting. */
function unansweredPing([first, ...later]: readonly Measurement[]): Measurement | undefined {
  const isPing = (one: Measurement) => eventOf(one).some(({ type }) => type === 'ping');
  if (first?.observation.answer.outcome !== 'no-answer' || !isPing(first)) return undefined;
  return later.some((one) => one.accepted && isPing(one)) ? first : undefined;
}
