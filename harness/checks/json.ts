import { jsonBounds, readBoundedJson, type JsonBounds } from '../../specs/bounded-json.ts';

/**
 * JSON parsed once, at the edge: the value, or the error. `unread` is set for bytes that may be JSON but exceed the
 * bounds.
 */
export type ParsedJson = { value: unknown } | { error: string; unread?: 'array' | 'object' };

/** Bytes of a body up to which its parsed value is cached as long as the body lives; larger ones are cached weakly. */
const smallBodyBytes = 4_096;
const smallBodies = new WeakMap<Uint8Array, ParsedJson>();
/** Many rules judge the same body. Parsed JSON takes many times its bytes, so it may be collected. */
const largeBodies = new WeakMap<Uint8Array, WeakRef<ParsedJson>>();

/** Parses UTF-8 JSON (RFC 8259) within bounds. A byte order mark is skipped, as RFC 8259 allows. */
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

/** Parses a string as JSON; `undefined` where it is invalid or exceeds the bounds. */
export function parseJsonText(text: string, bounds?: JsonBounds): unknown {
  const read = readBoundedJson(Buffer.from(text), bounds);
  return 'value' in read ? read.value : undefined;
}

/** Describes the bound that possible JSON exceeds; `undefined` for all other bytes. */
export function describeExceededBounds(bytes: Uint8Array): string | undefined {
  const parsed = parseJson(bytes);
  return 'error' in parsed && parsed.unread ? parsed.error : undefined;
}
