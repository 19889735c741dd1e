import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between two samples of the event loop. */
const resolutionMs = 5;
/** Nanoseconds in a millisecond. */
const nanoseconds = 1e6;

/** Measures how late this process handles its events, until it is disposed. */
export class OwnLag {
  readonly #delays = monitorEventLoopDelay({ resolution: resolutionMs });

  constructor() {
    this.#delays.enable();
  }

  /** The 99th percentile of the delays in milliseconds: 1 % of the events are handled later than this. */
  get p99Ms(): number {
    const { count } = this.#delays;
    return count === 0 ? 0 : Math.max(0, this.#delays.percentile(99) / nanoseconds - resolutionMs);
  }

  [Symbol.dispose](): void {
    this.#delays.disable();
  }
}
