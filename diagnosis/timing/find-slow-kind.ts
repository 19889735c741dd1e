import { parseJson } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { JsonObject } from '../../specs/json-value.ts';
import type { ProbeOutcome } from '../outcome.ts';
import type { Connection } from '../connection.ts';
import { eventKinds, typicalEvent } from './event-kinds.ts';
import { formatMs } from '../format-ms.ts';
import type { Stopwatch, Measurement } from './stopwatch.ts';

/** Finds a kind of event that is slow while typical ones are not; `earlier` ones in time are not sent again. */
export async function findSlowKind(
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

/** The event of a measurement, as an object; empty if it is not one. */
export function eventOf({ observation: { request } }: Measurement): JsonObject[] {
  const parsed = parseJson(request.body);
  return 'value' in parsed && isJsonObject(parsed.value) ? [parsed.value] : [];
}

/** The size of a large event, in parentheses. */
function sizeOf({ observation: { request } }: Measurement): string {
  const kilobytes = Math.round(request.body.length / 1000);
  return kilobytes < 10 ? '' : ` (${kilobytes} KB)`;
}
