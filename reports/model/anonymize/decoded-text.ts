/** A string with its escapes resolved, and the position of each character in the original. */
export interface DecodedText {
  readonly text: string;
  /** Index in the original for each UTF-16 unit of `text`. */
  readonly rawIndex: (index: number) => number;
}

/** A range of decoded text and its replacement. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const escapes = /\\(?:u[0-9a-f]{4}|["\\/bfnrt])|(?:%[0-9a-f]{2})+/gi;
const control: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * Resolves percent-encoding and `\u` escapes, and in JSON strings the short escapes, so that a name is recognised in an
 * address, a body and a log line. Invalid escapes are kept.
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
      // Bytes that are not valid UTF-8 are kept as written.
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

/** Inserts the pieces into the original, percent-encoded where the original is. */
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
