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
 * Resolves when one of these places has refused connections and accepts them again, whether the others are there or not.
 * Rejects when `signal` aborts.
 *
 * @param isAccepted reports whether a place accepts a connection
 */
export async function untilReturned(
  places: readonly WatchedPlace[],
  signal: AbortSignal,
  isAccepted = accepts,
): Promise<void> {
  const gone = new Set<WatchedPlace>();
  for (;;) {
    const states = await Promise.all(places.map(async (place) => ({ place, isThere: await isAccepted(place) })));
    if (states.some(({ place, isThere }) => isThere && gone.has(place))) return;
    for (const { place, isThere } of states) if (!isThere) gone.add(place);
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
