import type { Finding } from '../harness/checks/finding.ts';
import { isJsonContainer, isJsonObject } from '../specs/json-object.ts';
import { nearest } from '../specs/nearest.ts';

/** One documented field of an answer, with what helps to recognise it under another name. */
export interface DocumentedField {
  /** The kind of its value: another name counts only if it has a value of this kind. */
  holds: 'value' | 'list' | 'object';
  /** Other usual names of it, in any notation: `call_id` is the same as `callId`. */
  otherNames?: readonly string[];
  /** The documented fields of its object: if one of them is found elsewhere, it belongs here. */
  fields?: readonly string[];
}

/** The fields that the interface documents at one place of an answer. */
export interface DocumentedPlace {
  /** Completes "documents in": `a 200 answer`. */
  label: string;
  fields: Readonly<Record<string, DocumentedField>>;
}

/** Names that answers of language models and chat libraries use for the text that the customer reads or hears. */
export const otherNamesOfText = [
  ...['reply', 'message', 'answer', 'response', 'content', 'body', 'output', 'outputText', 'msg', 'completion'],
  ...['speech', 'say', 'utterance', 'replyText', 'messageText', 'answerText', 'responseText', 'result', 'value'],
] as const;

/** A received field that seems to be a documented one; both are paths such as `data.text`. */
export interface NearestField {
  received: string;
  documented: string;
}

/** Field names that a message lists at most. */
const mostListed = 6;
/** Characters of a field name that a message shows. */
const nameCharacters = 40;
/** Objects and arrays within each other that are searched: `choices[0].message.content` is in the fourth. */
const searchedDepth = 5;
/** Fields that are searched in all, since the answer of an endpoint may be of any size. */
const mostSearched = 500;
/** Items of a list that are searched: a list of answers has the same fields in each. */
const searchedItems = 2;

/**
 * The finding where an object has fields, but none that the interface documents at this place, so that the answer has
 * no effect: it is wrapped, written in another case, or uses other names. `undefined` for `{}` and for a value that is
 * not an object, which other rules judge.
 */
export function undocumentedFieldsFinding(value: unknown, place: DocumentedPlace): Finding | undefined {
  if (!isJsonObject(value)) return undefined;
  const received = Object.keys(value);
  const documented = Object.keys(place.fields);
  if (received.length === 0 || received.some((name) => Object.hasOwn(place.fields, name))) return undefined;
  return {
    expected: `a field that the interface documents in ${place.label} (${listed(documented)})`,
    received: `only other fields: ${listed(received)}`,
    hint: describeNearest(nearestFields(value, place)) ?? `The fields of ${place.label} are ${listed(documented)}.`,
    part: { body: [] },
  };
}

/** Describes which documented fields were probably meant; `undefined` when there are none. */
export function describeNearest(found: readonly NearestField[]): string | undefined {
  if (found.length === 0) return undefined;
  const pairs = found.slice(0, mostListed).map(({ received, documented }) => `${documented} for ${received}`);
  return `The nearest documented fields: ${pairs.join('; ')}. Send them with exactly these names and at this place.`;
}

/**
 * The documented fields nearest to those received: in another case (`Text`), in a wrapper (`data.text`), under another
 * name (`reply`), one level too high (`crmContactId` instead of `contactData.crmContactId`), or, where none of these is
 * found, with a similar name.
 */
export function nearestFields(value: unknown, place: DocumentedPlace): NearestField[] {
  const names = knownNames(place);
  let searched = 0;
  let level: { at: string; value: unknown }[] = [{ at: '', value }];
  for (let depth = 0; depth < searchedDepth && level.length > 0; depth++) {
    const found: NearestField[] = [];
    const next: typeof level = [];
    for (const { at, value: container } of level) {
      for (const [name, inner] of entriesOf(container)) {
        if (++searched > mostSearched) return found;
        const received = pathOf(at, name);
        const known = typeof name === 'number' ? undefined : names.get(normalised(name));
        const fits = known && (known.isOwnName || kindOf(inner) === known.holds);
        if (fits && known.documented !== received) found.push({ received, documented: known.documented });
        else if (isJsonContainer(inner)) next.push({ at: received, value: inner });
      }
    }
    if (found.length > 0) return found;
    level = next;
  }
  return isJsonObject(value) ? similarNames(value, place) : [];
}

interface KnownName {
  documented: string;
  holds: DocumentedField['holds'];
  /** The documented name in any notation, so its value may be of any kind. */
  isOwnName: boolean;
}

/** Every name by which a documented field is recognised. A documented name wins over another name of a different field. */
function knownNames({ fields }: DocumentedPlace): Map<string, KnownName> {
  const names = new Map<string, KnownName>();
  const add = (name: string, known: KnownName) => {
    if (!names.has(normalised(name))) names.set(normalised(name), known);
  };
  for (const [documented, { holds }] of Object.entries(fields)) {
    add(documented, { documented, holds, isOwnName: true });
  }
  for (const [documented, { holds, otherNames = [] }] of Object.entries(fields)) {
    for (const name of otherNames) add(name, { documented, holds, isOwnName: false });
  }
  for (const [parent, { fields: inner = [] }] of Object.entries(fields)) {
    for (const name of inner) add(name, { documented: `${parent}.${name}`, holds: 'value', isOwnName: true });
  }
  return names;
}

function similarNames(value: Record<string, unknown>, { fields }: DocumentedPlace): NearestField[] {
  return Object.keys(value)
    .slice(0, mostListed)
    .flatMap((name) => {
      const [documented] = nearest(name.slice(0, nameCharacters), Object.keys(fields));
      return documented === undefined ? [] : [{ received: shownName(name), documented }];
    });
}

/** `request_contact_update`, `RequestContactUpdate` and `requestContactUpdate` are the same. */
function normalised(name: string): string {
  return name
    .slice(0, 2 * nameCharacters)
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

function kindOf(value: unknown): DocumentedField['holds'] {
  if (Array.isArray(value)) return 'list';
  return isJsonObject(value) ? 'object' : 'value';
}

function entriesOf(container: unknown): [string | number, unknown][] {
  if (Array.isArray(container)) return [...container.slice(0, searchedItems).entries()];
  return isJsonObject(container) ? Object.entries(container).slice(0, mostSearched) : [];
}

function pathOf(at: string, name: string | number): string {
  if (typeof name === 'number') return `${at}[${name}]`;
  return at === '' ? shownName(name) : `${at}.${shownName(name)}`;
}

function shownName(name: string): string {
  const short = [...name.slice(0, 2 * nameCharacters)].slice(0, nameCharacters).join('');
  const cut = short.length < name.length ? `${short}…` : name;
  return /^[\p{L}\p{N}_$-]+…?$/u.test(cut) ? cut : JSON.stringify(cut);
}

function listed(names: readonly string[]): string {
  const more = names.length > mostListed ? `, and ${names.length - mostListed} more` : '';
  return names.slice(0, mostListed).map(shownName).join(', ') + more;
}
