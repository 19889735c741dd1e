/**
 * Concurrent exchanges while nothing is timed: enough to hide the delays of a slow endpoint, few enough for an endpoint
 * with one thread.
 */
export const sharedLanes = 8;

interface Waiter {
  lanes: number;
  /** No exchange may be in flight, not even one that only waits. */
  isAlone: boolean;
  go: () => void;
}

/** Lanes of one exchange. Disposing them ends it. */
export interface Lanes extends Disposable {
  /** Returns the lanes to others, because the exchange only waits; it stays in flight until it is disposed. */
  rest(): void;
}

/**
 * Lets ordinary exchanges share the endpoint and gives a timed check exclusive access, in order of arrival, so that our
 * own traffic never causes a late answer.
 */
export class TrafficGate {
  #free: number = sharedLanes;
  /** Exchanges in flight without lanes. */
  #resting = 0;
  readonly #waiting: Waiter[] = [];

  /**
   * Acquires lanes for one exchange: one for a quick endpoint, all for one that seems to process requests sequentially.
   */
  shared(lanes = 1): Promise<Lanes> {
    return this.#take(Math.min(Math.max(lanes, 1), sharedLanes), false);
  }

  /** Acquires every lane: no other exchange is in flight until they are released. */
  alone(): Promise<Lanes> {
    return this.#take(sharedLanes, true);
  }

  async #take(lanes: number, isAlone: boolean): Promise<Lanes> {
    if (this.#waiting.length > 0 || !this.#fits({ lanes, isAlone })) {
      await new Promise<void>((go) => this.#waiting.push({ lanes, isAlone, go }));
    } else {
      this.#free -= lanes;
    }
    let state: 'held' | 'resting' | 'over' = 'held';
    return {
      rest: () => {
        if (state !== 'held') return;
        state = 'resting';
        this.#free += lanes;
        this.#resting++;
        this.#next();
      },
      [Symbol.dispose]: () => {
        if (state === 'over') return;
        if (state === 'held') this.#free += lanes;
        else this.#resting--;
        state = 'over';
        this.#next();
      },
    };
  }

  #fits({ lanes, isAlone }: Pick<Waiter, 'lanes' | 'isAlone'>): boolean {
    return lanes <= this.#free && !(isAlone && this.#resting > 0);
  }

  #next(): void {
    for (let first = this.#waiting[0]; first !== undefined && this.#fits(first); first = this.#waiting[0]) {
      this.#free -= first.lanes;
      this.#waiting.shift();
      first.go();
    }
  }
}
