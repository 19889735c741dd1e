import { HarnessFault } from '../checks/faults.ts';
import type { Answer, Times } from './observation.ts';

/** How a measured time compares with a limit. */
export type Timeliness = 'in-time' | 'late' | 'uncertain';

/** A measured time and the upper bound of our own delay in it, in milliseconds. */
export interface MeasuredTime {
  ms: number;
  lagMs: number;
  limitMs: number;
}

/**
 * Compares a time with its limit. Our own delay can only lengthen it: a measured time within the limit is in time, and
 * one that exceeds it even without our delay is late. In between it is uncertain, must be measured again, and never
 * passes or fails.
 */
export function timelinessOf({ ms, lagMs, limitMs }: MeasuredTime): Timeliness {
  if (ms <= limitMs) return 'in-time';
  return ms - lagMs > limitMs ? 'late' : 'uncertain';
}

/** The time of an exchange with a limit; `undefined` without a limit, or if the connection was refused or aborted. */
export function measuredTime({
  answer,
  times,
  limitMs,
}: {
  answer: Answer;
  times: Times;
  limitMs?: number;
}): MeasuredTime | undefined {
  const ms = times.totalMs ?? (answer.outcome === 'no-answer' ? answer.afterMs : null);
  return ms === null || limitMs === undefined ? undefined : { ms, lagMs: times.lagMs, limitMs };
}

/** The fault of an uncertain time. */
export function ownDelayFault({ ms, lagMs, limitMs }: MeasuredTime): HarnessFault {
  return new HarnessFault('own-delay', { ms, limitMs, lagMs });
}
