/** Milliseconds between two ticks. */
const tickMs = 5;
/** Part of the events that may be handled later than {@link OwnLag.end} returns. */
const rarePart = 0.01;

/** Measures how late this process handles its events. */
export class OwnLag {
  readonly #from = performance.now();
  readonly #stallsMs: number[] = [];
  #expected = this.#from + tickMs;
  readonly #timer = setInterval(() => this.#tick(), tickMs);

  #tick(): void {
    const now = performance.now();
    if (now - this.#expected > tickMs) this.#stallsMs.push(now - this.#expected);
    this.#expected = now + tickMs;
  }

  /**
   * Ends the measurement and returns the 99th percentile of the delays in milliseconds: 1 % of events that come at any
   * time are handled later.
   */
  end(): number {
    this.#tick();
    clearInterval(this.#timer);
    const rareMs = (performance.now() - this.#from) * rarePart;
    return Math.round(delayOfMost(this.#stallsMs, rareMs) * 10) / 10;
  }
}

/**
 * The delay that all events but those of `rareMs` milliseconds stay within. An event within a stall waits until its end, so a
 * long stall delays more events than a short one.
 */
export function delayOfMost(stallsMs: readonly number[], rareMs: number): number {
  const longestFirst = stallsMs.toSorted((a, b) => b - a);
  let sum = 0;
  for (const [at, stall] of longestFirst.entries()) {
    sum += stall;
    // The time in which an event would wait longer than the next stall lasts.
    const next = longestFirst[at + 1] ?? 0;
    if (sum - (at + 1) * next >= rareMs) return Math.max(0, (sum - rareMs) / (at + 1));
  }
  return 0;
}
