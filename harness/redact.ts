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

/** API keys by their prefix (interface: Authentication): the endpoint may use one that the config does not name. */
const anyKey = /svc_sk_[\w-]+/g;

/** Takes every secret, each long enough piece of one and its usual encodings out of a text, in any letter case. */
export type Redact = (text: string) => string;

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
  return (text) => {
    let folded = foldCase(text);
    let result = text;
    for (const { form, name } of whole) {
      if (!folded.includes(form)) continue;
      result = replaceFolded(result, folded, form, mark(name));
      folded = foldCase(result);
    }
    return cutPieces(result, folded, pieces, shortestPiece).replace(anyKey, mark('API key'));
  };
}

function cutPieces(text: string, folded: string, pieces: ReadonlyMap<string, string>, size: number): string {
  if (pieces.size === 0) return text;
  let result = '';
  let copied = 0;
  let at = 0;
  while (at + size <= folded.length) {
    const name = pieces.get(folded.slice(at, at + size));
    if (name === undefined) {
      at++;
      continue;
    }
    let end = at + size;
    while (end < folded.length && pieces.has(folded.slice(end - size + 1, end + 1))) end++;
    result += text.slice(copied, at) + mark(name);
    copied = at = end;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/** A short secret occurs within ordinary words by chance, so it is taken out only where it stands by itself. */
function replaceFolded(text: string, folded: string, form: string, by: string): string {
  let result = '';
  let copied = 0;
  for (let at = folded.indexOf(form); at >= 0; at = folded.indexOf(form, at + 1)) {
    const end = at + form.length;
    if (at < copied || isWordPart(folded[at - 1]) || isWordPart(folded[end])) continue;
    result += text.slice(copied, at) + by;
    copied = end;
  }
  return result + text.slice(copied);
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
