import { hasField, sameJson } from './json-values.ts';
import { isJsonObject, isJsonContainer } from '../specs/json-object.ts';
import { pointerSegment } from '../specs/json-pointer.ts';

/** One difference between two values. The strings are JSON, shortened if long, or `(missing)`. */
export interface ValueDifference {
  /** JSON Pointer into the value. */
  readonly pointer: string;
  readonly failing: string;
  readonly accepted: string;
}

export const MISSING = '(missing)';

/** Most rows that are shown: a person does not compare more at a glance. */
export const MOST_ROWS = 12;
const MOST_CHARACTERS = 120;
/** Characters that a reader cannot see or that change what is seen: control, format, lone surrogate, line ends. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Differences between a failing value and an accepted one, in the order of the failing one, at most `limit`. */
export function differences(failing: unknown, accepted: unknown, limit: number = MOST_ROWS): ValueDifference[] {
  const rows: ValueDifference[] = [];
  for (const place of differingPlaces(failing, accepted)) {
    if (rows.length >= limit) break;
    rows.push({ pointer: place.pointer, failing: shortJson(place.failing), accepted: shortJson(place.accepted) });
  }
  return rows;
}

/** The accepted value with the fewest differences, the earliest among equals. undefined when there is none. */
export function nearest<T>(accepted: readonly T[], failing: unknown): T | undefined {
  let best: T | undefined;
  let fewest = Infinity;
  for (const value of accepted) {
    let count = 0;
    for (const place of differingPlaces(failing, value)) {
      count += leaves(place.failing) + leaves(place.accepted);
      if (count >= fewest) break;
    }
    if (count < fewest) [best, fewest] = [value, count];
  }
  return best;
}

interface ComparedPlace {
  readonly pointer: string;
  /** undefined: missing. */
  readonly failing: unknown;
  readonly accepted: unknown;
}

/** Smallest places that differ. Items of arrays are compared by position. */
export function* differingPlaces(failing: unknown, accepted: unknown, pointer = ''): Generator<ComparedPlace> {
  if (sameJson(failing, accepted)) return;
  if (Array.isArray(failing) && Array.isArray(accepted)) {
    for (let index = 0; index < Math.max(failing.length, accepted.length); index++) {
      yield* differingPlaces(failing[index], accepted[index], pointer + pointerSegment(index));
    }
  } else if (isJsonObject(failing) && isJsonObject(accepted)) {
    const names = [...Object.keys(failing), ...Object.keys(accepted).filter((name) => !hasField(failing, name))];
    for (const name of names) {
      const ours = hasField(failing, name) ? failing[name] : undefined;
      const theirs = hasField(accepted, name) ? accepted[name] : undefined;
      yield* differingPlaces(ours, theirs, pointer + pointerSegment(name));
    }
  } else {
    yield { pointer, failing, accepted };
  }
}

function leaves(value: unknown): number {
  if (value === undefined) return 0;
  if (!isJsonContainer(value)) return 1;
  return Object.values(value).reduce((sum: number, each) => sum + leaves(each), 1);
}

function shortJson(value: unknown): string {
  if (value === undefined) return MISSING;
  const text = JSON.stringify(value).replace(INVISIBLE, escaped);
  const points = [...text.slice(0, 2 * MOST_CHARACTERS + 2)];
  return points.length <= MOST_CHARACTERS ? text : `${points.slice(0, MOST_CHARACTERS - 1).join('')}…`;
}

/** The `\\u` form of a character, which is the same JSON. */
function escaped(char: string): string {
  return Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(
    '',
  );
}
