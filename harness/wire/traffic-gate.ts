/**
 * Lanes of one host and port while nothing is timed: enough to hide the delays of a slow endpoint, few enough for an
 * endpoint with one thread. Most exchanges need a whole lane or more.
 */
export const sharedLanes = 8;

interface Waiter {
  /** The host and port whose lanes it needs: one process may serve several addresses there. */
  place: string;
  /** The address of its exchanges. */
  address: string;
  /** The lanes that it needs, as known at the moment. */
  lanes: () => number;
  /** Exchanges with its address that may be in flight with lanes, including this one. Default: any number. */
  most?: () => number;
  /** `alone`: no exchange may be in flight, not even one that only waits; `alone at address`: none with this address. */
  access: 'shared' | 'alone' | 'alone at address';
  /** It goes before those that are not; see {@link urgency}. */
  isFirst: boolean;
  /** Admits it, with its lanes. */
  go: (lanes: number) => void;
  /** Checks with an address to themselves that went before it, though they came later. */
  passed: number;
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
  /** The address, without its query. Default: one for all exchanges. */
  address?: string;
  /** Exchanges with this address that may be in flight with lanes, including this one. Default: any number. */
  most?: () => number;
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

/** Exchanges in flight with one address. */
interface InFlight {
  /** Those with lanes. */
  held: number;
  /** Those without lanes, which only wait. */
  resting: number;
  /** Whether a check has this address to itself. */
  isReserved: boolean;
}

/** Checks with an address to themselves that go before one that needs all lanes, though they come later. */
const mostPassing = 4;

/** Lanes of a check that has one address to itself, at least. It sends several exchanges at once, which need no further ones. */
const lanesOfAddress = 2;

/**
 * Lets ordinary exchanges share the endpoint and gives a check exclusive access to it or to one of its addresses, so that
 * our own traffic never causes a late answer. The most urgent go first, and equally urgent ones in order of arrival. Each
 * host and port has its lanes, so that none waits for the slow answers of another. An exchange that needs all lanes there
 * needs the lanes of all other hosts too: they may share a machine or a load balancer.
 */
export class TrafficGate {
  /** Lanes in use, by host and port. */
  readonly #inUse = new Map<string, number>();
  /** By address. */
  readonly #inFlight = new Map<string, InFlight>();
  /** Whether one exchange has all lanes everywhere. */
  #isTaken = false;
  /** Exchanges in flight without lanes. */
  #resting = 0;
  readonly #waiting: Waiter[] = [];

  /**
   * Acquires lanes for one exchange: one for a quick endpoint, all for one that seems to process requests sequentially.
   * A function is asked at the moment of admission, when more may be known.
   */
  shared(
    lanes: number | (() => number) = 1,
    { place = '', address = '', most, isFirst = false }: Admission = {},
  ): Promise<Lanes> {
    return this.#take({ place, address, lanes: bounded(lanes), access: 'shared', isFirst, ...(most && { most }) });
  }

  /**
   * Acquires every lane: no other exchange is in flight until they are released. It goes first: otherwise it would wait
   * for a long call that begins before it, and all others would wait behind it.
   */
  alone({ signal, toleratesWaiting = false }: AloneOptions = {}): Promise<Lanes> {
    const access = toleratesWaiting ? 'shared' : 'alone';
    return this.#take({ place: '', address: '', lanes: () => sharedLanes, access, isFirst: true }, signal);
  }

  /**
   * Acquires one address: no other exchange with it is in flight until the lanes are released, while other addresses may
   * have traffic. Where one exchange needs all lanes, it is the same as {@link alone}.
   */
  aloneAt(
    lanes: number | (() => number),
    { place = '', address = '' }: Pick<Admission, 'place' | 'address'> = {},
  ): Promise<Lanes> {
    const needed = bounded(lanes);
    const atLeast = () => Math.max(lanesOfAddress, needed());
    return this.#take({ place, address, lanes: atLeast, access: 'alone at address', isFirst: true });
  }

  async #take(wanted: Omit<Waiter, 'go' | 'passed'>, signal?: AbortSignal): Promise<Lanes> {
    signal?.throwIfAborted();
    const lanes = await new Promise<number>((go, giveUp) => {
      const behind = this.#waiting.findIndex((one) => urgency(one) < urgency(wanted));
      const waiter = { ...wanted, go, passed: 0 };
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
    const { place, address } = wanted;
    const flight = this.#flightOf(address);
    let state: 'held' | 'resting' | 'over' = 'held';
    const release = () => {
      this.#use(place, -lanes);
      flight.held--;
    };
    return {
      rest: () => {
        if (state !== 'held') return;
        state = 'resting';
        release();
        flight.resting++;
        this.#resting++;
        this.#next();
      },
      [Symbol.dispose]: () => {
        if (state === 'over') return;
        if (state === 'held') release();
        else {
          flight.resting--;
          this.#resting--;
        }
        if (wanted.access === 'alone at address') flight.isReserved = false;
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

  #flightOf(address: string): InFlight {
    let flight = this.#inFlight.get(address);
    if (!flight) this.#inFlight.set(address, (flight = { held: 0, resting: 0, isReserved: false }));
    return flight;
  }

  #next(): void {
    /** Places and addresses for which one waits: those behind it do not pass it. */
    const full = new Set<string>();
    const awaited = new Set<string>();
    /** Those that need all lanes, and wait for others to end. */
    const whole: Waiter[] = [];
    let isBlocked = false;
    for (const waiter of [...this.#waiting]) {
      if (this.#isTaken) return;
      const { place, address, most, access, go } = waiter;
      const lanes = waiter.lanes();
      const flight = this.#flightOf(address);
      if (lanes === sharedLanes) {
        // An exchange that only waits is in its way, perhaps for long: the others need not wait for it.
        if (access !== 'shared' && this.#resting > 0) continue;
        if (isBlocked) continue;
        if ([...this.#inUse.values()].some((used) => used > 0)) {
          if (waiter.passed >= mostPassing) return;
          // A check that has an address to itself takes long, and lanes are free meanwhile.
          isBlocked = ![...this.#inFlight.values()].some(({ isReserved }) => isReserved);
          whole.push(waiter);
          continue;
        }
      } else {
        const isReserved = flight.isReserved || awaited.has(address);
        const isOnlyOne = access === 'alone at address';
        if (isBlocked && !isOnlyOne) continue;
        if (isOnlyOne && flight.resting > 0) continue;
        if (isReserved || (isOnlyOne && flight.held > 0)) {
          if (isOnlyOne) awaited.add(address);
          continue;
        }
        if (most && flight.held >= most()) {
          awaited.add(address);
          continue;
        }
        if (full.has(place) || this.#usedOf(place) + lanes > sharedLanes) {
          full.add(place);
          if (isOnlyOne) awaited.add(address);
          continue;
        }
        if (isOnlyOne) {
          flight.isReserved = true;
          for (const one of whole) one.passed++;
        }
      }
      this.#use(place, lanes);
      flight.held++;
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      go(lanes);
    }
  }
}

/**
 * The order in which waiting exchanges are admitted: the highest urgency first. One that needs everything would wait for all
 * that begin before it, perhaps for a long call, and all others would wait behind it.
 */
function urgency({ access, isFirst, lanes }: Pick<Waiter, 'access' | 'isFirst' | 'lanes'>): number {
  if (!isFirst) return 0;
  if (lanes() === sharedLanes) return 3;
  return access === 'alone at address' ? 2 : 1;
}

function bounded(lanes: number | (() => number)): () => number {
  return () => Math.min(typeof lanes === 'number' ? lanes : lanes(), sharedLanes);
}
