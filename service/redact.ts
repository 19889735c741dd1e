import { Brand } from '../specs/brand.ts';
import { condenseText } from './condense-text.ts';
import { allForms, commonForms, type SecretForms } from './encode-secret.ts';
import { readLayers, type ReadText } from './read-escapes.ts';
import { resemblesProse, informativeCharacters } from './secret-strength.ts';

/** A secret with the name that replaces it. */
export interface NamedSecret {
  name: string;
  value: string;
  /** Redacted as a whole, but not in parts: parts of an address, say, are not secrets. */
  isWhole?: boolean;
  /** Redacted as a whole everywhere, however weak: with its context it does not resemble ordinary text. */
  isExact?: boolean;
}

/**
 * Shortest part of a secret that is redacted, in characters. Endpoints echo cut or prefixed tokens back; shorter parts
 * occur in ordinary text and would only make evidence unreadable.
 */
const shortestPiece = 8;
/** Characters of a part that must set it apart from our words: `crm-toke` is a part of many tokens. */
const leastInformativeCharacters = 4;

const { keyPrefix: documentKeyPrefix } = Brand.named();

/**
 * API keys and secrets by their prefix (interface: Authentication): the endpoint may use a key that is not in the
 * config, and the simulated service creates secrets. Those of webhook subscriptions begin with whk_ here.
 */
const byPrefix = (keyPrefix: string) => [
  { pattern: new RegExp(`(?:${documentKeyPrefix}|${keyPrefix})[\\w-]+`, 'g'), name: 'API key' },
  { pattern: /whsec_[\w+/=-]{16,}/g, name: 'agent secret' },
  { pattern: /whk_[0-9a-f]{16,}/g, name: 'webhook secret' },
];

/** A secret, or a part of one, within a string: from `from` up to, not including, `to`, in UTF-16 units. */
export interface FoundSecret {
  from: number;
  to: number;
  name: string;
}

/**
 * Redacts every secret and each sufficiently long part of one in a string, in any letter case, reversed, with
 * separators between its characters, in base64 (twice, too), base32 and hex, and in the escapes of addresses, JSON,
 * HTML and programs, even nested or mixed. A secret such as the word `token` stays: our own sentences contain it.
 */
export interface Redact {
  (text: string): string;
  /** Positions of the secrets, for text that arrived in pieces: in order, without overlaps. */
  readonly find: (text: string) => FoundSecret[];
  /**
   * The same for text of the other side, where such a secret is redacted too: as a whole word, but not as a field name.
   */
  readonly foreign: Redact;
}

/**
 * Creates the one function through which everything goes that is printed, stored or sent on.
 *
 * @param keyPrefix the beginning of the vendor's API keys
 */
export function redactor(secrets: readonly NamedSecret[], keyPrefix = documentKeyPrefix): Redact {
  const prefixed = byPrefix(keyPrefix);
  const pieces = new Pieces();
  const condensedPieces = new Pieces();
  const whole: WholeForm[] = [];
  const weak: WholeForm[] = [];
  for (const { name, value, isWhole = false, isExact = false } of secrets) {
    const add = (form: string, to: WholeForm[]) => {
      const folded = foldCase(form);
      // A short secret occurs within ordinary words by chance, so it is redacted only as a separate word.
      if (folded.length > 0) to.push({ form: folded, name, standsAlone: folded.length < shortestPiece });
    };
    const isName = !isExact && resemblesProse(value);
    if (isExact || isWhole || isName) {
      const { plain, encoded } = commonForms(value);
      for (const form of plain) add(form, isName ? weak : whole);
      for (const form of encoded) add(form, isName && form.length < shortestPiece ? weak : whole);
      continue;
    }
    for (const form of commonForms(value).plain) add(form, whole);
    addPieces(allForms(value), name, { pieces, condensedPieces });
  }
  const findIn = (text: string, wholes: readonly WholeForm[]): FoundSecret[] => {
    const layers = readLayers(text);
    return inOrder([
      ...layers.flatMap((layer) => {
        const folded = foldCase(layer.text);
        return placed(layer, [
          ...wholes.flatMap((form) => findWhole(folded, form)),
          ...pieces.find(folded),
          ...prefixed.flatMap(({ pattern, name }) =>
            Array.from(layer.text.matchAll(pattern), ({ index, 0: key }) => ({
              from: index,
              to: index + key.length,
              name,
            })),
          ),
        ]);
      }),
      ...(condensedPieces.isEmpty ? [] : layers).flatMap((layer) => {
        const condensed = condenseText(layer);
        return condensed ? placed(condensed, condensedPieces.find(foldCase(condensed.text))) : [];
      }),
    ]);
  };
  const made = (wholes: readonly WholeForm[]) => {
    const find = remembered((text) => findIn(text, wholes));
    return Object.assign((text: string) => blanked(text, find(text)), { find });
  };
  const everywhere = made(whole);
  const foreign = made([...whole, ...weak]);
  return Object.assign(everywhere, { foreign: Object.assign(foreign, { foreign: foreign as Redact }) });
}

/** Longest text whose result is kept, in UTF-16 units: names and values of headers, addresses and labels recur. */
const mostRecurring = 120;
/** Number of results that are kept. */
const mostRemembered = 2_000;

function remembered(find: (text: string) => FoundSecret[]): (text: string) => FoundSecret[] {
  const results = new Map<string, FoundSecret[]>();
  return (text) => {
    if (text.length > mostRecurring) return find(text);
    const known = results.get(text);
    if (known) return known;
    const found = find(text);
    if (results.size === mostRemembered) results.clear();
    results.set(text, found);
    return found;
  };
}

function addPieces(
  { plain, encoded }: SecretForms,
  name: string,
  { pieces, condensedPieces }: { pieces: Pieces; condensedPieces: Pieces },
): void {
  const add = (form: string, informative: readonly boolean[] | undefined) => {
    pieces.add(foldCase(form), name, informative);
    const condensed = condenseText({ text: form, origin: (from, to) => ({ from, to }) });
    const marks =
      condensed && informative && Array.from(condensed.text, (_, at) => informative[condensed.origin(at, at + 1).from]);
    condensedPieces.add(foldCase(condensed?.text ?? form), name, (marks ?? informative) as boolean[] | undefined);
  };
  for (const form of plain) add(form, informativeCharacters(form));
  for (const form of encoded) add(form, undefined);
}

function placed({ origin }: ReadText, found: readonly FoundSecret[]): FoundSecret[] {
  return found.map(({ from, to, name }) => ({ ...origin(from, to), name }));
}

/** A JSON value with the secrets in its strings redacted: numbers and field names stay, so it keeps its type. */
export function redactValue<Value>(value: Value, redact: (text: string) => string): Value {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    typeof part === 'string' ? redact(part) : part,
  ) as Value;
}

/** The string with these parts replaced by a mark. */
export function blanked(text: string, found: readonly FoundSecret[]): string {
  let result = '';
  let copied = 0;
  for (const { from, to, name } of inOrder(found)) {
    result += text.slice(copied, from) + mark(name);
    copied = to;
  }
  return result + text.slice(copied);
}

/** By position; overlapping ones are merged under the name of the first. */
function inOrder(found: readonly FoundSecret[]): FoundSecret[] {
  const merged: FoundSecret[] = [];
  for (const one of found.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && one.from < last.to) last.to = Math.max(last.to, one.to);
    else merged.push({ ...one });
  }
  return merged;
}

/** Parts of secrets, all of one length, and where they occur. */
class Pieces {
  readonly #names = new Map<string, string>();
  /** Existing beginnings, ends and middles of parts, four characters each, by their hash. */
  readonly #parts = new Uint8Array(1 << partBits);

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** @param informative marks the characters that distinguish the secret; default: all */
  add(folded: string, name: string, informative?: readonly boolean[]): void {
    for (let at = 0; at + shortestPiece <= folded.length; at++) {
      const marks = informative?.slice(at, at + shortestPiece);
      if (marks && marks.filter(Boolean).length < leastInformativeCharacters) continue;
      this.#names.set(folded.slice(at, at + shortestPiece), name);
    }
    for (let at = 0; at + partLength <= folded.length; at++) this.#parts[partHash(folded, at)] = 1;
  }

  find(folded: string): FoundSecret[] {
    const found: FoundSecret[] = [];
    if (this.isEmpty) return found;
    // Every part has a whole chunk at one of these places: one comparison each is enough for most strings.
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
/** Bits of a chunk's hash: with all forms of five secrets one place in ten is occupied. */
const partBits = 18;

function partHash(text: string, at: number): number {
  const units =
    text.charCodeAt(at) ^
    (text.charCodeAt(at + 1) << 8) ^
    (text.charCodeAt(at + 2) << 16) ^
    (text.charCodeAt(at + 3) << 24);
  return Math.imul(units, 0x9e3779b1) >>> (32 - partBits);
}

/** A form of a secret that is redacted as a whole. */
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
    if (standsAlone && (isWordPart(folded[from - 1]) || isWordPart(folded[to]) || isTermOfJson(folded, from, to)))
      continue;
    found.push({ from, to, name });
  }
  return found;
}

/**
 * Lower case that keeps every index and treats each character alone, so that a part folds as the whole does: lower case
 * may be longer (İ) or depend on the next character (Σ).
 */
function foldCase(text: string): string {
  return text.replace(foldingAsAWhole, (part) => part.toLowerCase()).replaceAll('\u03a3', '\u03c3');
}

/** All but characters whose lower case is longer, depends on the next one, or needs both units of a pair. */
const foldingAsAWhole = /[^\u0130\u03a3\ud800-\udfff]+/g;

function mark(name: string): string {
  return `[redacted: ${name}]`;
}

/** The name of a field, or the type of a frame: terms of the interface. */
function isTermOfJson(text: string, from: number, to: number): boolean {
  return (
    /^\\*"\s*:/.test(text.slice(to, to + 8)) || /"type\\*"\s*:\s*\\*"$/.test(text.slice(Math.max(0, from - 16), from))
  );
}

function isWordPart(char: string | undefined): boolean {
  return char !== undefined && /[\p{L}\p{N}]/u.test(char);
}
