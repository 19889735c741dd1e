import { BroadcastChannel } from 'node:worker_threads';

const channelName = 'svc-conform/progress';

/** Something that a person who waits wants to know. */
export interface Progress {
  text: string;
}

/** Tells the command line, from a worker, what is being waited for. */
export function reportProgress(text: string): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ text } satisfies Progress);
  channel.close();
}

/** Hears what workers tell. */
export function onProgress(listener: (progress: Progress) => void): Disposable {
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = (event) => listener((event as { data: Progress }).data);
  channel.unref();
  return { [Symbol.dispose]: () => channel.close() };
}
