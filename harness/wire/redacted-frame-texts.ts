import type { CallFrame } from './observation.ts';
import { blanked, type Redact } from '../../service/redact.ts';
import type { FoundSecret } from '../../service/secret-pieces.ts';
import { isJsonContainer } from '../../specs/json-object.ts';

/**
 * Frames read on either side of a shown one: an encoded secret that is streamed character by character spans as many.
 */
const readAround = 130;
/**
 * Share of a frame's characters that is read at either end of a string: more than is shown, so that no secret is cut.
 */
const readShare = 0.8;
/** Share of the beginning in a truncated text. */
const headShare = 0.7;
/** Characters read at either end of a string of a frame that is not shown. */
const readOfOthers = 300;
/** Maximum values (and so levels) of one frame's JSON that are read; deeper or later ones are omitted. */
const readValues = 400;
const omitted = '…';

/** One string of a frame: a value, a field name, or the whole frame if it is not JSON. */
interface Leaf {
  path: string;
  /** A term of the interface in a valid frame, so that a weak secret in it is a coincidence. */
  isTerm: boolean;
  text: string;
  found: FoundSecret[];
}

/**
 * Returns a function for the redacted text of a frame with a maximum number of characters. Secrets are searched in each
 * frame, and in the concatenated strings of one field and side, so that a secret in pieces is found in each of them.
 *
 * @param shown indexes of the requested frames, in order, with the maximum characters of each
 */
export function redactedFrameTexts(
  frames: readonly CallFrame[],
  shown: ReadonlyMap<number, number>,
  redact: Redact,
): (n: number, characters: number) => string {
  const leaves = new Map<number, Leaf[]>();
  for (const n of around([...shown.keys()], frames.length)) {
    const frame = frames[n];
    const characters = shown.get(n);
    if (frame) leaves.set(n, leavesOf(frame, characters === undefined ? readOfOthers : characters * readShare));
  }
  for (const stream of streamsOf(frames, leaves)) find(stream, redact);
  return (n, characters) => {
    const frame = frames[n];
    if (!frame) return '';
    const read = leaves.get(n) ?? [];
    const clean = frame.from === 'ai' ? redact.foreign : redact;
    if (frame.value === undefined) return cutText(frame, clean(blanked(frame.text, read[0]?.found ?? [])), characters);
    const { value, isAsRead } = rewritten(frame.value, read);
    const isAsSent = isAsRead && !isCut(frame) && frame.text.length <= characters && !hidesSecret(frame.text, clean);
    return isAsSent ? clean(frame.text) : fitted(value, clean, characters);
  };
}

function around(shown: readonly number[], count: number): number[] {
  const read = new Set<number>();
  let next = 0;
  for (const n of shown) {
    for (next = Math.max(next, n - readAround); next <= Math.min(n + readAround, count - 1); next++) read.add(next);
  }
  return [...read];
}

function leavesOf({ value, text, from }: CallFrame, read: number): Leaf[] {
  if (value === undefined) return [{ path: 'not JSON', isTerm: false, text, found: [] }];
  const leaves: Leaf[] = [];
  walked(value, (string, path) => {
    const isTerm = from === 'service' || path === '/type' || path.endsWith(' name');
    leaves.push({ path, isTerm, text: ends(string, read), found: [] });
    return string;
  });
  return leaves;
}

/** Strings that are concatenated: those of one field in the frames of one side, over the whole call and per answer. */
function streamsOf(frames: readonly CallFrame[], leaves: ReadonlyMap<number, Leaf[]>): Leaf[][] {
  const streams = new Map<string, Leaf[]>();
  const add = (name: string, leaf: Leaf) => {
    const stream = streams.get(name);
    if (stream) stream.push(leaf);
    else streams.set(name, [leaf]);
  };
  let answer = 0;
  for (const [n, read] of leaves) {
    const frame = frames[n];
    if (frame?.from === 'service') answer++;
    for (const leaf of read) {
      const isSpeech = leaf.path === '/text' || leaf.path === '/token';
      add(`${frame?.from} ${isSpeech ? 'speech' : leaf.path}`, leaf);
      if (isSpeech) add(`answer ${answer}`, leaf);
    }
    if (isLast(frame?.value)) answer++;
  }
  return [...streams.values()];
}

function isLast(value: unknown): boolean {
  return isJsonContainer(value) && 'last' in value && value.last === true;
}

/** Searches the concatenated leaves for secrets and assigns each leaf its part of them. */
function find(stream: readonly Leaf[], redact: Redact): void {
  const { find: findIn } = stream.every(({ isTerm }) => isTerm) ? redact : redact.foreign;
  const found = findIn(stream.map(({ text }) => text).join(''));
  let start = 0;
  for (const leaf of found.length > 0 ? stream : []) {
    const end = start + leaf.text.length;
    for (const { from, to, name } of found) {
      if (from < end && to > start) {
        leaf.found.push({ from: Math.max(0, from - start), to: Math.min(end, to) - start, name });
      }
    }
    start = end;
  }
}

/** The value with its secrets blanked; `isAsRead` if nothing was found and all of it was read. */
function rewritten(value: unknown, leaves: readonly Leaf[]): { value: unknown; isAsRead: boolean } {
  let at = 0;
  let isAsRead = true;
  const change = (string: string) => {
    const { text = '', found = [] } = leaves[at++] ?? {};
    isAsRead &&= text.length === string.length && found.length === 0;
    return found.length === 0 ? text : blanked(text, found);
  };
  return { value: walked(value, change, () => (isAsRead = false)), isAsRead };
}

/** The value as JSON of limited length; the longest strings are shortened first. */
function fitted(value: unknown, redact: Redact, characters: number): string {
  for (let most = characters; most >= 8; most = Math.floor(most / 2)) {
    const text = JSON.stringify(walked(value, (string) => cutInTheMiddle(string, most)));
    if (text.length <= characters) return redact(text);
  }
  return cutInTheMiddle(redact(JSON.stringify(value)), characters);
}

/** A copy of the value, bounded in size, with each string and field name mapped by `change`. */
function walked(
  value: unknown,
  change: (text: string, path: string) => string,
  onOmitted: () => void = () => undefined,
): unknown {
  let left = readValues;
  const bounded = <Item>(items: readonly Item[], instead: Item): Item[] => {
    const taken = items.slice(0, left);
    left -= taken.length;
    if (taken.length === items.length) return taken;
    onOmitted();
    return [...taken, instead];
  };
  const walk = (one: unknown, path: string): unknown => {
    if (typeof one === 'string') return change(one, path);
    if (!isJsonContainer(one)) return one;
    // Indexes are not part of a path: a list of characters counts as one string.
    if (Array.isArray(one)) return bounded<unknown>(one, omitted).map((item) => walk(item, `${path}/*`));
    const fields = bounded<[string, unknown]>(Object.entries(one), [omitted, omitted]);
    return Object.fromEntries(
      fields.map(([name, item]) => [change(name, `${path} name`), walk(item, `${path}/${name}`)]),
    );
  };
  return walk(value, '');
}

/** Whether JSON escapes hide a secret, also in a field that is overwritten by a later duplicate. */
function hidesSecret(json: string, redact: Redact): boolean {
  if (!json.includes('\\u')) return false;
  const text = json.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  return redact.find(text).length > 0;
}

function cutText(frame: CallFrame, text: string, characters: number): string {
  // If the text was truncated before, its end may be the start of a secret, so only its head is shown.
  if (isCut(frame)) return `${text.slice(0, Math.min(characters, Math.floor(frame.text.length / 2)))}${omitted}`;
  return cutInTheMiddle(text, characters);
}

function isCut({ text, bytes }: CallFrame): boolean {
  return Buffer.byteLength(text) < bytes;
}

function cutInTheMiddle(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const head = Math.ceil(characters * headShare);
  return `${text.slice(0, head)}${omitted}${text.slice(text.length - (characters - head))}`;
}

function ends(text: string, characters: number): string {
  return text.length <= 2 * characters ? text : text.slice(0, characters) + text.slice(-characters);
}
