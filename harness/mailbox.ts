import type { Arrival } from './observation.ts';
import type { Responder } from './inbox.ts';

/** Arrivals at one address that are kept: enough to tell one from too many, and bounded against a flood. */
const maxArrivals = 50;

/** What arrived at one address that was given out, oldest first. */
export class Mailbox {
  readonly label: string;
  readonly url: string;
  readonly arrivals: Arrival[] = [];
  respond: Responder;
  #waiting: (() => void)[] = [];

  constructor(label: string, url: string, respond: Responder) {
    this.label = label;
    this.url = url;
    this.respond = respond;
  }

  /** Books an arrival and wakes who waits for one. */
  take(arrival: Arrival): void {
    if (this.arrivals.length < maxArrivals) this.arrivals.push(arrival);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /**
   * Waits until at least `count` arrivals are there. Returns what has arrived by then, or after `withinMs`
   * milliseconds whatever is there.
   */
  async atLeast(count: number, { withinMs }: { withinMs: number }): Promise<readonly Arrival[]> {
    const until = performance.now() + withinMs;
    while (this.arrivals.length < count) {
      const left = until - performance.now();
      if (left <= 0) break;
      await new Promise<void>((resolve) => {
        // Timers come before sockets: what has arrived while this process stood still is read first.
        const timer = setTimeout(() => setImmediate(resolve), left);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return this.arrivals;
  }
}
