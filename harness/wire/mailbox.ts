import type { Arrival } from './observation.ts';
import type { Unfinished } from './arriving-bodies.ts';
import type { Responder } from './responder.ts';
import { timeoutAfterReads } from './timeout-after-reads.ts';

/** Maximum arrivals kept at one address: enough to detect duplicates, and bounded against a flood. */
const maxArrivals = 50;
/** Maximum incomplete requests kept at one address. */
const maxUnfinished = 10;

/** The arrivals at one assigned address, oldest first. */
export class Mailbox {
  readonly label: string;
  readonly url: string;
  readonly arrivals: Arrival[] = [];
  /** Requests that have not arrived completely. */
  readonly unfinished = new Set<Unfinished>();
  /** Number of arrivals, kept or not. */
  count = 0;
  respond: Responder;
  /** Arrivals that were answered with an error status while the sender was connected, and when (`performance.now()`). */
  readonly rejections: { arrival: Arrival; at: number }[] = [];
  #waiting: (() => void)[] = [];

  constructor(label: string, url: string, respond: Responder) {
    this.label = label;
    this.url = url;
    this.respond = respond;
  }

  /** Whether the first arrival has begun and may still be completed. */
  get isArriving(): boolean {
    return this.arrivals.length === 0 && [...this.unfinished].some(({ aborted }) => aborted !== true);
  }

  /** Registers a request that has begun to arrive. */
  begin(request: Unfinished): void {
    if (this.unfinished.size < maxUnfinished) this.unfinished.add(request);
  }

  /** Records that an error was sent to the sender of this arrival, and wakes the waiters. */
  reject(arrival: Arrival): void {
    if (this.rejections.length < maxArrivals) this.rejections.push({ arrival, at: performance.now() });
    this.#wake();
  }

  /** Marks a request whose connection has ended before it was complete, and wakes the waiters. */
  abort(request: Unfinished): void {
    request.aborted = true;
    this.#wake();
  }

  /** Records an arrival and wakes the waiters. `false` when it is only counted. */
  book(arrival: Arrival): boolean {
    this.count++;
    const isKept = this.arrivals.length < maxArrivals;
    if (isKept) this.arrivals.push(arrival);
    this.#wake();
    return isKept;
  }

  /**
   * Waits for at least `count` arrivals, at most `withinMs` milliseconds and until the signal aborts. Returns all arrivals
   * so far.
   */
  async atLeast(
    count: number,
    { withinMs, signal }: { withinMs: number; signal?: AbortSignal | undefined },
  ): Promise<readonly Arrival[]> {
    const until = performance.now() + withinMs;
    while (this.arrivals.length < count && signal?.aborted !== true) {
      const left = until - performance.now();
      if (left <= 0) break;
      await this.nextChange({ withinMs: left, signal });
    }
    return this.arrivals;
  }

  /** Waits for the next arrival, the abort of one or an error sent to one, at most `withinMs` milliseconds and until the signal aborts. */
  async nextChange({ withinMs, signal }: { withinMs: number; signal?: AbortSignal | undefined }): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = timeoutAfterReads(resolve, withinMs);
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push(wake);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }
}
