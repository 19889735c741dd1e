/** A secret by the name that stands in its place. */
export interface NamedSecret {
  name: string;
  value: string;
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

/** Takes every secret, each long enough piece of one and its usual encodings out of a text, in any letter case. */
export interface Redact {
  (text: string): string;
  /** Where they are, for what came in pieces: in order, none over another. */
  readonly find: (text: string) => FoundSecret[];
}

/** Makes the one function through which everything goes that is printed, stored or sent on. */
export function redactor(secrets: readonly NamedSecret[]): Redact {
  const pieces = new Map<string, string>();
  const whole: { form: string; name: string }[] = [];
  for (const { name, value } of secrets) {
    for (const form of encodings(value)) {
      const folded = foldCase(form);
      if (folded.length < shortestPiece) {
        if (folded.length > 0) whole.push({ form: folded, name });
        continue;
      }
      for (let at = 0; at + shortestPiece <= folded.length; at++) {
        pieces.set(folded.slice(at, at + shortestPiece), name);
      }
    }
  }
  const find = (text: string): FoundSecret[] => {
    const folded = foldCase(text);
    return inOrder([
      ...whole.flatMap((secret) => findWhole(folded, secret)),
      ...findPieces(folded, pieces, shortestPiece),
      ...byPrefix.flatMap(({ pattern, name }) =>
        Array.from(text.matchAll(pattern), ({ index, 0: key }) => ({ from: index, to: index + key.length, name })),
      ),
    ]);
  };
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

function findPieces(folded: string, pieces: ReadonlyMap<string, string>, size: number): FoundSecret[] {
  const found: FoundSecret[] = [];
  let at = 0;
  while (pieces.size > 0 && at + size <= folded.length) {
    const name = pieces.get(folded.slice(at, at + size));
    if (name === undefined) {
      at++;
      continue;
    }
    let to = at + size;
    while (to < folded.length && pieces.has(folded.slice(to - size + 1, to + 1))) to++;
    found.push({ from: at, to, name });
    at = to;
  }
  return found;
}

/** A short secret occurs within ordinary words by chance, so it is taken out only where it stands by itself. */
function findWhole(folded: string, { form, name }: { form: string; name: string }): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (let from = folded.indexOf(form); from >= 0; from = folded.indexOf(form, from + 1)) {
    const to = from + form.length;
    if (!isWordPart(folded[from - 1]) && !isWordPart(folded[to])) found.push({ from, to, name });
  }
  return found;
}

/**
 * Lower case that keeps every index and looks at each character alone, so that a piece folds as the whole does: lower
 * case may be longer (İ) or depend on what follows (Σ).
 */
function foldCase(text: string): string {
  if (isAscii.test(text)) return text.toLowerCase();
  return Array.from({ length: text.length }, (_, at) => {
    const unit = text[at] ?? '';
    const low = unit.toLowerCase();
    return low.length === 1 ? low : unit;
  }).join('');
}

const isAscii = /^[\p{ASCII}]*$/u;

function encodings(value: string): Set<string> {
  const bytes = Buffer.from(value, 'utf8');
  return new Set([
    value,
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
