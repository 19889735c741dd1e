import type { EndpointLogs } from './endpoint-logs.ts';
import { Balancer, type Listener } from './balancer.ts';
import { ExitRecord, type EndpointExit } from './exit-record.ts';
import type { InstanceRole } from './instance-role.ts';

/** A started process or container. */
export interface StartedInstance extends AsyncDisposable {
  readonly logs: EndpointLogs;
  /** Whether it could not be started again. */
  readonly isDown: boolean;
  /** Where it listens, once it is ready. */
  readonly listener: Listener | undefined;
  /** Starts it and waits until it is ready. */
  start: () => Promise<void>;
  /** Kills it at once; it is started again. */
  kill: () => Promise<void> | void;
}

/** How many instances are started, and the address that all of them share. */
export interface InstanceNumbers {
  count: number;
  /** Where clients connect, if there are several. */
  address: Listener;
}

/** The instances of an endpoint: one, or several behind one address. Disposing ends all of them, and may be repeated. */
export class StartedInstances<Instance extends StartedInstance> implements AsyncDisposable {
  readonly all: readonly Instance[];
  readonly #exits = new ExitRecord();
  readonly #address: Listener;
  readonly #balancer: Balancer | undefined;

  /** @param create creates one instance, without starting it */
  constructor({ count, address }: InstanceNumbers, create: (role: InstanceRole) => Instance) {
    this.#address = address;
    this.#balancer = count > 1 ? new Balancer(address) : undefined;
    this.all = Array.from({ length: count }, (_, index) =>
      create({
        index,
        of: count,
        exits: this.#exits,
        onListening: (isListening) =>
          this.#balancer?.setPlace(index, isListening ? this.all[index]?.listener : undefined),
      }),
    );
  }

  /** Where clients connect, once they are ready. */
  get listener(): Listener {
    return (this.#balancer ? undefined : this.all[0]?.listener) ?? this.#address;
  }

  /** How they ended on their own during the run, if any did. */
  get exit(): EndpointExit | undefined {
    return this.#exits.latest;
  }

  /** Whether one of them could not be started again. */
  get isDown(): boolean {
    return this.all.some(({ isDown }) => isDown);
  }

  /** Starts all of them. Throws what the start of one throws. */
  async start(): Promise<void> {
    await Promise.all(this.all.map(async (instance) => await instance.start()));
    await this.#balancer?.open();
  }

  /** Kills the one that received the latest bytes; it is started again. Never rejects. */
  async kill(): Promise<void> {
    const index = this.#balancer?.latest ?? 0;
    // The delivery is repeated as soon as its connection closes.
    this.#balancer?.setPlace(index, undefined);
    await this.all[index]?.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#balancer?.[Symbol.asyncDispose]();
    await Promise.all(this.all.map(async (instance) => await instance[Symbol.asyncDispose]()));
  }
}
