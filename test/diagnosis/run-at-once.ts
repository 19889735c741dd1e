import { onThisMachine } from '../machine-speed.ts';

/**
 * Runs each item once, at most `atOnce` of them at a time, down to half as many on a slow machine, and returns the promise
 * of each result. For diagnoses, which wait for most of their time.
 */
export function runAtOnce<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  run: (item: Item) => Promise<Result>,
): Map<Item, Promise<Result>> {
  const jobs = items.map((item) => ({ item, ...Promise.withResolvers<Result>() }));
  // Prevents an unhandled rejection: the test that awaits the promise gets the error.
  for (const { promise } of jobs) promise.catch(() => undefined);
  const waiting = jobs.values();
  const work = async () => {
    for (const { item, resolve, reject } of waiting) await run(item).then(resolve, reject);
  };
  for (let lane = 0; lane < Math.max(atOnce / 2, onThisMachine(atOnce)); lane++) void work();
  return new Map(jobs.map(({ item, promise }) => [item, promise]));
}
