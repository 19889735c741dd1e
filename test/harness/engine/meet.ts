const both = Promise.withResolvers<void>();
let count = 0;

/** Waits until it was called twice. */
export function meet(): Promise<void> {
  if (++count === 2) both.resolve();
  return both.promise;
}
