import { differences, MISSING } from '../../generators/differences.ts';
import { minimise } from '../../generators/minimise.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import type { Found } from '../outcome.ts';
import { narrowString } from './narrow-string.ts';
import { dotted, parentOf, withValueAt } from './places.ts';
import { pointerSegment, valueAt } from '../../specs/json-pointer.ts';
import type { StringTrait } from './string-traits.ts';
import { plainItems } from './plain-items.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** Largest signed 32-bit integer. */
const int32 = 2_147_483_647;
/** Enumerated fields with their current values. */
const words: Readonly<Record<string, readonly string[]>> = {
  channel: ['whatsapp', 'webchat', 'telegram', 'chat'],
  role: ['customer', 'agent', 'team', 'system'],
  state: ['on', 'paused', 'off'],
  kind: ['forward', 'alert', 'in_person'],
  status: ['proposed', 'confirmed', 'cancelled'],
  language: ['de-DE', 'en-US'],
  protocol: [],
};

/** Optional fields; any other added field is unknown. */
const optional = new Set(['name', 'phone', 'email', 'description', 'pausedUntil']);
/** Most differences that are tested separately and listed. */
const mostApart = 4;

export interface EventPair {
  /** The refused event with the smallest known difference from the accepted one. */
  failing: JsonObject;
  accepted: JsonObject;
  isRefused: (event: JsonObject) => Promise<boolean>;
  /** The traits of strings that earlier differences had; updated. */
  knownTraits: StringTrait[];
  /** On the clock of `performance.now()`. */
  deadline: number;
  /** Characters of the longest plain string that was accepted at a place. */
  longest: (pointer: string) => number;
}

/** Names the difference in the smallest failing event by testing replacements. */
export async function nameDifference(pair: EventPair): Promise<Found> {
  const { failing, accepted } = pair;
  const rows = differences(failing, accepted, 100);
  const lists = new Set(rows.map(({ pointer }) => listOf(pointer, failing, accepted)));
  const [list] = lists;
  if (lists.size === 1 && list !== undefined) return await nameList(pair, list);
  const [row] = rows;
  if (row && rows.length > 1) {
    // Parts that a valid event cannot separate have not been tested separately yet.
    for (const { pointer } of rows.slice(0, mostApart)) {
      const alone = withValueAt(accepted, pointer, valueAt(failing, pointer));
      if (await pair.isRefused(alone)) return await namePlace({ ...pair, failing: alone }, pointer);
    }
  }
  if (!row || rows.length > 1) {
    const places = rows
      .slice(0, mostApart)
      .map(({ pointer, failing: value }) => `${dotted(pointer)} ${value === MISSING ? 'is missing' : `is ${value}`}`);
    return {
      id: 'payload/combination',
      summary: `The event fails when ${places.join(' and ')}, but not with only one of these.`,
    };
  }
  return await namePlace(pair, row.pointer);
}

/** The list with added or removed items, if that is the difference. */
function listOf(pointer: string, failing: JsonObject, accepted: JsonObject): string | undefined {
  const { parent } = parentOf(pointer);
  const [ours, theirs] = [valueAt(failing, parent), valueAt(accepted, parent)];
  const isItem = Array.isArray(ours) && Array.isArray(theirs);
  return isItem && (valueAt(failing, pointer) === undefined || valueAt(accepted, pointer) === undefined)
    ? parent
    : undefined;
}

async function nameList(pair: EventPair, list: string): Promise<Found> {
  const { failing, accepted, isRefused, deadline } = pair;
  const [ours, theirs] = [valueAt(failing, list) as unknown[], valueAt(accepted, list) as unknown[]];
  const place = dotted(list);
  if (ours.length === 0)
    return { id: 'payload/empty-list', summary: `The event fails when ${place} is an empty list.` };
  const plain = theirs[0] ?? plainItems[parentOf(list).name];
  if (plain === undefined) return many(place, ours.length, theirs.length);
  const uniform = withValueAt(
    failing,
    list,
    ours.map((_, at) => theirs[at] ?? plain),
  );
  if (await isRefused(uniform)) return many(place, ours.length, theirs.length);
  // The number of items is not the cause, but the content of one of them.
  const inner = await minimise(failing, uniform, isRefused, {
    deadline,
    isValid: () => true,
    now: () => performance.now(),
  });
  const rows = differences(inner.event, uniform, 100);
  const [row] = rows;
  if (row && rows.length === 1)
    return await namePlace({ ...pair, failing: inner.event, accepted: uniform }, row.pointer);
  return { id: 'payload/combination', summary: `The event fails for a combination of fields in an item of ${place}.` };
}

function many(place: string, count: number, accepted: number): Found {
  return count > accepted
    ? {
        id: 'payload/many-items',
        summary: `The event fails when ${place} has ${count} items, even plain ones; with one fewer it is accepted.`,
      }
    : {
        id: 'payload/combination',
        summary: `The event fails when ${place} has ${count} items instead of ${accepted}.`,
      };
}

async function namePlace(pair: EventPair, pointer: string): Promise<Found> {
  const { failing, accepted, isRefused, knownTraits } = pair;
  const [value, other] = [valueAt(failing, pointer), valueAt(accepted, pointer)];
  const place = dotted(pointer);
  const { parent, name } = parentOf(pointer);
  const inMetadata = parentOf(parent).name === 'metadata' || parent.endsWith('/metadata');
  const withText = (text: string) => isRefused(withValueAt(failing, pointer, text));
  if (value === undefined) return { id: 'payload/missing-field', summary: `The event fails when ${place} is missing.` };
  if (inMetadata && other === undefined) {
    const withKey = (key: string) =>
      isRefused(withValueAt(withValueAt(failing, pointer, undefined), `${parent}${pointerSegment(key)}`, value));
    // A plain key is needed as the control: without it, any further key may be the cause.
    const inKey = name === '' ? undefined : await narrowString(name, 'a key of metadata', withKey);
    if (inKey && inKey.id !== 'payload/text-value') return inKey;
    return { id: 'payload/map-name', summary: `The event fails when metadata has the key ${shortJson(name)}.` };
  }
  if (value === null) return { id: 'payload/null-field', summary: `The event fails when ${place} is null.` };
  if (other === undefined && !optional.has(name)) {
    return {
      id: 'payload/unknown-field',
      summary: `The event fails when it has an unknown field: ${place}.`,
    };
  }
  const { [name]: known } = words;
  if (typeof value === 'string' && known && !inMetadata) {
    const isNew = !known.includes(value);
    const which = isNew ? 'a value that is not known yet' : 'a value that the interface lists';
    return {
      id: isNew ? 'payload/unknown-value' : 'payload/known-value',
      summary: `The event fails when ${place} is ${shortJson(value)}, ${which}.`,
    };
  }
  if (typeof value === 'string') {
    const found = await narrowString(value, place, withText, {
      known: knownTraits,
      // Where no string was accepted, plain letters have to be tried.
      longest: typeof other === 'string' ? pair.longest(pointer) : 0,
    });
    if (found) return found;
    // Plain letters may be refused if a number or date is expected.
    return setOrThere(place, value, other);
  }
  if (typeof value === 'number' && value > int32) return await nameNumber(pair, pointer, value, other);
  if (other === null || other === undefined) return setOrThere(place, value, other);
  if (isJsonObject(value) || Array.isArray(value))
    return { id: 'payload/set-field', summary: `The event fails when ${place} has ${shortJson(value)}.` };
  return {
    id: 'payload/known-value',
    summary: `The event fails when ${place} is ${shortJson(value)} instead of ${shortJson(other)}.`,
  };
}

function setOrThere(place: string, value: unknown, other: unknown): Found {
  if (other === undefined)
    return { id: 'payload/optional-field', summary: `The event fails when ${place} is present.` };
  return other === null
    ? {
        id: 'payload/set-field',
        summary: `The event fails when ${place} has a value (${shortJson(value)}) instead of null.`,
      }
    : {
        id: 'payload/known-value',
        summary: `The event fails when ${place} is ${shortJson(value)} instead of ${shortJson(other)}.`,
      };
}

async function nameNumber(
  { failing, isRefused }: EventPair,
  pointer: string,
  value: number,
  other: unknown,
): Promise<Found> {
  const place = dotted(pointer);
  const withNumber = (number: number) => isRefused(withValueAt(failing, pointer, number));
  const has32 = !(await withNumber(int32));
  if (has32 && (await withNumber(int32 + 1))) {
    return {
      id: 'payload/large-number',
      summary: `The event fails when ${place} exceeds ${int32}, the largest signed 32-bit integer; ${int32} itself is accepted.`,
    };
  }
  const accepted = has32 ? int32 : other;
  const neighbour = value - 1;
  // One more refused number: the endpoint has a limit somewhere below, and not this value alone is the cause.
  if (typeof accepted === 'number' && accepted < neighbour && (await withNumber(neighbour))) {
    return {
      id: 'payload/large-number',
      summary: `The event fails when ${place} is ${value} or ${neighbour}; ${accepted} is accepted.`,
    };
  }
  return { id: 'payload/known-value', summary: `The event fails when ${place} is ${value}.` };
}
