import type { ProcessorWait } from '../harness/wire/processor-wait.ts';

/** Milliseconds of reports that are judged together: long enough that the start of one check does not decide. */
const judgedMs = 5_000;
/** Share of its active time that a check waits for a processor from which there are too many: each turn takes four times as long. */
const tooMuchWaiting = 0.75;
/** Share below which one more is tried. */
const littleWaiting = 0.5;
/** Active milliseconds below which the reports say nothing. */
const leastActiveMs = 200;

/**
 * The number of checks that run at the same time. It begins with the number of processors, and follows the share of their
 * active time in which the checks wait for a processor, as they measure it themselves.
 */
export class Concurrency {
  #limit: number;
  readonly #most: number;
  #activeMs = 0;
  #waitedMs = 0;
  #judgedAt: number;

  constructor({ processors, most, now }: { processors: number; most: number; now: number }) {
    this.#limit = Math.min(processors, most);
    this.#most = most;
    this.#judgedAt = now;
  }

  get limit(): number {
    return this.#limit;
  }

  /**
   * Adds a report of a check.
   *
   * @param running number of checks that run; one more is tried only if all places are in use
   */
  report({ activeMs, waitedMs }: ProcessorWait, running: number, now: number): void {
    this.#activeMs += activeMs;
    this.#waitedMs += waitedMs;
    if (now - this.#judgedAt < judgedMs || this.#activeMs < leastActiveMs) return;
    const share = this.#waitedMs / this.#activeMs;
    if (share > tooMuchWaiting) this.#limit = Math.max(1, Math.min(this.#limit, running) - 1);
    else if (share < littleWaiting && running >= this.#limit) this.#limit = Math.min(this.#most, this.#limit + 1);
    this.#activeMs = this.#waitedMs = 0;
    this.#judgedAt = now;
  }

  /** A check could not be judged because this machine was too slow. */
  tooSlow(): void {
    this.#limit = Math.max(1, this.#limit - 1);
  }
}
