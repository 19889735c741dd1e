import { BroadcastChannel } from 'node:worker_threads';

const channelName = 'svc-conform/endpoint-exits';

/** Reports to all workers that the endpoint of the run ended and is about to be started again. */
export function reportEndpointExit(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('exit');
  channel.close();
}

/** Counts how often the endpoint of the run ended. */
export class EndpointExits implements Disposable {
  readonly #channel = new BroadcastChannel(channelName);
  #count = 0;

  constructor() {
    this.#channel.onmessage = () => this.#count++;
    this.#channel.unref();
  }

  get count(): number {
    return this.#count;
  }

  [Symbol.dispose](): void {
    this.#channel.close();
  }
}
