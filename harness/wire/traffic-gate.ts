/**
 * Lanes of one host and port while nothing is timed: enough to hide the delays of a slow endpoint, few enough for an
 * endpoint with one thread. Most exchanges need a whole lane or more.
 */
export const sharedLanes = 8;

interface Waiter {
  /** The host and port whose lanes it needs: one process may serve several addresses there. */
  place: string;
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

/** How an exchange is admitted. */
export interface Admission {
  /** Host and port. Default: one for all exchanges. */
  place?: string;
  /** Before others: for exchanges after which a check waits long, and for quick ones that need all lanes. */
  isFirst?: boolean;
}

/** How all lanes are acquired. */
export interface AloneOptions {
  /** Gives up waiting when it aborts. */
  signal?: AbortSignal;
  /** Exchanges that only wait may be in flight, such as a silent call. */
  toleratesWaiting?: boolean;
}

/**
 * Lets ordinary exchanges share the endpoint and gives a timed check exclusive access, so that our own traffic never
 * causes a late answer. In order of arrival, except for exchanges that go first. Each host and port has its lanes, so
 * that none waits for the slow answers of another. An exchange that needs all lanes there needs the lanes of all other
 * hosts too: they may share a machine or a load balancer.
 */
export class TrafficGate {
  /** Lanes in use, by host and port. */
  readonly #inUse = new Map<string, number>();
  /** Whether one exchange has all lanes everywhere. */
  #isTaken = false;
  /** Exchanges in flight without lanes. */
  #resting = 0;
  readonly #waiting: Waiter[] = [];

  /**
   * Acquires lanes for one exchange: one for a quick endpoint, all for one that seems to process requests sequentially.
   * A function is asked at the moment of admission, when more may be known.
   */
  shared(lanes: number | (() => number) = 1, { place = '', isFirst = false }: Admission = {}): Promise<Lanes> {
    const needed = () => Math.min(typeof lanes === 'number' ? lanes : lanes(), sharedLanes);
    return this.#take({ place, lanes: needed, isAlone: false, isFirst });
  }

  /**
   * Acquires every lane: no other exchange is in flight until they are released. It goes first: otherwise it would wait
   * for a long call that begins before it, and all others would wait behind it.
   */
  alone({ signal, toleratesWaiting = false }: AloneOptions = {}): Promise<Lanes> {
    return this.#take({ place: '', lanes: () => sharedLanes, isAlone: !toleratesWaiting, isFirst: true }, signal);
  }

  async #take(wanted: Omit<Waiter, 'go'>, signal?: AbortSignal): Promise<Lanes> {
    signal?.throwIfAborted();
    const lanes = await new Promise<number>((go, giveUp) => {
      const behind = wanted.isFirst ? this.#waiting.findIndex(({ isFirst }) => !isFirst) : -1;
      const waiter = { ...wanted, go };
      this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, waiter);
      signal?.addEventListener(
        'abort',
        () => {
          if (!this.#waiting.includes(waiter)) return;
          this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
          giveUp(signal.reason as Error);
          this.#next();
        },
        { once: true },
      );
      this.#next();
    });
    let state: 'held' | 'resting' | 'over' = 'held';
    return {
      rest: () => {
        if (state !== 'held') return;
        state = 'resting';
        this.#use(wanted.place, -lanes);
        this.#resting++;
        this.#next();
      },
      [Symbol.dispose]: () => {
        if (state === 'over') return;
        if (state === 'held') this.#use(wanted.place, -lanes);
        else this.#resting--;
        state = 'over';
        this.#next();
      },
    };
  }

  #use(place: string, lanes: number): void {
    if (Math.abs(lanes) === sharedLanes) this.#isTaken = lanes > 0;
    else this.#inUse.set(place, this.#usedOf(place) + lanes);
  }

  #usedOf(place: string): number {
    return this.#inUse.get(place) ?? 0;
  }

  #next(): void {
    /** Places with an exchange that waits: those behind it do not pass it. */
    const full = new Set<string>();
    for (const waiter of [...this.#waiting]) {
      const { place, isAlone, go } = waiter;
      const lanes = waiter.lanes();
      const isFree =
        lanes === sharedLanes
          ? [...this.#inUse.values()].every((used) => used === 0) && !(isAlone && this.#resting > 0)
          : !full.has(place) && this.#usedOf(place) + lanes <= sharedLanes;
      if (this.#isTaken) return;
      if (lanes === sharedLanes && !isFree) {
        // An exchange that only waits is in its way, perhaps for long: the others need not wait for it.
        if (isAlone && this.#resting > 0) continue;
        return;
      }
      if (!isFree) {
        full.add(place);
        continue;
      }
      this.#use(place, lanes);
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      go(lanes);
    }
  }
}
