import { Brand } from '../specs/brand.ts';
import { condenseText } from './condense-text.ts';
import { commonForms } from './encode-secret.ts';
import { foldCase } from './fold-case.ts';
import { readLayers, type ReadText } from './read-escapes.ts';
import { piecesOfForms, SecretPieces, shortestPiece, type FoundSecret } from './secret-pieces.ts';
import { resemblesProse } from './secret-strength.ts';

/** A secret with the name that replaces it. */
export interface NamedSecret {
  name: string;
  value: string;
  /** Redacted as a whole, but not in parts: parts of an address, say, are not secrets. */
  isWhole?: boolean;
  /** Redacted as a whole everywhere, however weak: with its context it does not resemble ordinary text. */
  isExact?: boolean;
}

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
  return growingRedactor(keyPrefix)(secrets);
}

/**
 * Creates a redaction to which secrets are added over time. Each call of the returned function adds secrets and returns a
 * new function that redacts all of them; the earlier ones then do so, too. A caller that keeps redacted text compares the
 * functions to detect that the text is out of date.
 *
 * @param keyPrefix the beginning of the vendor's API keys
 */
export function growingRedactor(keyPrefix = documentKeyPrefix): (added: readonly NamedSecret[]) => Redact {
  const prefixed = byPrefix(keyPrefix);
  const pieces = new SecretPieces();
  const condensedPieces = new SecretPieces();
  const whole: WholeForm[] = [];
  const wholeForeign: WholeForm[] = [];
  const addOne = ({ name, value, isWhole = false, isExact = false }: NamedSecret) => {
    const isName = !isExact && resemblesProse(value);
    const addWhole = (form: string, isWeak: boolean) => {
      const folded = foldCase(form);
      if (folded.length === 0) return;
      // A short secret occurs within ordinary words by chance, so it is redacted only as a separate word.
      const added = { form: folded, name, standsAlone: folded.length < shortestPiece };
      wholeForeign.push(added);
      if (!isWeak) whole.push(added);
    };
    if (isExact || isWhole || isName) {
      const { plain, encoded } = commonForms(value);
      for (const form of plain) addWhole(form, isName);
      for (const form of encoded) addWhole(form, isName && form.length < shortestPiece);
      return;
    }
    for (const form of commonForms(value).plain) addWhole(form, false);
    const { written, condensed } = piecesOfForms(value);
    pieces.add(written, name);
    condensedPieces.add(condensed, name);
  };
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
        return condensed ? placed(condensed, condensedPieces.find(condensed.text)) : [];
      }),
    ]);
  };
  const made = (wholes: readonly WholeForm[]) => {
    const { find, forget } = remembered((text) => findIn(text, wholes));
    return { make: () => Object.assign((text: string) => blanked(text, find(text)), { find }), forget };
  };
  const everywhere = made(whole);
  const foreign = made(wholeForeign);
  return (added) => {
    for (const secret of added) addOne(secret);
    everywhere.forget();
    foreign.forget();
    const redactForeign = foreign.make();
    return Object.assign(everywhere.make(), {
      foreign: Object.assign(redactForeign, { foreign: redactForeign as Redact }),
    });
  };
}

/** Longest text whose result is kept, in UTF-16 units: names and values of headers, addresses and labels recur. */
const mostRecurring = 120;
/** Number of results that are kept. */
const mostRemembered = 2_000;

function remembered(find: (text: string) => FoundSecret[]): { find: typeof find; forget: () => void } {
  const results = new Map<string, FoundSecret[]>();
  return {
    find: (text) => {
      if (text.length > mostRecurring) return find(text);
      const known = results.get(text);
      if (known) return known;
      const found = find(text);
      if (results.size === mostRemembered) results.clear();
      results.set(text, found);
      return found;
    },
    forget: () => results.clear(),
  };
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
