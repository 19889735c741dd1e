import { setTimeout as delay } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';

const channelName = 'svc-conform/endpoint-exits';
/** Milliseconds between two checks whether an exit was reported. */
const pollMs = 10;

interface InstanceReport {
  state: 'ended' | 'listens';
  /** The instance, from 0, and the number of instances. */
  index: number;
  of: number;
}

/** Reports to all workers that an instance of the endpoint ended, or that it listens again. */
export function reportEndpoint(
  state: InstanceReport['state'],
  { index, of }: Pick<InstanceReport, 'index' | 'of'>,
): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ state, index, of } satisfies InstanceReport);
  channel.close();
}

/** Counts how often the endpoint of the run ended: each of its instances. */
export class EndpointExits implements Disposable {
  readonly #channel = new BroadcastChannel(channelName);
  readonly #down = new Set<number>();
  #count = 0;
  #instances = 1;

  constructor() {
    this.#channel.onmessage = (event) => {
      const { state, index, of } = (event as { data: InstanceReport }).data;
      this.#instances = of;
      if (state === 'listens') {
        this.#down.delete(index);
      } else {
        this.#down.add(index);
        this.#count++;
      }
    };
    this.#channel.unref();
  }

  get count(): number {
    return this.#count;
  }

  /** Whether no instance listens since they ended. What accepts connections then is not the endpoint. */
  get isDown(): boolean {
    return this.#down.size >= this.#instances;
  }

  /** Whether it ended after `before` exits; an exit that is reported within this time counts. */
  async hasEndedSince(before: number, { withinMs }: { withinMs: number }): Promise<boolean> {
    const until = performance.now() + withinMs;
    while (this.#count <= before && performance.now() < until) await delay(pollMs);
    return this.#count > before;
  }

  [Symbol.dispose](): void {
    this.#channel.close();
  }
}
