import { differences } from '../../generators/differences.ts';
import { plainItems } from './plain-items.ts';
import { parentOf, withValueAt } from './places.ts';
import { valueAt } from '../../specs/json-pointer.ts';
import type { JsonObject } from '../../specs/json-value.ts';

export interface Narrowed {
  failing: JsonObject;
  accepted: JsonObject;
}

/**
 * Reduces the lists of a failing event as far as possible, with an accepted event that differs in one item if their number
 * is the cause. Bisection needs far fewer deliveries than testing items one by one.
 */
export async function narrowLists(
  { failing, accepted }: Narrowed,
  isRefused: (event: JsonObject) => Promise<boolean>,
): Promise<Narrowed> {
  let now: Narrowed = { failing, accepted };
  for (const list of longerLists(failing, accepted)) {
    const theirs = valueAt(accepted, list) as unknown[];
    const without = withValueAt(now.failing, list, theirs);
    // Only one list at a time can be the cause.
    now = (await isRefused(without)) ? { ...now, failing: without } : await narrowList(now, list, isRefused);
  }
  return now;
}

async function narrowList(
  { failing, accepted }: Narrowed,
  list: string,
  isRefused: (event: JsonObject) => Promise<boolean>,
): Promise<Narrowed> {
  const ours = valueAt(failing, list) as unknown[];
  const theirs = valueAt(accepted, list) as unknown[];
  const withItems = (items: readonly unknown[]) => withValueAt(failing, list, items);
  let [acceptedCount, refusedCount] = [theirs.length - 1, ours.length];
  while (refusedCount - acceptedCount > 1) {
    const middle = Math.floor((acceptedCount + refusedCount) / 2);
    if (await isRefused(withItems(ours.slice(0, middle)))) refusedCount = middle;
    else acceptedCount = middle;
  }
  const fewest = ours.slice(0, refusedCount);
  const plain = theirs[0] ?? plainItems[parentOf(list).name];
  if (refusedCount <= theirs.length || plain === undefined) return { failing: withItems(fewest), accepted };
  const plainOnes = fewest.map((_, at) => theirs[at] ?? plain);
  if (await isRefused(withItems(plainOnes))) {
    const oneLess = withValueAt(accepted, list, plainOnes.slice(0, -1));
    // One fewer is accepted with the rest of the failing event; it has to be with the plain one as well.
    if (!(await isRefused(oneLess))) return { failing: withItems(plainOnes), accepted: oneLess };
    return { failing: withItems(plainOnes), accepted };
  }
  const lastAlone = withItems([...theirs, ...fewest.slice(-1)]);
  return { failing: (await isRefused(lastAlone)) ? lastAlone : withItems(fewest), accepted };
}

/** Pointers of lists that have more items in the failing event. */
function longerLists(failing: JsonObject, accepted: JsonObject): string[] {
  const added = differences(failing, accepted, 1_000)
    .map(({ pointer }) => ({ pointer, parent: parentOf(pointer).parent }))
    .filter(({ pointer, parent }) => {
      const isAdded = valueAt(accepted, pointer) === undefined && valueAt(failing, pointer) !== undefined;
      return isAdded && Array.isArray(valueAt(failing, parent)) && Array.isArray(valueAt(accepted, parent));
    });
  return [...new Set(added.map(({ parent }) => parent))];
}
