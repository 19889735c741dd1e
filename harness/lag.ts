/** Milliseconds between two ticks of the meter: fine enough to see a stall that matters beside a limit of 2 s. */
const tickMs = 10;
/** Stalls remembered; older ones lie before any exchange still in the air. */
const remembered = 512;

/** Tells for how long this process itself was not able to run, so that its own stalls are not laid to the endpoint. */
export class LagMeter {
  readonly #stalls: { from: number; to: number }[] = [];
  #expected: number;
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#expected = performance.now() + tickMs;
    this.#timer = setInterval(() => this.#tick(), tickMs);
    this.#timer.unref();
  }

  #tick(): void {
    const now = performance.now();
    if (now - this.#expected > tickMs) {
      this.#stalls.push({ from: this.#expected, to: now });
      if (this.#stalls.length > remembered) this.#stalls.shift();
    }
    this.#expected = now + tickMs;
  }

  /** Milliseconds of stall between two readings of `performance.now()`. */
  between(from: number, to: number): number {
    if (to > this.#expected) this.#tick();
    let sum = 0;
    for (const stall of this.#stalls) sum += Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from));
    return sum;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
