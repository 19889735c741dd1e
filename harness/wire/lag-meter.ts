/** Milliseconds between two ticks of the meter: short enough to detect a stall that matters for a limit of 2 s. */
const tickMs = 5;
/** Maximum undetected delay in one turn, in milliseconds: the tick before it, and one that was late. */
const unseenMs = 3 * tickMs;
/** Turns of a call set-up: connecting, TLS and the upgrade. */
const dialTurns = 3;
/** Maximum number of stalls; older ones precede any exchange still in flight. */
const rememberedStalls = 512;
/** Minimum number of ticks: those of the last minute, which is longer than any timed exchange. */
const rememberedTicks = 12_000;
/** Milliseconds for which the last value of `starvedMs` is reused: reading it takes up to 2 ms on a virtual machine. */
const starvedEveryMs = 1_000;
/** Milliseconds without a stall that count as quiet. */
const quietMs = 100;
/** Maximum milliseconds to wait for a quiet moment, which may never come on a busy machine. */
const quietWithinMs = 3_000;

/**
 * Measures how long this process itself was stalled, so that its own delay never decides about the endpoint. Our delay
 * can only lengthen a measured time.
 */
export class LagMeter {
  readonly #stalls: { from: number; to: number }[] = [];
  #ticks: number[] = [performance.now()];
  #expected: number;
  #stalledMs = 0;
  readonly #cpuFrom = process.cpuUsage();
  #starved = { at: -Infinity, ms: 0 };
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
      this.#stalledMs += now - this.#expected;
      this.#stalls.push({ from: this.#expected, to: now });
      if (this.#stalls.length > rememberedStalls) this.#stalls.shift();
    }
    this.#expected = now + tickMs;
    return now;
  }

  /**
   * Milliseconds since the start in which this process waited for a processor: its stalls, minus what it computed
   * itself.
   */
  get starvedMs(): number {
    const now = performance.now();
    // A system call: the budget is asked many times for each exchange.
    if (now - this.#starved.at > starvedEveryMs) {
      const { user, system } = process.cpuUsage(this.#cpuFrom);
      this.#starved = { at: now, ms: Math.max(0, this.#stalledMs - (user + system) / 1000) };
    }
    return this.#starved.ms;
  }

  /** Milliseconds of stall between two readings of `performance.now()`. */
  between(from: number, to: number): number {
    if (to > this.#expected) this.#bookStall();
    let sum = 0;
    for (const stall of this.#stalls) sum += Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from));
    return sum;
  }

  /**
   * Upper bound in milliseconds of our own delay in the time from `from` (sent) to `to` (answer noticed). Between two
   * ticks the event loop has read all sockets once, so data noticed now had not arrived at the tick before the last
   * one, and at the first tick after `from` the request had been sent. A stall in between delays nothing.
   */
  atEnds(from: number, to: number): number {
    const ticks = this.#ticks;
    // The answer has just arrived, so both are near the end of many ticks.
    const last = ticks.findLastIndex((tick) => tick <= to);
    const sent = ticks[ticks.findLastIndex((tick) => tick < from) + 1] ?? to;
    const readAll = ticks[last - 1] ?? from;
    return Math.min(to - from, sent - from + (to - readAll));
  }

  /**
   * The same for the set-up of a call, in which both sides alternate: each of our turns may have been delayed by a
   * stall, or by a delay too short to be detected.
   */
  whileDialling(from: number, to: number): number {
    return Math.min(to - from, this.between(from, to) + dialTurns * unseenMs);
  }

  /** Waits until this process runs without stalls, for a few seconds at most. */
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
