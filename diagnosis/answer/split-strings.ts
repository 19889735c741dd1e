/**
 * Where the text that is quoted by the character at `from` ends: the index after its closing quote, or `undefined` where
 * nothing closes it.
 */
function endOfText(json: string, from: number): number | undefined {
  const quote = json[from];
  for (let at = from + 1; at < json.length; at++) {
    if (json[at] === '\\') at++;
    else if (json[at] === quote) return at + 1;
  }
  return undefined;
}

/** A piece of what may be JSON. */
export interface JsonPiece {
  text: string;
  /** The quote around it; `undefined` outside of texts. */
  quote?: string;
}

/**
 * Cuts what may be JSON into texts in one of the `quotes`, whole with their quotes, and what stands between them. Reads
 * each character a bounded number of times, whatever it is given: bodies come from outside. What nothing closes is not a text.
 */
export function splitStrings(json: string, quotes = '"'): JsonPiece[] {
  const pieces: JsonPiece[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (let at = 0; at < json.length; at++) {
    const quote = json[at] ?? '';
    if (!quotes.includes(quote) || unclosed.has(quote)) continue;
    const end = endOfText(json, at);
    if (end === undefined) {
      unclosed.add(quote);
      continue;
    }
    pieces.push({ text: json.slice(from, at) }, { text: json.slice(at, end), quote });
    from = end;
    at = end - 1;
  }
  return [...pieces, { text: json.slice(from) }];
}

/** Changes everything but the texts in double quotes. */
export function changeOutsideStrings(json: string, change: (piece: string) => string): string {
  return splitStrings(json)
    .map(({ text, quote }) => (quote === undefined ? change(text) : text))
    .join('');
}

/** Changes the texts in double quotes, and nothing else. */
export function changeInsideStrings(json: string, change: (text: string) => string): string {
  return splitStrings(json)
    .map(({ text, quote }) => (quote === undefined ? text : change(text)))
    .join('');
}
