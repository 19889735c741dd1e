import { setTimeout as delay } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';

const channelName = 'svc-conform/process-groups';
/** Milliseconds between two checks whether a group still exists. */
const pollMs = 20;

/** Sends a signal to every process of a group. `false` when none is left. Signal 0 only checks. */
export function signalGroup(id: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(process.platform === 'win32' ? id : -id, signal);
    return true;
  } catch {
    return false;
  }
}

/** Asks every process of a group to exit, and kills those that remain after `withinMs` milliseconds. */
export async function endGroup(id: number, { withinMs }: { withinMs: number }): Promise<void> {
  const until = performance.now() + withinMs;
  if (!signalGroup(id, 'SIGTERM')) return;
  while (performance.now() < until) {
    await delay(pollMs);
    if (!signalGroup(id, 0)) return;
  }
  signalGroup(id, 'SIGKILL');
}

/**
 * Reports from a worker to the command line that a group runs or has ended, so that none outlives an interrupted run.
 */
export function reportGroup(id: number, runs: boolean): void {
  const channel = new BroadcastChannel(channelName);
  channel.postMessage({ id, runs });
  channel.close();
}

/** Tracks the groups that workers report; `killAll` kills those that still run. */
export function watchGroups(): Disposable & { killAll: () => void } {
  const running = new Set<number>();
  const channel = new BroadcastChannel(channelName);
  channel.onmessage = (event) => {
    const { id, runs } = (event as { data: { id: number; runs: boolean } }).data;
    if (runs) running.add(id);
    else running.delete(id);
  };
  channel.unref();
  return {
    killAll: () => {
      for (const id of running) signalGroup(id, 'SIGKILL');
    },
    [Symbol.dispose]: () => channel.close(),
  };
}
