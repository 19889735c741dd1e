import { HarnessFault } from '../checks/faults.ts';
import { header, type Answer } from './observation.ts';
import { requestedPauseMs } from './pace.ts';

/** Pauses in a row, each as long as the address asked for, after which it gets no further one. */
const pausesInARow = 5;
/** Milliseconds of all these pauses together: limits are usually per minute, and the run must end. */
const longestWaitMs = 60_000;

interface Limited {
  /** `performance.now()` until which nothing is sent. */
  until: number;
  pauses: number;
  waitedMs: number;
  /** Why no further pause is given. */
  gaveUp?: HarnessFault;
}

/**
 * Remembers which addresses ask for pauses (429, or 503 with Retry-After), for all deliveries to them. Without Retry-After
 * each pause in a row is twice as long as the one before.
 */
export class Throttling {
  readonly #addresses = new Map<string, Limited>();

  /** Throws {@link HarnessFault} `target-throttles` when a further delivery is of no use. */
  before(url: string): void {
    const gaveUp = this.#addresses.get(url)?.gaveUp;
    if (gaveUp) throw new HarnessFault(gaveUp.code, `Not tried: ${gaveUp.message}`);
  }

  /** Deliveries to this address go out one at a time: the latest answer asked for a pause. */
  isLimited(url: string): boolean {
    return this.#addresses.has(url);
  }

  /** Milliseconds until the pause of this address is over. */
  remainingMs(url: string): number {
    return Math.max(0, (this.#addresses.get(url)?.until ?? 0) - performance.now());
  }

  /** Waits until the pause of this address is over; a timer may fire a little early. */
  async pause(url: string): Promise<void> {
    for (let ms = this.remainingMs(url); ms > 0; ms = this.remainingMs(url)) {
      await new Promise((wake) => setTimeout(wake, ms));
    }
  }

  /**
   * Books an answer; `sentAt` is `performance.now()` of its request. `true` when the request is to be sent again after a
   * pause. Throws as {@link before} when pauses did not help, or one is asked for that is too long.
   */
  book(url: string, answer: Answer, sentAt: number): boolean {
    const askedMs = requestedPauseMs(answer);
    const known = this.#addresses.get(url);
    if (askedMs === undefined || answer.outcome !== 'answered') {
      // What was sent before the pause was over does not show that it is.
      if (known && known.gaveUp === undefined && sentAt >= known.until) this.#addresses.delete(url);
      return false;
    }
    const limited = known ?? { until: 0, pauses: 0, waitedMs: 0 };
    this.#addresses.set(url, limited);
    const { status } = answer;
    const isStated = header(answer, 'retry-after') !== undefined;
    const leftMs = longestWaitMs - limited.waitedMs;
    const pauseMs = isStated ? askedMs : Math.min(askedMs * 2 ** limited.pauses, leftMs);
    if (isStated && pauseMs > leftMs) {
      const more = limited.waitedMs > 0 ? ' more' : '';
      throw this.#giveUp(
        limited,
        `${url} answered ${status} and asked for a pause of ${Math.round(pauseMs / 1000)} s (Retry-After); this run waits at most ${leftMs / 1000} s${more}.`,
      );
    }
    // Requests that were in flight together are answered alike: one pause serves all of them.
    if (sentAt < limited.until) return true;
    if (isStated ? limited.pauses >= pausesInARow : leftMs === 0) {
      const waited = Math.round(limited.waitedMs / 100) / 10;
      throw this.#giveUp(
        limited,
        `${url} still answered ${status} after ${limited.pauses} pauses, ${waited} s in total.`,
      );
    }
    limited.pauses++;
    limited.waitedMs += pauseMs;
    limited.until = performance.now() + pauseMs;
    return true;
  }

  #giveUp(limited: Limited, what: string): HarnessFault {
    limited.gaveUp ??= new HarnessFault(
      'target-throttles',
      `${what} Raise the request limit for the test address, or exempt it for this run.`,
    );
    return limited.gaveUp;
  }
}
