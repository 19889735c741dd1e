import type { Connection } from '../connection.ts';
import { formatMs } from '../format-ms.ts';
import type { ProbeOutcome } from '../outcome.ts';
import { typicalEvent } from './event-kinds.ts';
import { concurrentEvents } from './explain-failures-at-once.ts';
import { eventsOfOtherTypes } from './find-slow-during-others.ts';
import { eventOf, findSlowKind } from './find-slow-kind.ts';
import type { Measurement, Stopwatch } from './stopwatch.ts';

/** Events in time, after which typical ones are sent together at once. */
const enoughInTime = 3;

/**
 * The outcome if all events so far were in time, and events of all kinds are so at once: then they are alone as well.
 * Any other result says nothing yet.
 */
export async function findQuick(
  connection: Connection,
  watch: Stopwatch,
  earlier: readonly Measurement[],
): Promise<ProbeOutcome | undefined> {
  const isInTime = ({ slow, uncertain, accepted }: Measurement) => accepted && !slow && !uncertain;
  const events = earlier.filter((one) => eventOf(one).some(({ type }) => type !== 'ping'));
  // A late ping has no limit, but the first one may show what else is slow at first.
  const isLate = earlier.some(({ slow }) => slow);
  if (isLate || events.length < enoughInTime || !events.every(isInTime)) return undefined;
  const byKind = await findSlowKind(connection, watch, earlier);
  if (byKind) return byKind;
  const count = concurrentEvents(connection);
  const what = `${count} concurrent events`;
  const ahead = eventsOfOtherTypes(connection);
  const together = await watch.atOnce(
    ahead.length === 0 ? what : `${what} while other events are in flight`,
    Array.from({ length: count }, () => typicalEvent(connection)),
    ahead,
  );
  if (!together.every(isInTime)) return undefined;
  const slowestMs = Math.max(...events.map(({ ms }) => ms));
  const togetherMs = Math.max(...together.map(({ ms }) => ms));
  const passed = [
    `Single events are answered within ${formatMs(slowestMs)}; the limit is ${formatMs(watch.limitMs)}.`,
    `${what} are answered within ${formatMs(togetherMs)}; the limit is ${formatMs(watch.limitMs)}.`,
  ];
  return { suspects: [], passed, seen: watch.seen };
}
