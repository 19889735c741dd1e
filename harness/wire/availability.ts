import type { Socket } from 'node:net';
import { formatFault } from '../../specs/faults/fault-table.ts';
import type { EndpointExits } from '../start/endpoint-exits.ts';
import type { RestartTimes } from '../start/restarts.ts';
import { connectOnRoute, type Abortable } from './connect.ts';
import type { Stop } from './observation.ts';
import { endpointOf, placeAt } from './host-and-port.ts';
import { ProxyError } from './proxy-tunnel.ts';
import type { Route } from './route.ts';
import { Routes } from './routes.ts';

/** Timeout in milliseconds of a connection attempt that only checks whether anything listens. */
const connectMs = 1_000;
/**
 * Milliseconds for which such a connection must stay open: a terminating process closes its sockets one after the
 * other.
 */
const stayMs = 100;
const triesToStay = 3;
/**
 * Milliseconds for the connections of other deliveries to end after the first one: a terminating process closes all of
 * them at once, and a busy machine reports it late.
 */
const settleMs = 500;
/** Milliseconds between two connection attempts to an endpoint that may be restarting. */
const pollMs = 50;
/** Milliseconds for an endpoint to listen again: a supervisor restarts a typical application faster. */
const returnMs = 5_000;
/**
 * The same for all restarts of a run together, so that an endpoint which stops repeatedly does not delay the end of the
 * run.
 */
const allReturnsMs = 40_000;

/** Connections closed without an answer and without an exit, after which an exit is no longer awaited. */
const closedInVain = 3;

/** How one delivery ended: `unreached` when no connection could be made for it. */
type Ending = 'answered' | 'closed' | 'unreached';

/** The known data of an endpoint that the run itself starts again. */
export interface Restarting extends RestartTimes {
  exits: Pick<EndpointExits, 'count' | 'isDown' | 'hasEndedSince'>;
}

/** One request or call in flight. */
class DeliveryInFlight {
  readonly label: string;
  /** Exits of the endpoint before it was sent. */
  readonly exitsBefore: number;
  ending: Ending | undefined;
  readonly #ended = Promise.withResolvers<void>();

  constructor(label: string, exitsBefore: number) {
    this.label = label;
    this.exitsBefore = exitsBefore;
  }

  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  end(ending: Ending): void {
    this.ending ??= ending;
    this.#ended.resolve();
  }
}

interface AddressState {
  inFlight: Set<DeliveryInFlight>;
  /** The latest stop, with all deliveries that were in flight then. */
  latest?: { fields: ReadonlySet<DeliveryInFlight>; stop: Promise<Stop> };
  /** The current wait for the endpoint to listen again. */
  returning?: Promise<boolean>;
  /** Description of the latest stop. */
  reason?: string;
  /** Why nothing more is sent to this place. */
  gone?: string;
  waitedMs: number;
}

/** A delivery's handle for its sender. Disposing it without an end counts as answered. */
export interface Sending extends Disposable {
  /**
   * Reports that the connection was closed without a complete answer. Resolves with the stop of the endpoint, if there
   * was one.
   */
  closed: (isUnreachable?: boolean) => Promise<Stop | undefined>;
  /** Reports that no connection could be made. */
  unreached: () => void;
}

/**
 * Tracks the deliveries in flight to each place (host and port), so that the end of a process can be attributed to the
 * deliveries that it was handling.
 */
export class Availability {
  readonly #places = new Map<string, AddressState>();
  /** Connections closed without an answer since the last exit of the endpoint. */
  #closedInVain = 0;
  #stops = 0;
  readonly #routes: Routes;
  readonly #restarting: Restarting | undefined;

  constructor(routes = Routes.none(), restarting?: Restarting) {
    this.#routes = routes;
    this.#restarting = restarting;
  }

  /**
   * How often an endpoint stopped, whether a delivery was in flight or not. One that the run starts again may
   * count twice for one stop.
   */
  get stops(): number {
    return this.#stops + (this.#restarting?.exits.count ?? 0);
  }

  /** Registers a delivery to this address. */
  sending(url: string, label: string): Sending {
    const place = this.#place(url);
    const delivery = new DeliveryInFlight(label, this.#restarting?.exits.count ?? 0);
    place.inFlight.add(delivery);
    const end = (ending: Ending) => {
      delivery.end(ending);
      place.inFlight.delete(delivery);
    };
    return {
      closed: async (isUnreachable = false) => {
        const stop = this.#closed(url, delivery, isUnreachable);
        end('closed');
        return await stop;
      },
      unreached: () => end('unreached'),
      [Symbol.dispose]: () => end('answered'),
    };
  }

  /** Why nothing more is sent to this address; `undefined` while something may listen there. */
  goneBy(url: string): string | undefined {
    return this.#place(url).gone;
  }

  /** Whether nothing listens at this address at the moment: a connection is refused. */
  async isDown(url: string): Promise<boolean> {
    if (this.#restarting?.exits.isDown === true) return true;
    return (await connectOnce(url, this.#routes.to(url), 0)) === 'refused';
  }

  /**
   * Waits until something listens at this address again. `false` when nothing does in time; from then on {@link goneBy}
   * returns the reason: `otherwise`, unless deliveries were in flight.
   */
  async returns(url: string, otherwise = `Nothing listens at ${new URL(url).origin} any more.`): Promise<boolean> {
    const place = this.#place(url);
    if (place.gone !== undefined) return false;
    place.returning ??= this.#awaitReturn(url, place).finally(() => delete place.returning);
    const isBack = await place.returning;
    if (isBack) delete place.reason;
    else place.gone ??= place.reason ?? otherwise;
    return isBack;
  }

  async #closed(url: string, delivery: DeliveryInFlight, isUnreachable: boolean): Promise<Stop | undefined> {
    const place = this.#place(url);
    const fields = new Set(place.inFlight);
    if (!place.latest?.fields.has(delivery)) {
      const isListening = !isUnreachable && (await this.#listens(url)) && !(await this.#hasEndedSince(delivery));
      // Another delivery may have found by now that nothing listens.
      if (!place.latest?.fields.has(delivery)) {
        if (isListening) return undefined;
        this.#stops++;
        place.latest = { fields, stop: this.#attribute(url, fields) };
      }
    }
    const stop = await place.latest.stop;
    // This delivery ended too late to be among the suspects.
    return stop.suspects.includes(delivery.label) ? stop : { ...stop, suspects: [...stop.suspects, delivery.label] };
  }

  /** Whether the process that received this delivery has ended: the one that listens may be the next, or another instance. */
  async #hasEndedSince({ exitsBefore }: DeliveryInFlight): Promise<boolean> {
    const { exits, reportMs = 0 } = this.#restarting ?? {};
    if (!exits) return false;
    // An endpoint that often closes connections without an answer would be waited for each time.
    const withinMs = this.#closedInVain < closedInVain ? reportMs : 0;
    const hasEnded = await exits.hasEndedSince(exitsBefore, { withinMs });
    this.#closedInVain = hasEnded ? 0 : this.#closedInVain + 1;
    return hasEnded;
  }

  async #attribute(url: string, fields: ReadonlySet<DeliveryInFlight>): Promise<Stop> {
    await Promise.race([Promise.all([...fields].map(({ ended }) => ended)), after(settleMs)]);
    const suspects = [...fields].filter(({ ending }) => ending === 'closed').map(({ label }) => label);
    if (this.#routes.to(url).proxy) return { suspects, viaProxy: true };
    this.#place(url).reason = formatFault('target-stopped:in-flight', { url, suspects });
    return { suspects };
  }

  async #awaitReturn(url: string, place: AddressState): Promise<boolean> {
    const from = performance.now();
    const mostMs = this.#restarting?.returnMs ?? returnMs;
    const until = from + Math.min(mostMs, Math.max(allReturnsMs, mostMs) - place.waitedMs);
    let isBack = await this.#listens(url);
    while (!isBack && performance.now() < until) {
      await after(pollMs);
      isBack = await this.#listens(url);
    }
    place.waitedMs += performance.now() - from;
    return isBack;
  }

  /**
   * Whether something listens: a connection can be made and stays open. A terminating process may still accept one, so
   * a connection that is closed at once is tried again. Only a refused connection counts as no.
   */
  async #listens(url: string): Promise<boolean> {
    // The proxy of a container runtime still accepts connections.
    if (this.#restarting?.exits.isDown === true) return false;
    for (let tries = 0; tries < triesToStay; tries++) {
      const outcome = await connectOnce(url, this.#routes.to(url));
      if (outcome !== 'closed') return outcome === 'stays';
    }
    return true;
  }

  #place(url: string): AddressState {
    const key = placeAt(url);
    let place = this.#places.get(key);
    if (!place) this.#places.set(key, (place = { inFlight: new Set(), waitedMs: 0 }));
    return place;
  }
}

function connectOnce(url: string, route: Route, waitMs = stayMs): Promise<'stays' | 'closed' | 'refused'> {
  const { hostname: host, port } = endpointOf(url);
  return new Promise((resolve) => {
    let tcp: Abortable | undefined;
    const end = (outcome: 'stays' | 'closed' | 'refused') => {
      clearTimeout(timer);
      tcp?.destroy();
      resolve(outcome);
    };
    let timer = setTimeout(() => end('stays'), connectMs);
    const connected = (socket: Socket) => {
      clearTimeout(timer);
      timer = setTimeout(() => end('stays'), waitMs);
      socket.once('error', () => end('closed'));
      socket.once('end', () => end('closed'));
      socket.resume();
    };
    connectOnRoute(
      route,
      { host, port, timeoutMs: connectMs },
      (opening) => (tcp = opening),
      (error, socket) => {
        if (socket) connected(socket);
        else end(isRefusal(error) ? 'refused' : 'stays');
      },
    );
  });
}

/** A proxy that works and cannot connect to the endpoint counts as a refusal. */
function isRefusal(error: NodeJS.ErrnoException | null): boolean {
  return error instanceof ProxyError ? error.isEndpoints : error?.code === 'ECONNREFUSED';
}

function after(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}
