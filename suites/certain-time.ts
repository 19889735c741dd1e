import type { CheckKit } from '../harness/checks/check.ts';
import { currentRecord } from '../harness/checks/check-record.ts';
import type { CallObservation, Observation } from '../harness/wire/observation.ts';
import {
  isUncertainByProxy,
  measuredTime,
  timelinessOf,
  type MeasuredTime,
  type Timeliness,
} from '../harness/wire/timeliness.ts';

/** Maximum number of measurements of one time: on a busy machine more do not help, and each is a request. */
const mostMeasurements = 4;
/** The same if only the share of the proxy decides, which a quiet moment does not change. */
const mostBehindProxy = 2;

/**
 * Measures, and repeats the measurement in a quiet moment if our own delay or that of the proxy decides the result. A
 * measurement that stays uncertain is returned unchanged, and the judge rejects it. `timesOf` gives the times of one
 * measurement; several that belong together are measured again together.
 */
export async function untilCertain<T>(
  { session }: Pick<CheckKit, 'session'>,
  measure: () => Promise<T>,
  timesOf: (measured: T) => readonly (MeasuredTime | undefined)[],
): Promise<T> {
  for (let nth = 1; ; nth++) {
    const measured = await measure();
    const times = timesOf(measured);
    if (overallTimeliness(times) !== 'uncertain') return measured;
    const isByProxy = times.every((time) => !time || timelinessOf(time) !== 'uncertain' || isUncertainByProxy(time));
    if (nth >= (isByProxy ? mostBehindProxy : mostMeasurements)) return measured;
    await session.quietMoment();
  }
}

/** Measures one exchange with a limit; its time becomes a sample of this name if it is certain. */
export async function timed<T extends Observation | CallObservation>(
  kit: Pick<CheckKit, 'session'>,
  sample: string,
  send: () => Promise<T>,
): Promise<T> {
  const [exchange] = await timedTogether(kit, sample, async () => [await send()]);
  return exchange as T;
}

/** Several exchanges at once, as {@link timed}; those that are late for certain come first. */
export async function timedTogether<T extends Observation | CallObservation>(
  kit: Pick<CheckKit, 'session'>,
  sample: string,
  send: () => Promise<T[]>,
): Promise<T[]> {
  const exchanges = await untilCertain(kit, send, (all) => all.map(measuredTime));
  for (const exchange of exchanges) {
    if (exchange.times.totalMs !== null) recordTime(sample, measuredTime(exchange));
  }
  return lateFirst(exchanges, measuredTime);
}

/** Records a time for the report, unless our own delay decides about it. */
export function recordTime(name: string, time: MeasuredTime | undefined): void {
  if (!time || timelinessOf(time) === 'uncertain') return;
  currentRecord()?.samples.push({ name, limit: time.limitMs, ms: time.ms });
}

/** Whether a delivery was answered in time for certain, with whatever status. */
export function isInTime(delivery: Observation): boolean {
  const time = measuredTime(delivery);
  return delivery.answer.outcome === 'answered' && time !== undefined && timelinessOf(time) === 'in-time';
}

/** Those that are late for certain come first: they decide, whatever is uncertain about others. */
export function lateFirst<T>(measured: readonly T[], timeOf: (one: T) => MeasuredTime | undefined): T[] {
  const isLate = (one: T) => {
    const time = timeOf(one);
    return time !== undefined && timelinessOf(time) === 'late';
  };
  return measured.toSorted((a, b) => Number(isLate(b)) - Number(isLate(a)));
}

function overallTimeliness(times: readonly (MeasuredTime | undefined)[]): Timeliness {
  const all = times.map((time) => time && timelinessOf(time));
  if (all.includes('late')) return 'late';
  return all.includes('uncertain') ? 'uncertain' : 'in-time';
}
