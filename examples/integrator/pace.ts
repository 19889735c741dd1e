import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds: a second more than the minute that counts, since requests may come closer together on their way. */
const WINDOW_MS = 61_000;

export interface PaceOptions {
  /** Requests that may start in any minute. */
  perMinute: number;
  /** Milliseconds on a clock that is never set back; default the one of this process. */
  now?: () => number;
  wait?: (ms: number) => Promise<unknown>;
}

/**
 * Starts no more requests than a key may send. Use one for all requests with the key; with several processes, share it
 * (a counter in your database) or divide the rate between them.
 */
export class Pace {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #wait: (ms: number) => Promise<unknown>;
  /** When the latest requests started, oldest first; no more than are counted. */
  readonly #starts: number[] = [];
  #restUntil = -Infinity;
  #lastTurn: Promise<void> = Promise.resolve();

  constructor({ perMinute, now = () => performance.now(), wait = delay }: PaceOptions) {
    this.#perMinute = perMinute;
    this.#now = now;
    this.#wait = wait;
  }

  /** Resolves when the caller may start its request. Callers are served in order. */
  turn(): Promise<void> {
    this.#lastTurn = this.#lastTurn.then(() => this.#next());
    return this.#lastTurn;
  }

  /** Starts no request for this long: the key has exceeded its rate. */
  rest(ms: number): void {
    this.#restUntil = Math.max(this.#restUntil, this.#now() + ms);
  }

  async #next(): Promise<void> {
    for (;;) {
      const oldest = this.#starts.length < this.#perMinute ? undefined : this.#starts[0];
      const from = Math.max(this.#restUntil, oldest === undefined ? -Infinity : oldest + WINDOW_MS);
      const ms = from - this.#now();
      if (!(ms > 0)) break;
      await this.#wait(ms);
    }
    this.#starts.push(this.#now());
    if (this.#starts.length > this.#perMinute) this.#starts.shift();
  }
}
