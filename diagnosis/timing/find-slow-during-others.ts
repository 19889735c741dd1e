import type { Connection } from '../connection.ts';
import type { ProbeOutcome } from '../outcome.ts';
import { typicalEvent } from './event-kinds.ts';
import { formatMs } from '../format-ms.ts';
import type { Measurement, Stopwatch } from './stopwatch.ts';

/** Events that may take longer than a lookup, as in the checks. */
const otherTypes = ['FinishedCall', 'FormSubmitted', 'AppointmentCreated'] as const;

/** One event of each type that may take longer than a lookup; none where all have the same limit. */
export function eventsOfOtherTypes({ surface, session: { sample } }: Connection): Record<string, unknown>[] {
  return surface === 'crm-webhook' ? otherTypes.map((type) => ({ ...sample.crmEvent(type) })) : [];
}

/** Finds another event during which the endpoint answers a lookup too late, though it is quick by itself. */
export async function findSlowDuringOthers(
  connection: Connection,
  watch: Stopwatch,
): Promise<ProbeOutcome | undefined> {
  if (connection.surface !== 'crm-webhook') return undefined;
  const { sample } = connection.session;
  for (const type of otherTypes) {
    const during = (what: string) =>
      watch.take(what, typicalEvent(connection), { ahead: { ...sample.crmEvent(type) } });
    const what = `a lookup while a ${type} is in flight`;
    const first = await during(what);
    if (!first.slow) continue;
    // Chance would not follow this order.
    const slowOnes = [first];
    const alone: Measurement[] = [];
    for (const isDuring of [true, false, false, true, false]) {
      if (isDuring) slowOnes.push(await during(`${what}, again`));
      else alone.push(await watch.take('a typical event', typicalEvent(connection)));
    }
    if (slowOnes.every(({ slow }) => slow) && alone.every(({ slow }) => !slow)) {
      const aloneMs = Math.max(...alone.map(({ ms }) => ms));
      const summary = `A lookup takes ${formatMs(first.ms)} while a ${type} is in flight, and ${formatMs(aloneMs)} by itself; the limit is ${formatMs(watch.limitMs)}.`;
      return { found: { id: 'timing/slow-during-other-events', summary }, suspects: [], passed: [], seen: watch.seen };
    }
    const why = 'Equal events take different times.';
    return { suspects: [{ id: 'timing/at-random', why }], passed: [], seen: watch.seen };
  }
  return undefined;
}
