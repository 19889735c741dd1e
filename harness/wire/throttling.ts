import { HarnessFault } from '../checks/faults.ts';
import { header, type Answer } from './observation.ts';
import { requestedPauseMs } from './requested-pause.ts';

/** Maximum consecutive pauses of the requested duration. */
const pausesInARow = 5;
/** Maximum total of these pauses in milliseconds: limits are usually per minute, and the run must end. */
const longestWaitMs = 60_000;

/** Longest pause in milliseconds that a delivery with `returnsPauses` causes. */
const longestPostponementMs = 10_000;

interface Limited {
  /** `performance.now()` at the end of the pause. */
  until: number;
  pauses: number;
  waitedMs: number;
  /** Set when no further pause is granted. */
  gaveUp?: HarnessFault;
}

/**
 * Tracks which addresses request pauses (429, or 503 with Retry-After), for all deliveries to them. Without Retry-After
 * each consecutive pause is twice as long as the previous one.
 */
export class Throttling {
  readonly #addresses = new Map<string, Limited>();

  /** Throws {@link HarnessFault} `target-throttles` when another delivery is pointless. */
  before(url: string): void {
    const gaveUp = this.#addresses.get(url)?.gaveUp;
    if (gaveUp) throw new HarnessFault('target-throttles:not-tried', { reason: gaveUp.message, pause: gaveUp.pause });
  }

  /** Whether deliveries to this address are sent one at a time: the latest answer requested a pause. */
  isLimited(url: string): boolean {
    return this.#addresses.has(url);
  }

  /** Milliseconds until the pause of this address ends. */
  remainingMs(url: string): number {
    return Math.max(0, (this.#addresses.get(url)?.until ?? 0) - performance.now());
  }

  /** Waits until the pause of this address ends; timers may fire slightly early. */
  async pause(url: string): Promise<void> {
    for (let ms = this.remainingMs(url); ms > 0; ms = this.remainingMs(url)) {
      await new Promise((wake) => setTimeout(wake, ms));
    }
  }

  /** Grants the pause that this answer requests, if any, before the next delivery; it never gives the address up. */
  postpone(url: string, answer: Answer): void {
    const askedMs = requestedPauseMs(answer);
    if (askedMs === undefined) return;
    const limited = this.#addresses.get(url) ?? { until: 0, pauses: 0, waitedMs: 0 };
    this.#addresses.set(url, limited);
    limited.until = Math.max(limited.until, performance.now() + Math.min(askedMs, longestPostponementMs));
  }

  /**
   * Records an answer; `sentAt` is `performance.now()` of its request. `true` when the request must be resent after a
   * pause. Throws like {@link before} when pauses did not help, or the requested one is too long.
   */
  book(url: string, answer: Answer, sentAt: number): boolean {
    const askedMs = requestedPauseMs(answer);
    const known = this.#addresses.get(url);
    if (askedMs === undefined || answer.outcome !== 'answered') {
      // Requests sent before the pause ended do not show that the limit is lifted.
      if (known && known.gaveUp === undefined && sentAt >= known.until) this.#addresses.delete(url);
      return false;
    }
    const limited = known ?? { until: 0, pauses: 0, waitedMs: 0 };
    this.#addresses.set(url, limited);
    const { status } = answer;
    const isStated = header(answer, 'retry-after') !== undefined;
    const pause = { status, ...(isStated && { seconds: Math.round(askedMs / 1000) }) };
    const leftMs = longestWaitMs - limited.waitedMs;
    const pauseMs = isStated ? askedMs : Math.min(askedMs * 2 ** limited.pauses, leftMs);
    if (isStated && pauseMs > leftMs) {
      throw (limited.gaveUp ??= new HarnessFault('target-throttles:long-pause', {
        url,
        pause,
        leftSeconds: leftMs / 1000,
        hasWaited: limited.waitedMs > 0,
      }));
    }
    // Concurrent requests get the same answer: one pause covers all of them.
    if (sentAt < limited.until) return true;
    if (isStated ? limited.pauses >= pausesInARow : leftMs === 0) {
      throw (limited.gaveUp ??= new HarnessFault('target-throttles:after-pauses', {
        url,
        pause,
        pauses: limited.pauses,
        waitedSeconds: Math.round(limited.waitedMs / 100) / 10,
      }));
    }
    limited.pauses++;
    limited.waitedMs += pauseMs;
    limited.until = performance.now() + pauseMs;
    return true;
  }
}
