import { AsyncLocalStorage } from 'node:async_hooks';

/** Ends a delivery or a call that waited for its turn and is no longer wanted. It was not sent. */
export class NotWanted extends Error {
  override readonly name = 'NotWanted';
}

const wanted = new AsyncLocalStorage<() => boolean>();

/** Runs a function whose deliveries and calls are sent only if they are still wanted when it is their turn. */
export function whileWanted<T>(isWanted: () => boolean, run: () => Promise<T>): Promise<T> {
  return wanted.run(isWanted, run);
}

/** Throws {@link NotWanted} if what is about to be sent is no longer wanted. */
export function assertWanted(): void {
  if (wanted.getStore()?.() === false) throw new NotWanted();
}
