/**
 * Concurrent exchanges while nothing is timed: enough to hide the delays of a slow endpoint, few enough for an endpoint
 * with one thread.
 */
export const sharedLanes = 8;

interface Waiter {
  lanes: number;
  go: () => void;
}

/**
 * Lets ordinary exchanges share the endpoint and gives a timed check exclusive access, in order of arrival, so that our
 * own traffic never causes a late answer.
 */
export class TrafficGate {
  #free: number = sharedLanes;
  readonly #waiting: Waiter[] = [];

  /**
   * Acquires lanes for one exchange: one for a quick endpoint, all for one that seems to process requests sequentially.
   */
  shared(lanes = 1): Promise<Disposable> {
    return this.#take(Math.min(Math.max(lanes, 1), sharedLanes));
  }

  /** Acquires every lane: no other exchange is in flight until they are released. */
  alone(): Promise<Disposable> {
    return this.#take(sharedLanes);
  }

  async #take(lanes: number): Promise<Disposable> {
    if (this.#waiting.length > 0 || this.#free < lanes) {
      await new Promise<void>((go) => this.#waiting.push({ lanes, go }));
    } else {
      this.#free -= lanes;
    }
    let given = false;
    return {
      [Symbol.dispose]: () => {
        if (given) return;
        given = true;
        this.#free += lanes;
        this.#next();
      },
    };
  }

  #next(): void {
    for (let first = this.#waiting[0]; first !== undefined && first.lanes <= this.#free; first = this.#waiting[0]) {
      this.#free -= first.lanes;
      this.#waiting.shift();
      first.go();
    }
  }
}
