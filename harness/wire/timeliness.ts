import { HarnessFault } from '../checks/faults.ts';
import type { Answer, Times } from './observation.ts';

/** How a measured time compares with a limit. */
export type Timeliness = 'in-time' | 'late' | 'uncertain';

/** A measured time and the upper bound of the delay in it by us and by our proxy, in milliseconds. */
export interface MeasuredTime {
  ms: number;
  lagMs: number;
  /** The part of `lagMs` that is the share of the proxy. */
  proxyMs?: number | undefined;
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
  return ms === null || limitMs === undefined ? undefined : { ms, lagMs: times.lagMs, proxyMs: times.proxyMs, limitMs };
}

/** Whether an uncertain time is so because of the proxy: our own delay does not make the difference. */
export function isUncertainByProxy({ ms, lagMs, proxyMs = 0, limitMs }: MeasuredTime): boolean {
  return ms - (lagMs - proxyMs) > limitMs;
}

/** The fault of an uncertain time: `proxy-delay` if the share of the proxy decides, otherwise `own-delay`. */
export function ownDelayFault(time: MeasuredTime): HarnessFault {
  const { ms, lagMs, proxyMs = 0, limitMs } = time;
  if (isUncertainByProxy(time)) return new HarnessFault('proxy-delay', { ms, limitMs, proxyMs });
  return new HarnessFault('own-delay', { ms, limitMs, lagMs });
}
