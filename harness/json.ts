/** Bytes read as JSON, once, at the edge: the value, or why they are none. */
export type ParsedJson = { value: unknown } | { error: string };

/** A body is judged by many rules and parsed once. */
const parsedBodies = new WeakMap<Uint8Array, ParsedJson>();
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads bytes as UTF-8 JSON text (RFC 8259). A byte order mark is passed over, as RFC 8259 allows a reader to. */
export function parseJson(bytes: Uint8Array): ParsedJson {
  let parsed = parsedBodies.get(bytes);
  if (!parsed) parsedBodies.set(bytes, (parsed = parse(bytes)));
  return parsed;
}

function parse(bytes: Uint8Array): ParsedJson {
  if (bytes.length === 0) return { error: 'an empty body' };
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { error: 'bytes that are not UTF-8' };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { error: `text that is not JSON (${(error as Error).message})` };
  }
}

/** A text as JSON; `undefined` where it is none. */
export function jsonOfText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether a parsed value is a JSON object. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
