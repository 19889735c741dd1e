import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two connections: nothing is sent on them, and a restart takes longer. */
const pollMs = 200;
/** Milliseconds for one connection. */
const connectMs = 2_000;

/** An address of an endpoint, without brackets around an IPv6 address. */
export interface WatchedPlace {
  hostname: string;
  port: number;
}

/**
 * Resolves when one of these places has refused connections and all accept them again. Rejects when `signal` aborts.
 *
 * @param isAccepted reports whether a place accepts a connection
 */
export async function untilReturned(
  places: readonly WatchedPlace[],
  signal: AbortSignal,
  isAccepted = accepts,
): Promise<void> {
  let wasGone = false;
  for (;;) {
    const accepted = await Promise.all(places.map(isAccepted));
    if (!accepted.every(Boolean)) wasGone = true;
    else if (wasGone) return;
    await delay(pollMs, undefined, { signal });
  }
}

/** Whether a place accepts a connection, which is closed at once. */
export function accepts({ hostname, port }: WatchedPlace): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port, timeout: connectMs });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
