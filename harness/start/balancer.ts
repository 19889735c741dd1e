import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two attempts to reach an instance that refused a connection, or to listen again. */
const pollMs = 50;

/** Where a TCP server listens. */
export interface Listener {
  host: string;
  port: number;
}

/**
 * Forwards the TCP connections of one address to the instances of an endpoint, in turn. An instance is chosen when the
 * first bytes of the client arrive, so that a connection without any uses up no turn. While no instance is ready,
 * nothing listens at the address.
 */
export class Balancer implements AsyncDisposable {
  readonly #address: Listener;
  /** Where each instance listens, by its index. */
  readonly #places = new Map<number, Listener>();
  /** Instances that refused a connection and have accepted none since. */
  readonly #refusing = new Set<number>();
  /** Connections of clients that have sent nothing yet. */
  readonly #silent = new Set<Socket>();
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #isOpen = false;
  #latest: number | undefined;
  #previous = -1;

  /** @param address where clients connect */
  constructor(address: Listener) {
    this.#address = address;
  }

  /** The instance that received the latest bytes of a client. */
  get latest(): number | undefined {
    return this.#latest;
  }

  /** Registers where an instance is ready; `undefined`: it is not. */
  setPlace(index: number, place: Listener | undefined): void {
    this.#refusing.delete(index);
    if (place) this.#places.set(index, place);
    else this.#places.delete(index);
    this.#update();
  }

  /** Listens from now on whenever an instance is ready. Rejects when that is not possible. */
  async open(): Promise<void> {
    this.#isOpen = true;
    if (this.#isReady) await this.#listen();
  }

  get #isReady(): boolean {
    return [...this.#places.keys()].some((index) => !this.#refusing.has(index));
  }

  #update(): void {
    if (!this.#isOpen) return;
    if (this.#isReady) {
      if (!this.#server) void this.#listenAgain();
      return;
    }
    this.#server?.close();
    this.#server = undefined;
    for (const client of this.#silent) client.destroy();
  }

  async #listen(): Promise<void> {
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => this.#accept(client));
    this.#server = server;
    try {
      await once(server.listen(this.#address.port, this.#address.host), 'listening');
    } catch (error) {
      if (this.#server === server) this.#server = undefined;
      throw error;
    }
    server.on('error', () => undefined);
    // The last instance may have ended during the lookup of the host name.
    if (this.#server !== server) server.close();
  }

  async #listenAgain(): Promise<void> {
    try {
      await this.#listen();
    } catch {
      // Another program has used the port in the meantime.
      await delay(pollMs);
      this.#update();
    }
  }

  #accept(client: Socket): void {
    this.#track(client);
    this.#silent.add(client);
    client.once('close', () => this.#silent.delete(client));
    client.on('error', () => client.destroy());
    const onEnd = () => client.end();
    client.once('end', onEnd);
    client.once('data', (first: Buffer) => {
      client.pause().off('end', onEnd);
      this.#silent.delete(client);
      this.#forward(client, first);
    });
  }

  #forward(client: Socket, first: Buffer): void {
    const index = this.#next();
    const place = index === undefined ? undefined : this.#places.get(index);
    if (index === undefined || !place) {
      client.destroy();
      return;
    }
    this.#previous = index;
    const instance = connect({ ...place, allowHalfOpen: true, noDelay: true });
    this.#track(instance);
    const onRefused = () => {
      void this.#awaitInstance(index, place);
      this.#forward(client, first);
    };
    instance.once('error', onRefused);
    instance.once('connect', () => {
      instance.off('error', onRefused);
      if (client.destroyed) {
        instance.destroy();
        return;
      }
      this.#latest = index;
      client.on('data', () => (this.#latest = index));
      instance.write(first);
      joinSockets(client, instance);
    });
  }

  /** The next ready instance in turn. */
  #next(): number | undefined {
    const ready = [...this.#places.keys()].filter((index) => !this.#refusing.has(index)).toSorted((a, b) => a - b);
    return ready.find((index) => index > this.#previous) ?? ready[0];
  }

  /** Passes an instance over until it accepts connections again. */
  async #awaitInstance(index: number, place: Listener): Promise<void> {
    if (this.#places.get(index) !== place || this.#refusing.has(index)) return;
    this.#refusing.add(index);
    this.#update();
    const isAwaited = () => this.#isOpen && this.#refusing.has(index) && this.#places.get(index) === place;
    while (isAwaited()) {
      await delay(pollMs);
      if (!(await accepts(place)) || !isAwaited()) continue;
      this.#refusing.delete(index);
      this.#update();
    }
  }

  #track(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOpen = false;
    const server = this.#server;
    this.#server = undefined;
    const closed = server && once(server, 'close');
    server?.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

/** Why nothing can listen at an address; `undefined` if something can. */
export async function listenError({ host, port }: Listener): Promise<NodeJS.ErrnoException | undefined> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
  await new Promise((resolve) => server.close(resolve));
  return undefined;
}

/** Forwards bytes, half-closed connections and resets in both directions. */
function joinSockets(client: Socket, instance: Socket): void {
  for (const [from, to] of [
    [client, instance],
    [instance, client],
  ] as const) {
    from.on('error', () => to.resetAndDestroy());
    from.once('close', () => {
      if (from.readableEnded) to.destroySoon();
      else to.resetAndDestroy();
    });
    from.pipe(to);
  }
}

async function accepts({ host, port }: Listener): Promise<boolean> {
  const socket = connect(port, host);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
