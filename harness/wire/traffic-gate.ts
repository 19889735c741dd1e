/**
 * Concurrent exchanges while nothing is timed: enough to hide the delays of a slow endpoint, few enough for an endpoint
 * with one thread.
 */
export const sharedLanes = 8;

interface Waiter {
  /** The lanes that it needs, as known at the moment. */
  lanes: () => number;
  /** No exchange may be in flight, not even one that only waits. */
  isAlone: boolean;
  /** It goes before those that are not. */
  isFirst: boolean;
  /** Admits it, with its lanes. */
  go: (lanes: number) => void;
}

/** Lanes of one exchange. Disposing them ends it. */
export interface Lanes extends Disposable {
  /** Returns the lanes to others, because the exchange only waits; it stays in flight until it is disposed. */
  rest(): void;
}

/**
 * Lets ordinary exchanges share the endpoint and gives a timed check exclusive access, so that our own traffic never
 * causes a late answer. In order of arrival, except for exchanges that go first.
 */
export class TrafficGate {
  #free: number = sharedLanes;
  /** Exchanges in flight without lanes. */
  #resting = 0;
  readonly #waiting: Waiter[] = [];

  /**
   * Acquires lanes for one exchange: one for a quick endpoint, all for one that seems to process requests sequentially.
   * A function is asked at the moment of admission, when more may be known.
   * `isFirst`: admitted before others. For exchanges after which a check waits long, and for quick ones that need all
   * lanes.
   */
  shared(lanes: number | (() => number) = 1, { isFirst = false } = {}): Promise<Lanes> {
    const needed = () => Math.min(typeof lanes === 'number' ? lanes : lanes(), sharedLanes);
    return this.#take({ lanes: needed, isAlone: false, isFirst });
  }

  /** Acquires every lane: no other exchange is in flight until they are released. */
  alone(): Promise<Lanes> {
    return this.#take({ lanes: () => sharedLanes, isAlone: true, isFirst: false });
  }

  async #take(wanted: Omit<Waiter, 'go'>): Promise<Lanes> {
    const lanes = await new Promise<number>((go) => {
      const behind = wanted.isFirst ? this.#waiting.findIndex(({ isFirst }) => !isFirst) : -1;
      this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, { ...wanted, go });
      this.#next();
    });
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

  #next(): void {
    for (let [first] = this.#waiting; first; [first] = this.#waiting) {
      const lanes = first.lanes();
      if (lanes > this.#free || (first.isAlone && this.#resting > 0)) return;
      this.#free -= lanes;
      this.#waiting.shift();
      first.go(lanes);
    }
  }
}
