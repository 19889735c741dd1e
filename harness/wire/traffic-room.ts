import type { MinuteSlots } from './minute-slots.ts';
import type { LimitedKind } from './traffic-counts.ts';

/**
 * Slots of `perMinute` that are reserved for requests which must be sent at once: one must not wait for the next minute
 * while the others are open. Disposing gives unused ones back.
 */
export class TrafficRoom implements Disposable {
  /** Milliseconds to wait before another attempt, if nothing could be reserved. */
  readonly waitMs: number;
  readonly #kind: LimitedKind | undefined;
  readonly #slots: MinuteSlots | undefined;
  readonly #free: number[];
  readonly #used: number[] = [];
  readonly #enter: <T>(run: () => T) => T;

  constructor(
    { kind, slots, reserved }: { kind?: LimitedKind; slots?: MinuteSlots; reserved: number[] | number },
    enter: <T>(room: TrafficRoom, run: () => T) => T,
  ) {
    this.#kind = kind;
    this.#slots = slots;
    [this.#free, this.waitMs] = typeof reserved === 'number' ? [[], reserved] : [reserved, 0];
    this.#enter = (run) => enter(this, run);
  }

  /** Runs with this room: the requests admitted in it use the reserved slots first. */
  run<T>(run: () => T): T {
    return this.#enter(run);
  }

  /** Uses a reserved slot for a request of this kind, if there is one. */
  use(kind: LimitedKind): boolean {
    const slot = kind === this.#kind ? this.#free.pop() : undefined;
    if (slot === undefined) return false;
    this.#slots?.use(slot);
    this.#used.push(slot);
    return true;
  }

  /** Reserves the slot of a request again that was not sent, for its repetition; `false` when it had none. */
  refund(kind: LimitedKind): boolean {
    // The earliest: any of them may be the one that was not sent.
    const slot = kind === this.#kind ? this.#used.shift() : undefined;
    if (slot === undefined) return false;
    this.#slots?.unuse(slot);
    this.#free.push(slot);
    return true;
  }

  [Symbol.dispose](): void {
    for (const slot of this.#free.splice(0)) this.#slots?.release(slot);
    this.#used.length = 0;
  }
}
