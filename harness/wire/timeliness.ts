import { HarnessFault } from '../checks/faults.ts';
import type { Answer, Times } from './observation.ts';

/** How a measured time compares with a limit. */
export type Timeliness = 'in-time' | 'late' | 'uncertain';

/** A time as it was measured, and how much of it may be our own delay, in milliseconds. */
export interface MeasuredTime {
  ms: number;
  lagMs: number;
  limitMs: number;
}

/**
 * Our own delay can only lengthen what we measure. So what is within the limit as measured is in time for certain, and
 * what is beyond it even without our delay is late for certain. In between nothing is known: such a time must be
 * measured again, and never passes or fails.
 */
export function timelinessOf({ ms, lagMs, limitMs }: MeasuredTime): Timeliness {
  if (ms <= limitMs) return 'in-time';
  return ms - lagMs > limitMs ? 'late' : 'uncertain';
}

/** The time of an exchange that has a limit; `undefined` where it shows none: without a limit, refused or broken off. */
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

/** The fault of a time that is neither in time nor late for certain. */
export function ownDelayFault({ ms, lagMs, limitMs }: MeasuredTime): HarnessFault {
  return new HarnessFault(
    'own-delay',
    `Not timed: ${Math.round(ms)} ms were measured with a limit of ${limitMs} ms, and our own process was delayed by up to ${Math.ceil(lagMs)} ms of them. Run again on a machine that is less busy.`,
  );
}
