import { differences, differingPlaces, type ValueDifference } from './differences.ts';
import { hasField, putField, sameJson } from './json-values.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { pointerSegment } from '../specs/json-pointer.ts';
import type { JsonObject } from '../specs/json-value.ts';

export interface MinimiseOptions {
  /** Deadline in milliseconds on the clock of `now`. A running attempt is completed. */
  readonly deadline: number;
  /** Invalid candidates are never tried. */
  readonly isValid: (candidate: unknown) => boolean;
  readonly now?: () => number;
}

export interface Minimised<T> {
  /** The closest failing value found. */
  readonly event: T;
  /** The remaining differences. */
  readonly differences: readonly ValueDifference[];
  readonly tries: number;
  /** Whether every remaining difference is needed; false when time ran out. */
  readonly complete: boolean;
}

/**
 * The smallest set of differences to an accepted value that still fails, by delta debugging: halves, then ever smaller
 * parts of the differences are undone as long as the value still fails. Unlike shrinking, it keeps the shape of an
 * accepted value, so that the cause is visible. `failing` is assumed to fail and is not tried again.
 */
export async function minimise<T>(
  failing: T,
  accepted: T,
  stillFails: (candidate: T) => Promise<boolean>,
  options: MinimiseOptions,
): Promise<Minimised<T>> {
  const now = options.now ?? Date.now;
  const seen = new Map<string, boolean>();
  let tries = 0;
  let inTime = true;
  let kept = [...differingPlaces(failing, accepted)].map(({ pointer }) => pointer);
  let event: T = failing;

  const attempt = async (pointers: readonly string[]): Promise<boolean> => {
    const candidate = combine(failing, accepted, new Set(pointers), '') as T;
    const key = JSON.stringify(candidate);
    const known = seen.get(key);
    if (known !== undefined) return known;
    if (sameJson(candidate, accepted) || !options.isValid(candidate)) return false;
    if (now() >= options.deadline) {
      inTime = false;
      return false;
    }
    tries++;
    const fails = await stillFails(candidate);
    seen.set(key, fails);
    if (fails) event = candidate;
    return fails;
  };

  for (let count = 2; kept.length > 1 && inTime;) {
    const chunks = cut(kept, Math.min(count, kept.length));
    const smaller = await firstFailing([...chunks, ...chunks.map((chunk) => without(kept, chunk))], attempt);
    if (smaller !== undefined) {
      count = smaller.length <= kept.length / 2 ? 2 : Math.max(2, Math.min(count, kept.length) - 1);
      kept = [...smaller];
    } else if (count >= kept.length) {
      break;
    } else {
      count = Math.min(kept.length, count * 2);
    }
  }
  return { event, differences: differences(event, accepted), tries, complete: inTime };
}

async function firstFailing(
  candidates: readonly (readonly string[])[],
  attempt: (pointers: readonly string[]) => Promise<boolean>,
): Promise<readonly string[] | undefined> {
  for (const candidate of candidates) if (await attempt(candidate)) return candidate;
  return undefined;
}

function cut(list: readonly string[], count: number): string[][] {
  return Array.from({ length: count }, (_, index) =>
    list.slice(Math.floor((index * list.length) / count), Math.floor(((index + 1) * list.length) / count)),
  );
}

function without(list: readonly string[], gone: readonly string[]): string[] {
  const away = new Set(gone);
  return list.filter((each) => !away.has(each));
}

/** The accepted value, with the failing one's content at the chosen places. */
function combine(failing: unknown, accepted: unknown, chosen: ReadonlySet<string>, pointer: string): unknown {
  if (sameJson(failing, accepted)) return accepted;
  if (Array.isArray(failing) && Array.isArray(accepted)) {
    const items: unknown[] = [];
    for (let index = 0; index < Math.max(failing.length, accepted.length); index++) {
      const item = combine(failing[index], accepted[index], chosen, pointer + pointerSegment(index));
      if (item !== undefined) items.push(item);
    }
    return items;
  }
  if (!isJsonObject(failing) || !isJsonObject(accepted)) return chosen.has(pointer) ? failing : accepted;
  const combined: JsonObject = {};
  for (const name of new Set([...Object.keys(accepted), ...Object.keys(failing)])) {
    const ours = hasField(failing, name) ? failing[name] : undefined;
    const theirs = hasField(accepted, name) ? accepted[name] : undefined;
    const field = combine(ours, theirs, chosen, pointer + pointerSegment(name));
    if (field !== undefined) putField(combined, name, field);
  }
  return combined;
}
