import { sharedLanes } from './traffic-gate.ts';
import { header, type Answer } from './observation.ts';

/** Milliseconds of an answer per lane: slower answers occupy more lanes, so fewer exchanges run concurrently. */
const quickMs = 400;
/** Number of latest answers that determine the concurrency. */
const remembered = 5;
/** Pause in milliseconds if the endpoint does not state a duration, and the minimum pause. */
const usualPauseMs = 1_000;
const shortestPauseMs = 250;
/** Maximum pause of a diagnosis in milliseconds; it does not wait longer for one answer. */
export const longestDiagnosisPauseMs = 10_000;
/**
 * Controls the number of concurrent exchanges with one address. It begins with one and adapts to the answer times, so
 * that an endpoint which processes requests sequentially is not overloaded by us.
 */
export class Pace {
  readonly #times = new Map<string, number[]>();
  readonly #refusals = new Map<string, number>();

  /** Lanes for the next exchange with this address. */
  lanes(url: string): number {
    const times = this.#times.get(url);
    return times === undefined ? sharedLanes : Math.ceil(Math.max(...times) / quickMs);
  }

  /**
   * Lanes for a delivery that should be rejected: all of them while rejections are quick, so that it is the only
   * suspect if it stops the process. If rejections are slow or silent, they are awaited concurrently.
   */
  lanesForRefusal(url: string): number {
    return (this.#refusals.get(url) ?? 0) <= quickMs ? sharedLanes : this.lanes(url);
  }

  /** Records the time of a rejection in milliseconds; no answer counts as the whole timeout. */
  bookRefusal(url: string, ms: number): void {
    this.#refusals.set(url, ms);
  }

  /** Records the time of an answer in milliseconds; no answer counts as the whole timeout. */
  bookAnswer(url: string, ms: number): void {
    this.#times.set(url, [...(this.#times.get(url) ?? []), ms].slice(-remembered));
  }
}

/**
 * Pause in milliseconds that an answer requests (429, or 503 with Retry-After; RFC 6585, RFC 9110 10.2.3). `undefined`
 * for any other answer. Our traffic is denser than the service's, so no endpoint fails for it.
 */
export function requestedPauseMs(answer: Answer, now = Date.now()): number | undefined {
  if (answer.outcome !== 'answered') return undefined;
  const after = header(answer, 'retry-after');
  if (answer.status !== 429 && !(answer.status === 503 && after !== undefined)) return undefined;
  const asked = Number.isFinite(Number(after)) ? Number(after) * 1000 : Date.parse(after ?? '') - now;
  return asked >= 0 ? Math.max(asked, shortestPauseMs) : usualPauseMs;
}
