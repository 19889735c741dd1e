/** A text with its escapes resolved, and where each of its characters was written. */
export interface DecodedText {
  readonly text: string;
  /** Index in the text as it was written, for each UTF-16 unit of `text`. */
  readonly rawIndex: (index: number) => number;
}

/** A stretch of decoded text and what takes its place. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const escapes = /\\(?:u[0-9a-f]{4}|["\\/bfnrt])|(?:%[0-9a-f]{2})+/gi;
const control: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Resolves percent-encoding and `\u` escapes, within a JSON string the short escapes as well: the same name is the same
 * name in an address, a body and a log line. What is not a valid escape stays.
 */
export function decodeText(raw: string, isJson: boolean): DecodedText {
  if (!/[%\\]/.test(raw)) return { text: raw, rawIndex: (index) => index };
  let text = '';
  const starts: number[] = [];
  const add = (decoded: string, at: number) => {
    for (let unit = 0; unit < decoded.length; unit++) starts.push(at);
    text += decoded;
  };
  const copy = (from: number, to: number) => {
    for (let at = from; at < to; at++) add(raw.charAt(at), at);
  };
  let copied = 0;
  for (const { 0: escape, index } of raw.matchAll(escapes)) {
    copy(copied, index);
    copied = index + escape.length;
    if (escape.startsWith('%')) {
      let at = index;
      for (const character of percentDecoded(escape) ?? []) {
        add(character, at);
        at += 3 * Buffer.byteLength(character);
      }
      // Bytes that are no UTF-8 stay as they were written.
      copy(at, copied);
    } else if (/^\\u/i.test(escape)) {
      add(String.fromCharCode(Number.parseInt(escape.slice(2), 16)), index);
    } else if (isJson) {
      add(control[escape.charAt(1)] ?? escape.charAt(1), index);
    } else {
      copy(index, copied);
    }
  }
  copy(copied, raw.length);
  return { text, rawIndex: (index) => starts[index] ?? raw.length };
}

/** The text as it was written, with the pieces in place; where percent-encoding was used, they are encoded as well. */
export function withPieces(raw: string, { rawIndex }: DecodedText, pieces: readonly Piece[]): string {
  let out = '';
  let copied = 0;
  for (const { from, to, text } of pieces) {
    const [start, end] = [rawIndex(from), rawIndex(to)];
    const isEncoded = /%[0-9a-f]{2}/i.test(raw.slice(start, end));
    out += raw.slice(copied, start) + (isEncoded ? encodeURIComponent(text) : text);
    copied = end;
  }
  return out + raw.slice(copied);
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
