import { readLayers } from './read-escapes.ts';

/** A secret by the name that stands in its place. */
export interface NamedSecret {
  name: string;
  value: string;
  /** Taken out where all of it stands, but no piece of it: pieces of an address, say, are no secrets. */
  isWhole?: boolean;
}

/**
 * Shortest piece of a secret that is taken out, in characters. Endpoints echo cut or prefixed tokens back; shorter
 * pieces occur in ordinary text and would only make evidence unreadable.
 */
const shortestPiece = 8;

/**
 * API keys and secrets by their prefix (interface: Authentication): the endpoint may use a key that the config does not
 * name, and the simulated service makes secrets. Those of webhook subscriptions begin with whk_ here.
 */
const byPrefix = [
  { pattern: /svc_sk_[\w-]+/g, name: 'API key' },
  { pattern: /whsec_[\w+/=-]{16,}/g, name: 'agent secret' },
  { pattern: /whk_[0-9a-f]{16,}/g, name: 'webhook secret' },
];

/** A secret, or a piece of one, within a text: `from` to `to` without it, in UTF-16 units. */
export interface FoundSecret {
  from: number;
  to: number;
  name: string;
}

/**
 * Takes every secret and each long enough piece of one out of a text, in any letter case, in base64 and hex, and in the
 * escapes of addresses, JSON, HTML and programs, even one within another or mixed.
 */
export interface Redact {
  (text: string): string;
  /** Where they are, for what came in pieces: in order, none over another. */
  readonly find: (text: string) => FoundSecret[];
}

/** Makes the one function through which everything goes that is printed, stored or sent on. */
export function redactor(secrets: readonly NamedSecret[]): Redact {
  const pieces = new Pieces();
  const whole: WholeForm[] = [];
  for (const { name, value, isWhole = false } of secrets) {
    for (const form of encodings(value)) {
      const folded = foldCase(form);
      // A short secret occurs within ordinary words by chance, so it is taken out only where it stands by itself.
      const isShort = folded.length < shortestPiece;
      if (!isShort && !isWhole) pieces.add(folded, name);
      else if (folded.length > 0) whole.push({ form: folded, name, standsAlone: isShort });
    }
  }
  const find = (text: string): FoundSecret[] =>
    inOrder(
      readLayers(text).flatMap(({ text: read, origin }) => {
        const folded = foldCase(read);
        const found = [
          ...whole.flatMap((form) => findWhole(folded, form)),
          ...pieces.find(folded),
          ...byPrefix.flatMap(({ pattern, name }) =>
            Array.from(read.matchAll(pattern), ({ index, 0: key }) => ({ from: index, to: index + key.length, name })),
          ),
        ];
        return found.map(({ from, to, name }) => ({ ...origin(from, to), name }));
      }),
    );
  return Object.assign((text: string) => blanked(text, find(text)), { find });
}

/** A JSON value with secrets taken out of its texts: numbers and member names stay, so it stays what it is. */
export function redactValue<Value>(value: Value, redact: (text: string) => string): Value {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    typeof part === 'string' ? redact(part) : part,
  ) as Value;
}

/** The text with a mark in place of each of these. */
export function blanked(text: string, found: readonly FoundSecret[]): string {
  let result = '';
  let copied = 0;
  for (const { from, to, name } of inOrder(found)) {
    result += text.slice(copied, from) + mark(name);
    copied = to;
  }
  return result + text.slice(copied);
}

/** By place; those that lie over one another become one, under the name of the first. */
function inOrder(found: readonly FoundSecret[]): FoundSecret[] {
  const merged: FoundSecret[] = [];
  for (const one of found.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && one.from < last.to) last.to = Math.max(last.to, one.to);
    else merged.push({ ...one });
  }
  return merged;
}

/** Pieces of secrets, all of one length, and where they occur. */
class Pieces {
  readonly #names = new Map<string, string>();
  /** Which beginnings, ends and middles of pieces there are, four characters each, by their hash. */
  readonly #parts = new Uint8Array(1 << 16);

  add(folded: string, name: string): void {
    for (let at = 0; at + shortestPiece <= folded.length; at++) {
      this.#names.set(folded.slice(at, at + shortestPiece), name);
    }
    for (let at = 0; at + partLength <= folded.length; at++) this.#parts[partHash(folded, at)] = 1;
  }

  find(folded: string): FoundSecret[] {
    const found: FoundSecret[] = [];
    if (this.#names.size === 0) return found;
    // Every piece has a whole part at one of these places: most texts are done with a look at each.
    const step = shortestPiece - partLength + 1;
    for (let part = 0; part + partLength <= folded.length; part += step) {
      if (this.#parts[partHash(folded, part)] === 0) continue;
      for (let at = Math.max(0, part - step + 1); at <= part; at++) this.#findAt(folded, at, found);
    }
    return found;
  }

  #findAt(folded: string, from: number, found: FoundSecret[]): void {
    const name = this.#names.get(folded.slice(from, from + shortestPiece));
    if (name === undefined) return;
    const to = from + shortestPiece;
    const last = found.at(-1);
    if (last && from < last.to) last.to = to;
    else found.push({ from, to, name });
  }
}

const partLength = 4;

function partHash(text: string, at: number): number {
  const units =
    text.charCodeAt(at) ^
    (text.charCodeAt(at + 1) << 8) ^
    (text.charCodeAt(at + 2) << 16) ^
    (text.charCodeAt(at + 3) << 24);
  return Math.imul(units, 0x9e3779b1) >>> 16;
}

/** A form of a secret that is taken out as a whole. */
interface WholeForm {
  form: string;
  name: string;
  /** Not within a word. */
  standsAlone: boolean;
}

function findWhole(folded: string, { form, name, standsAlone }: WholeForm): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (let from = folded.indexOf(form); from >= 0; from = folded.indexOf(form, from + 1)) {
    const to = from + form.length;
    if (!standsAlone || (!isWordPart(folded[from - 1]) && !isWordPart(folded[to]))) found.push({ from, to, name });
  }
  return found;
}

/**
 * Lower case that keeps every index and looks at each character alone, so that a piece folds as the whole does: lower
 * case may be longer (İ) or depend on what follows (Σ).
 */
function foldCase(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return text.replace(/[A-Z\u0080-\uffff]/g, (unit) => {
    const low = unit.toLowerCase();
    return low.length === 1 ? low : unit;
  });
}

const isAscii = /^[\p{ASCII}]*$/u;

function encodings(value: string): Set<string> {
  const bytes = Buffer.from(value, 'utf8');
  return new Set([
    // Layer by layer, as texts are read: what looks like an escape may be part of the secret itself.
    ...readLayers(value).map(({ text }) => text),
    // Forms send a space as a plus sign.
    value.replaceAll(' ', '+'),
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    ...base64Forms(bytes, 'base64'),
    ...base64Forms(bytes, 'base64url'),
    bytes.toString('hex'),
  ]);
}

/**
 * Base64 of the bytes, and the part of it that stays the same within something longer, where what comes before shifts
 * them by one or two bytes; of a short secret too little stays to be told from ordinary text.
 */
function base64Forms(bytes: Buffer, alphabet: 'base64' | 'base64url'): string[] {
  const shifted = [1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString(alphabet)
      .replace(/=+$/, '');
    return text.slice(shift + 1, (shift + bytes.length) % 3 === 0 ? text.length : -1);
  });
  const alone = bytes.toString(alphabet).replace(/=+$/, '');
  return [alone, ...shifted.filter((form) => form.length >= shortestPiece)];
}

function mark(name: string): string {
  return `[redacted: ${name}]`;
}

function isWordPart(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}]/u.test(char);
}
