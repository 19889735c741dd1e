import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between two samples of the event loop. */
const resolutionMs = 5;
/** Nanoseconds in a millisecond. */
const nanoseconds = 1e6;

/** Measures how late this process handles its events. */
export class OwnLag {
  readonly #delays = monitorEventLoopDelay({ resolution: resolutionMs });

  constructor() {
    this.#delays.enable();
  }

  /** Ends the measurement and returns the 99th percentile of the delays in milliseconds: 1 % of the events are handled later. */
  end(): number {
    this.#delays.disable();
    const { count } = this.#delays;
    if (count === 0) return 0;
    return Math.max(0, Math.round((this.#delays.percentile(99) / nanoseconds - resolutionMs) * 10) / 10);
  }
}
