import { Problem } from '../problem.ts';

const minuteMs = 60_000;

/**
 * Requests that each key may send within a minute, on the service's clock (interface: Limits; assumption
 * rate-limit-minute).
 */
export class RateLimit {
  readonly #perMinute: number;
  readonly #now: () => number;
  /** Times of the latest requests of a key: a ring, the position of its oldest, and the time of the last call. */
  readonly #taken = new Map<string, { times: Float64Array; oldest: number; latest: number }>();

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Counts a request of this key. Throws {@link Problem} rate_limited, with Retry-After in whole seconds. */
  take(key: string): void {
    const now = this.#now();
    let ring = this.#taken.get(key);
    if (!ring) {
      ring = { times: new Float64Array(this.#perMinute).fill(-Infinity), oldest: 0, latest: -Infinity };
      this.#taken.set(key, ring);
    }
    // The system's clock was set back: the earlier times say nothing.
    if (now < ring.latest - minuteMs) ring.times.fill(-Infinity);
    ring.latest = now;
    const freeAt = (ring.times[ring.oldest] ?? 0) + minuteMs;
    if (now < freeAt) {
      const seconds = Math.ceil((freeAt - now) / 1000);
      throw new Problem(
        'rate_limited',
        `expected at most ${this.#perMinute} requests a minute with this API key, received more; next in ${seconds} s`,
        { 'retry-after': String(seconds) },
      );
    }
    ring.times[ring.oldest] = now;
    ring.oldest = (ring.oldest + 1) % this.#perMinute;
  }
}
