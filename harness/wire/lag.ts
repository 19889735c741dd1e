/** Milliseconds between two ticks of the meter: fine enough to see a stall that matters beside a limit of 2 s. */
const tickMs = 5;
/** Milliseconds of delay in one turn that are not booked as a stall, at most: the tick before it, and one that was late. */
const unseenMs = 3 * tickMs;
/** Connecting, TLS and the upgrade. */
const dialTurns = 3;
/** Stalls remembered; older ones lie before any exchange still in the air. */
const rememberedStalls = 512;
/** Ticks remembered, at least: those of the last minute, which is longer than any exchange whose time is judged. */
const rememberedTicks = 12_000;
/** Milliseconds without any stall that count as a quiet moment. */
const quietMs = 100;
/** Milliseconds to wait for one: on a machine that is always busy there is none. */
const quietWithinMs = 3_000;

/**
 * Measures for how long this process itself was not able to run, so that its own delay never decides about the endpoint.
 * A delay of ours only ever lengthens what we measure.
 */
export class LagMeter {
  readonly #stalls: { from: number; to: number }[] = [];
  #ticks: number[] = [performance.now()];
  #expected: number;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#expected = performance.now() + tickMs;
    this.#timer = setInterval(() => {
      this.#ticks.push(this.#bookStall());
      if (this.#ticks.length > 2 * rememberedTicks) this.#ticks = this.#ticks.slice(-rememberedTicks);
    }, tickMs);
    this.#timer.unref();
  }

  #bookStall(): number {
    const now = performance.now();
    if (now - this.#expected > tickMs) {
      this.#stalls.push({ from: this.#expected, to: now });
      if (this.#stalls.length > rememberedStalls) this.#stalls.shift();
    }
    this.#expected = now + tickMs;
    return now;
  }

  /** Milliseconds of stall between two readings of `performance.now()`. */
  between(from: number, to: number): number {
    if (to > this.#expected) this.#bookStall();
    let sum = 0;
    for (const stall of this.#stalls) sum += Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from));
    return sum;
  }

  /**
   * Milliseconds, at most, that a time from `from` to `to` owes to this process: for something that was sent at `from`
   * and whose answer was noticed at `to`. Between two ticks the loop has read all its sockets once, so what is noticed
   * now was not there yet at the tick before the last one; and at the first tick after `from` it had been sent. A stall
   * in the middle delays nothing.
   */
  atEnds(from: number, to: number): number {
    const ticks = this.#ticks;
    const sent = ticks.find((tick) => tick >= from) ?? to;
    const last = ticks.findLastIndex((tick) => tick <= to);
    const readAll = ticks[last - 1] ?? from;
    return Math.min(to - from, sent - from + (to - readAll));
  }

  /**
   * The same for the set-up of a call, in which both sides take turns: each turn of ours may have been delayed by a stall,
   * or by what is too short to be seen as one.
   */
  whileDialling(from: number, to: number): number {
    return Math.min(to - from, this.between(from, to) + dialTurns * unseenMs);
  }

  /** Waits for a quiet moment of this process, for a few seconds at most. */
  async quietMoment(): Promise<void> {
    for (const from = performance.now(); performance.now() - from < quietWithinMs;) {
      const begun = performance.now();
      await new Promise((wake) => setTimeout(wake, quietMs));
      if (this.between(begun, performance.now()) === 0) return;
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
