const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a body as UTF-8 JSON text (RFC 8259); a byte order mark is passed over. An error says in a few words what the
 * body is, and quotes nothing of it: it may hold a secret.
 */
export function readJson(body: Uint8Array): { value: unknown } | { error: string } {
  if (body.length === 0) return { error: 'an empty body' };
  let text: string;
  try {
    text = utf8.decode(body);
  } catch {
    return { error: 'bytes that are not UTF-8' };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { error: 'text that is not JSON' };
  }
}

/** Whether a parsed value is a JSON object. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
