import type { ReadText } from './read-escapes.ts';

const kept = 1;
const dropped = 2;
/** A zero, which is dropped in front of `x` and a byte. */
const zero = 3;

/** What becomes of each UTF-16 unit; 0: not checked yet. */
const kinds = new Uint8Array(1 << 16);
kinds[0x30] = zero;

/**
 * Reduces a string to its letters and digits, with their positions in the original, to find a secret that is written
 * with separators between its characters, bytes or lines. `undefined` when there is no separator.
 */
export function condenseText({ text, origin }: ReadText): ReadText | undefined {
  const places = new Int32Array(text.length);
  let count = 0;
  let condensed = '';
  let copied = 0;
  for (let at = 0; at < text.length; at++) {
    const kind = kinds[text.charCodeAt(at)] || kindAt(text, at);
    if (kind === kept || (kind === zero && !isHexPrefix(text, at))) {
      places[count++] = at;
      continue;
    }
    if (at > copied) condensed += text.slice(copied, at);
    if (kind === zero) at++;
    copied = at + 1;
  }
  if (count === text.length) return undefined;
  condensed += text.slice(copied);
  return { text: condensed, origin: (from, to) => origin(places[from] ?? 0, (places[to - 1] ?? 0) + 1) };
}

function kindAt(text: string, at: number): number {
  return (kinds[text.charCodeAt(at)] = /[\p{L}\p{N}]/u.test(text.charAt(at)) ? kept : dropped);
}

/** `0x` in front of one byte. */
function isHexPrefix(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 0x30 || (text.charCodeAt(at + 1) | 0x20) !== 0x78) return false;
  return /^[0-9a-f]{2}(?![0-9a-f])/i.test(text.slice(at + 2, at + 5));
}
