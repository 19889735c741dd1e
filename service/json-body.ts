import { readBoundedJson } from '../specs/bounded-json.ts';

/**
 * Reads a body as UTF-8 JSON text (RFC 8259) within bounds. An error describes the body in a few words and quotes
 * nothing of it: it may contain a secret.
 */
export function readJson(body: Uint8Array): { value: unknown } | { error: string } {
  const read = readBoundedJson(body);
  return 'value' in read ? read : { error: read.error };
}
