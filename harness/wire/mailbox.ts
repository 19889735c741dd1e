import type { Arrival } from './observation.ts';
import type { Unfinished } from './arriving-body.ts';
import type { Responder } from './inbox.ts';
import { timeoutAfterReads } from './timeout-after-reads.ts';

/** Arrivals at one address that are kept: enough to tell one from too many, and bounded against a flood. */
const maxArrivals = 50;
/** Requests at one address that did not arrive whole that are kept. */
const maxUnfinished = 10;

/** What arrived at one address that was given out, oldest first. */
export class Mailbox {
  readonly label: string;
  readonly url: string;
  readonly arrivals: Arrival[] = [];
  /** Requests of which not all has arrived by now, or ever did. */
  readonly unfinished = new Set<Unfinished>();
  /** Everything that arrived, whether it was kept or not. */
  count = 0;
  respond: Responder;
  #waiting: (() => void)[] = [];

  constructor(label: string, url: string, respond: Responder) {
    this.label = label;
    this.url = url;
    this.respond = respond;
  }

  /** A request has begun to arrive. */
  begin(request: Unfinished): void {
    if (this.unfinished.size < maxUnfinished) this.unfinished.add(request);
  }

  /** Books an arrival and wakes who waits for one. `false` when it is counted only. */
  book(arrival: Arrival): boolean {
    this.count++;
    const isKept = this.arrivals.length < maxArrivals;
    if (isKept) this.arrivals.push(arrival);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
    return isKept;
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
        const timer = timeoutAfterReads(resolve, left);
        this.#waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
    return this.arrivals;
  }
}
