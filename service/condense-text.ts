import type { ReadText } from './read-escapes.ts';

/** For each UTF-16 unit beyond ASCII: 0 not checked yet, 1 a letter or digit, 2 something else. */
const kinds = new Uint8Array(1 << 16);

/**
 * Reduces a string to its letters and digits, with their positions in the original, to find a secret that is written
 * with separators between its characters, bytes or lines. `undefined` when there is no separator.
 */
export function condenseText({ text, origin }: ReadText): ReadText | undefined {
  const places = new Int32Array(text.length);
  let kept = 0;
  let condensed = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    if (isKept(text, at)) {
      places[kept++] = at;
      continue;
    }
    if (at > copied) condensed += text.slice(copied, at);
    if (isHexPrefix(text, at)) at++;
    copied = at + 1;
  }
  if (kept === text.length) return undefined;
  condensed += text.slice(copied);
  return { text: condensed, origin: (from, to) => origin(places[from] ?? 0, (places[to - 1] ?? 0) + 1) };
}

function isKept(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 0x80) return (kinds[code] ||= /[\p{L}\p{N}]/u.test(text.charAt(at)) ? 1 : 2) === 1;
  if (code === 0x30) return !isHexPrefix(text, at);
  return (code > 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

/** `0x` in front of one byte. */
function isHexPrefix(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 0x30 || (text.charCodeAt(at + 1) | 0x20) !== 0x78) return false;
  return /^[0-9a-f]{2}(?![0-9a-f])/i.test(text.slice(at + 2, at + 5));
}
