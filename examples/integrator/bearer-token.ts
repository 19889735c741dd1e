import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * The scheme is compared in any case because RFC 9110 (section 11.1) calls it case-insensitive, and a proxy in between
 * may rewrite it. The token is compared exactly.
 */
const CREDENTIALS = /^bearer +([^ ]+)$/i;

/** Whether an `Authorization` header carries exactly this token. Interface: Authentication, CRM webhook. */
export function hasBearerToken(header: string | undefined, token: string): boolean {
  const given = header === undefined ? undefined : CREDENTIALS.exec(header)?.[1];
  if (given === undefined) return false;
  // Hashing makes both sides 32 bytes, so neither the duration nor an exception reveals the length of the token.
  // Node decodes header bytes as Latin-1 characters; this restores the bytes.
  return timingSafeEqual(sha256(Buffer.from(given, 'latin1')), sha256(Buffer.from(token, 'utf8')));
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
