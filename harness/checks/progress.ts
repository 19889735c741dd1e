import { BroadcastChannel } from 'node:worker_threads';

const channelName = 'svc-conform/progress';

/** A progress message for the user. */
export interface Progress {
  text: string;
}

/** Sends a progress message from a worker to the command line. */
export function reportProgress(text: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ text } satisfies Progress);
  channel.close();
}

/** Subscribes to the progress messages of workers. */
export function onProgress(listener: (progress: Progress) => void): Disposable {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = (event) => listener((event as { data: Progress }).data);
  channel.unref();
  return { [Symbol.dispose]: () => channel.close() };
}
