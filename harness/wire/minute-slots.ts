import { cells } from './traffic-counts.ts';

/**
 * Milliseconds of the window of `perMinute`: a minute, and a second in which a request may be delayed on its way, so
 * that the endpoint does not receive more either.
 */
const windowMs = 61_000;
/** The time in a slot that was never used, or was given back. */
const neverUsed = 0n;
/** The time in a slot that is reserved for a request to come. */
const isReserved = -1n;

/** The slots of `perMinute`: each has the time of its latest request, and is free a minute later. Threads share them. */
export class MinuteSlots {
  readonly #counts: BigInt64Array<SharedArrayBuffer>;
  readonly #perMinute: number;
  readonly #now: () => number;

  /** @param now Unix milliseconds, comparable between threads */
  constructor(counts: BigInt64Array<SharedArrayBuffer>, perMinute: number, now: () => number) {
    this.#counts = counts;
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Reserves `count` slots, or none of them: then it returns the milliseconds until as many are free. */
  reserve(count: number): number[] | number {
    const now = this.#now();
    const reserved: number[] = [];
    for (const slot of this.#slots()) {
      if (reserved.length === count) break;
      const time = Atomics.load(this.#counts, slot);
      if (waitMs(time, now) > 0) continue;
      if (Atomics.compareExchange(this.#counts, slot, time, isReserved) === time) reserved.push(slot);
    }
    if (reserved.length === count) return reserved;
    for (const slot of reserved) this.release(slot);
    const waits = this.#slots().map((slot) => waitMs(Atomics.load(this.#counts, slot), now));
    // At least one: another thread may have released what this one missed.
    return Math.max(1, waits.toSorted((a, b) => a - b)[count - 1] ?? windowMs);
  }

  /** Uses a reserved slot for a request that is about to be sent. */
  use(slot: number): void {
    Atomics.store(this.#counts, slot, BigInt(Math.ceil(this.#now())));
  }

  /** Reserves a slot again whose request was not sent. */
  unuse(slot: number): void {
    Atomics.store(this.#counts, slot, isReserved);
  }

  /** Frees a reserved slot. */
  release(slot: number): void {
    Atomics.store(this.#counts, slot, neverUsed);
  }

  /**
   * Frees one slot for a request that was not sent: the one used the longest time ago, so that no minute has more
   * requests, whichever of them was not sent.
   */
  refund(): void {
    const now = this.#now();
    const used = this.#slots()
      .map((slot) => ({ slot, time: Atomics.load(this.#counts, slot) }))
      .filter(({ time }) => time !== isReserved && waitMs(time, now) > 0)
      .toSorted((a, b) => Number(a.time - b.time));
    for (const { slot, time } of used) {
      if (Atomics.compareExchange(this.#counts, slot, time, neverUsed) === time) return;
    }
  }

  #slots(): number[] {
    return Array.from({ length: this.#perMinute }, (_, at) => cells.times + at);
  }
}

/** Milliseconds until a slot is free. A reserved one may be used at any moment. */
function waitMs(time: bigint, now: number): number {
  if (time === neverUsed) return 0;
  return time === isReserved ? windowMs : Math.max(0, Number(time) + windowMs - Math.ceil(now));
}
