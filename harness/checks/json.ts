import { jsonBounds, readBoundedJson, type JsonBounds } from '../../specs/bounded-json.ts';

export { isJsonObject } from '../../specs/bounded-json.ts';

/** Bytes read as JSON, once, at the edge: the value, or why there is none. With `unread`, what they begin as: they may be JSON. */
export type ParsedJson = { value: unknown } | { error: string; unread?: 'array' | 'object' };

/** Bytes of a body up to which its value is kept for as long as the body; the value of a larger one is parsed again. */
const smallBodyBytes = 4_096;
const smallBodies = new WeakMap<Uint8Array, ParsedJson>();
/** A body is judged by many rules one after the other. Parsed JSON takes many times its bytes, so that few are kept. */
const largeBodies = new WeakMap<Uint8Array, WeakRef<ParsedJson>>();

/** Reads bytes as UTF-8 JSON text (RFC 8259) within bounds. A byte order mark is skipped, as RFC 8259 allows. */
export function parseJson(bytes: Uint8Array, bounds: JsonBounds = jsonBounds): ParsedJson {
  const known = smallBodies.get(bytes) ?? largeBodies.get(bytes)?.deref();
  if (known) return known;
  const parsed = parse(bytes, bounds);
  if (bytes.length <= smallBodyBytes) smallBodies.set(bytes, parsed);
  else largeBodies.set(bytes, new WeakRef(parsed));
  return parsed;
}

function parse(bytes: Uint8Array, bounds: JsonBounds): ParsedJson {
  const read = readBoundedJson(bytes, bounds);
  if ('value' in read) return read;
  const { error, cause, unread } = read;
  return { error: cause === undefined ? error : `${error} (${cause})`, ...(unread && { unread }) };
}

/** A text as JSON; `undefined` where it is none, or exceeds the bounds. */
export function parseJsonText(text: string, bounds?: JsonBounds): unknown {
  const read = readBoundedJson(Buffer.from(text), bounds);
  return 'value' in read ? read.value : undefined;
}

/** Why bytes that may be JSON were not read as such: they exceed the bounds. `undefined` for all others. */
export function describeExceededBounds(bytes: Uint8Array): string | undefined {
  const parsed = parseJson(bytes);
  return 'error' in parsed && parsed.unread ? parsed.error : undefined;
}
