import type { Observation } from '../harness/wire/observation.ts';
import { requireControl } from './require-control.ts';

/** Attempts to have a connection that the endpoint keeps open after its answer. */
const attempts = 3;

/**
 * Sends `accepted`, and then `bad` on a connection that is already open: a program that checks the credentials of a
 * connection once accepts both. `undefined` if no open connection was used.
 */
export async function sendOnUsedConnection<Sent extends Observation>(
  accepted: () => Promise<Observation>,
  bad: () => Promise<Sent>,
): Promise<Sent | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    requireControl(await accepted(), 'a delivery with the valid credentials');
    // The client releases a connection only in a later tick.
    await new Promise((wake) => setImmediate(wake));
    const sent = await bad();
    if (sent.times.connectMs === null) return sent;
  }
  return undefined;
}

/** Reason if no connection was reused. */
export const noUsedConnection = 'No connection was used twice: the endpoint, or the limits of the config, prevent it.';
