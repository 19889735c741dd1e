/**
 * Exchanges in the air at once while nothing is timed: enough to hide the waits of a slow endpoint, few enough that
 * an endpoint with one thread keeps up.
 */
export const sharedLanes = 8;

interface Waiter {
  lanes: number;
  go: () => void;
}

/**
 * Lets ordinary exchanges share the endpoint and gives a timed check the endpoint for itself, in the order of arrival,
 * so that our own traffic is never the reason for a late answer.
 */
export class Gate {
  #free: number = sharedLanes;
  readonly #waiting: Waiter[] = [];

  /** Some lanes, for one exchange: one for a quick endpoint, all for one that seems to do one thing at a time. */
  shared(lanes = 1): Promise<Disposable> {
    return this.#take(Math.min(Math.max(lanes, 1), sharedLanes));
  }

  /** Every lane: nothing else is in the air until it is given back. */
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
