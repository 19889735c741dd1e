/**
 * The index after the closing quote of the string whose opening quote is at `from`; `undefined` if it is not closed.
 */
function endOfString(json: string, from: number): number | undefined {
  const quote = json[from];
  for (let at = from + 1; at < json.length; at++) {
    if (json[at] === '\\') at++;
    else if (json[at] === quote) return at + 1;
  }
  return undefined;
}

/** A piece of possible JSON. */
export interface JsonPiece {
  text: string;
  /** The quote around it; `undefined` outside strings. */
  quote?: string;
}

/**
 * Splits possible JSON into strings in one of the `quotes`, including their quotes, and the pieces between them. Reads each
 * character a bounded number of times, whatever the input. An unclosed quote does not begin a string.
 */
export function splitStrings(json: string, quotes = '"'): JsonPiece[] {
  const pieces: JsonPiece[] = [];
  const unclosed = new Set<string>();
  let from = 0;
  for (let at = 0; at < json.length; at++) {
    const quote = json[at] ?? '';
    if (!quotes.includes(quote) || unclosed.has(quote)) continue;
    const end = endOfString(json, at);
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

/** Changes everything except double-quoted strings. */
export function changeOutsideStrings(json: string, change: (piece: string) => string): string {
  return splitStrings(json)
    .map(({ text, quote }) => (quote === undefined ? change(text) : text))
    .join('');
}

/** Changes only double-quoted strings. */
export function changeInsideStrings(json: string, change: (text: string) => string): string {
  return splitStrings(json)
    .map(({ text, quote }) => (quote === undefined ? text : change(text)))
    .join('');
}
