import { sharedLanes } from './gate.ts';
import { header, type Answer } from './observation.ts';

/** An answer that takes this long (ms) takes one lane; a slower one takes more, so that fewer are in the air. */
const quickMs = 400;
/** Answers whose times decide how many exchanges are in the air. */
const remembered = 5;
/** Milliseconds to wait when the endpoint asks for a pause and does not say how long, and the least that is waited. */
const usualPauseMs = 1_000;
const shortestPauseMs = 250;
/** Milliseconds of the longest pause in a diagnosis, which has no more time than this to wait for one answer. */
export const longestDiagnosisPauseMs = 10_000;
/**
 * How many exchanges one address gets at once. It begins with one, and goes on with as many as its answers are quick,
 * so that an endpoint which does one thing at a time is not kept waiting by ourselves.
 */
export class Pace {
  readonly #times = new Map<string, number[]>();
  readonly #refusals = new Map<string, number>();

  /** Lanes that the next exchange with this address takes. */
  lanes(url: string): number {
    const times = this.#times.get(url);
    return times === undefined ? sharedLanes : Math.ceil(Math.max(...times) / quickMs);
  }

  /**
   * Lanes that a delivery takes which is to be refused: all of them while refusals are quick. Should the delivery stop the
   * process, it is the only one in flight then. Where refusals are slow, or silent, they are waited for side by side.
   */
  lanesForRefusal(url: string): number {
    return (this.#refusals.get(url) ?? 0) <= quickMs ? sharedLanes : this.lanes(url);
  }

  /** Books how long a refusal took, in milliseconds; no answer counts as the whole timeout. */
  bookRefusal(url: string, ms: number): void {
    this.#refusals.set(url, ms);
  }

  /** Books how long an answer took, in milliseconds; no answer counts as the whole patience. */
  bookAnswer(url: string, ms: number): void {
    this.#times.set(url, [...(this.#times.get(url) ?? []), ms].slice(-remembered));
  }
}

/**
 * Milliseconds that an answer asks to be left alone for (429, or 503 with Retry-After; RFC 6585, RFC 9110 10.2.3).
 * `undefined` for any other answer. Our traffic is denser than the service's, so no endpoint fails for it.
 */
export function requestedPauseMs(answer: Answer, now = Date.now()): number | undefined {
  if (answer.outcome !== 'answered') return undefined;
  const after = header(answer, 'retry-after');
  if (answer.status !== 429 && !(answer.status === 503 && after !== undefined)) return undefined;
  const asked = Number.isFinite(Number(after)) ? Number(after) * 1000 : Date.parse(after ?? '') - now;
  return asked >= 0 ? Math.max(asked, shortestPauseMs) : usualPauseMs;
}
