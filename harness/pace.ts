import { sharedLanes } from './gate.ts';
import { header, type Answer } from './observation.ts';

/** An answer that takes this long (ms) takes one lane; a slower one takes more, so that fewer are in the air. */
const quickMs = 400;
/** Answers whose times decide how many exchanges are in the air. */
const remembered = 5;
/** Milliseconds to wait when the endpoint asks for a pause and does not say how long, and the most that is waited. */
const pauseMs = 1_000;
const longestPauseMs = 10_000;

/**
 * How many exchanges one address gets at once. It begins with one, and goes on with as many as its answers are quick,
 * so that an endpoint which does one thing at a time is not kept waiting by ourselves.
 */
export class Pace {
  readonly #times = new Map<string, number[]>();

  /** Lanes that the next exchange with this address takes. */
  lanes(url: string): number {
    const times = this.#times.get(url);
    return times === undefined ? sharedLanes : Math.ceil(Math.max(...times) / quickMs);
  }

  /** Books how long an answer took, in milliseconds; no answer counts as the whole patience. */
  took(url: string, ms: number): void {
    this.#times.set(url, [...(this.#times.get(url) ?? []), ms].slice(-remembered));
  }
}

/**
 * Milliseconds that an answer asks to be left alone for (429, or 503 with Retry-After; RFC 6585, RFC 9110 10.2.3).
 * `undefined` for any other answer. Our traffic is denser than the service's, so this is not held against anybody.
 */
export function askedPause(answer: Answer): number | undefined {
  if (answer.outcome !== 'answered') return undefined;
  const after = header(answer, 'retry-after');
  if (answer.status !== 429 && !(answer.status === 503 && after !== undefined)) return undefined;
  const seconds = Number(after ?? Number.NaN);
  return Math.min(
    Number.isFinite(seconds) && seconds >= 0 ? Math.max(seconds * 1000, pauseMs / 4) : pauseMs,
    longestPauseMs,
  );
}
