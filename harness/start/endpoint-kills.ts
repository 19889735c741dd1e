import { BroadcastChannel } from 'node:worker_threads';

const channelName = 'svc-conform/endpoint-kills';

/** Asks the command line, which started the endpoint, to kill it and to start it again. */
export function requestKill(): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage('kill');
  channel.close();
}

/** Kills the endpoint whenever a worker asks for it, until it is disposed. `kill` never rejects. */
export function killOnRequest(kill: () => Promise<void> | void): Disposable {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = () => void kill();
  channel.unref();
  return { [Symbol.dispose]: () => channel.close() };
}
