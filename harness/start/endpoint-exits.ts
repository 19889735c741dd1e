import { setTimeout as delay } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';

const channelName = 'svc-conform/endpoint-exits';
/** Milliseconds between two checks whether an exit was reported. */
const pollMs = 10;

/** Reports to all workers that the endpoint of the run ended, or that it listens again. */
export function reportEndpoint(state: 'ended' | 'listens'): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage(state);
  channel.close();
}

/** Counts how often the endpoint of the run ended. */
export class EndpointExits implements Disposable {
  readonly #channel = new BroadcastChannel(channelName);
  #count = 0;
  #isDown = false;

  constructor() {
    this.#channel.onmessage = (event) => {
      this.#isDown = (event as { data: string }).data === 'ended';
      if (this.#isDown) this.#count++;
    };
    this.#channel.unref();
  }

  get count(): number {
    return this.#count;
  }

  /** Whether it ended and does not listen again yet. What accepts connections then is not the endpoint. */
  get isDown(): boolean {
    return this.#isDown;
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
