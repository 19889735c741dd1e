import { foldCase } from './fold-case.ts';
import type { ReadText } from './read-escapes.ts';

const dropped = 1;
/** Stays, but is dropped in front of `x` and a byte. */
const zero = 0x30;

/** The folded case of each UTF-16 unit, or `dropped` for a separator; 0: not checked yet. */
const units = new Uint16Array(1 << 16);

/** Reused, because allocating a buffer for each string takes longer than reading the string. */
const scratch = Buffer.alloc(1 << 16);

/**
 * Reduces a string to its letters and digits in folded case, with their positions in the original, to find a secret that
 * is written with separators between its characters, bytes or lines. `undefined` when there is no separator.
 */
export function condenseText({ text, origin }: ReadText): ReadText | undefined {
  const bytes = bytesFor(text);
  const count = keepUnits(text, bytes);
  if (count === text.length) return undefined;
  let places: Int32Array | undefined;
  return {
    text: bytes.toString('utf16le', 0, 2 * count),
    origin: (from, to) => {
      // Only for a string that contains a secret, which few do.
      if (!places) keepUnits(text, bytesFor(text), (places = new Int32Array(count)));
      return origin(places[from] ?? 0, (places[to - 1] ?? 0) + 1);
    },
  };
}

function bytesFor({ length }: string): Buffer {
  return 2 * length <= scratch.length ? scratch : Buffer.allocUnsafe(2 * length);
}

/** Leaves the units that stay in `bytes`, as UTF-16LE, and their positions in the text; returns their number. */
function keepUnits(text: string, bytes: Buffer, places?: Int32Array): number {
  bytes.write(text, 'utf16le');
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const code = (bytes[2 * at] ?? 0) | ((bytes[2 * at + 1] ?? 0) << 8);
    const unit = units[code] || unitAt(code);
    if (unit === dropped) continue;
    if (unit === zero && isHexPrefix(text, at)) {
      at++;
      continue;
    }
    bytes[2 * count] = unit;
    bytes[2 * count + 1] = unit >> 8;
    if (places) places[count] = at;
    count++;
  }
  return count;
}

function unitAt(code: number): number {
  const character = String.fromCharCode(code);
  return (units[code] = /[\p{L}\p{N}]/u.test(character) ? foldCase(character).charCodeAt(0) : dropped);
}

/** `0x` in front of one byte. */
function isHexPrefix(text: string, at: number): boolean {
  if ((text.charCodeAt(at + 1) | 0x20) !== 0x78) return false;
  return /^[0-9a-f]{2}(?![0-9a-f])/i.test(text.slice(at + 2, at + 5));
}
