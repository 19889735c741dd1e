/** Bounds of JSON. Text that exceeds them is not parsed: parsed JSON needs many times the memory of its bytes. */
export interface JsonBounds {
  /** Arrays and objects within each other. */
  levels: number;
  /** Values of every kind together, those of arrays and objects included. */
  values: number;
}

/**
 * Bounds of everything that the interface documents. Its deepest value has 6 levels and its largest some 500 values; what
 * walks through JSON recursively reaches a few thousand levels.
 */
export const jsonBounds: JsonBounds = { levels: 200, values: 20_000 };

/** Bounds of a file or other input from the user, who chooses its size; the number of values follows from the size. */
export const fileBounds: JsonBounds = { ...jsonBounds, values: Infinity };

/** The value, or why there is none. With `unread`, what the bytes begin as: they may be JSON, but were not parsed. */
export type ReadJson =
  | { value: unknown }
  | {
      error: string;
      /** Message of the parser. It quotes the text, which may contain a secret. */
      cause?: string;
      unread?: 'array' | 'object';
    };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads bytes as UTF-8 JSON text (RFC 8259) within bounds. A byte order mark is skipped, as RFC 8259 allows. */
export function readBoundedJson(bytes: Uint8Array, bounds: JsonBounds = jsonBounds): ReadJson {
  if (bytes.length === 0) return { error: 'an empty body' };
  const start = jsonStart(bytes);
  // Other text is rejected at its first character, or is a single value.
  if (start === 'array' || start === 'object') {
    const exceeded = exceededBound(bytes, bounds);
    if (exceeded)
      return exceeded.isBalanced ? { error: exceeded.error, unread: start } : { error: 'text that is not JSON' };
  }
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { error: 'bytes that are not UTF-8' };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: 'text that is not JSON', cause: (error as Error).message };
  }
}

const [quote, comma, backslash, bracket, brace] = [0x22, 0x2c, 0x5c, 0x5b, 0x7b];
const whiteSpace = new Set([0x20, 0x09, 0x0a, 0x0d]);
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** Kind of a JSON text, by its first character; `undefined` if no JSON text starts like this. */
export function jsonStart(json: Uint8Array): 'array' | 'object' | 'string' | 'other value' | undefined {
  let at = byteOrderMark.every((byte, index) => json[index] === byte) ? byteOrderMark.length : 0;
  while (whiteSpace.has(json[at] ?? 0)) at++;
  const byte = json[at];
  if (byte === bracket) return 'array';
  if (byte === brace) return 'object';
  if (byte === quote) return 'string';
  return byte !== undefined && /[-0-9tfn]/.test(String.fromCharCode(byte)) ? 'other value' : undefined;
}

/**
 * The bound that the text exceeds, and whether its brackets are balanced, as in JSON. Counts punctuation only, in one
 * pass and in constant memory.
 */
function exceededBound(
  json: Uint8Array,
  { levels, values }: JsonBounds,
): { error: string; isBalanced: boolean } | undefined {
  // Every level and every value takes at least one byte.
  if (json.length <= Math.min(levels, values)) return undefined;
  let [level, deepest, count, isString] = [0, 0, 1, false];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) isString = !isString;
    else if (isString) at += Number(byte === backslash);
    else if (byte === comma) count++;
    else if (byte === bracket || byte === brace) {
      deepest = Math.max(deepest, ++level);
      count++;
      // Closing marks are two after their opening ones.
    } else if (byte === bracket + 2 || byte === brace + 2) level--;
  }
  const isBalanced = level === 0 && !isString;
  if (deepest > levels) return { error: `JSON nested more than ${levels} levels deep`, isBalanced };
  return count > values ? { error: `JSON of more than ${values} values`, isBalanced } : undefined;
}
