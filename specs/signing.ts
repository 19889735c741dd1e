import { createHmac } from 'node:crypto';

/** Inputs of a signature (interface: Authentication). */
export interface SigningInput {
  /** Used unchanged as UTF-8; a `whsec_` prefix is part of it, and it is not base64-decoded. */
  secret: string;
  /** Unix time in whole seconds. */
  t: number;
  /** The exact bytes on the wire; a string is encoded as UTF-8. */
  body: Uint8Array | string;
}

/** The signed content: `t` in decimal, a dot, the raw body (interface: Authentication). */
export function signedBytes(t: number, body: Uint8Array | string): readonly Uint8Array[] {
  return [Buffer.from(`${t}.`, 'utf8'), typeof body === 'string' ? Buffer.from(body, 'utf8') : body];
}

/** Lower-case hex HMAC-SHA256 over the parts, one after the other. */
export function hmacHex(secret: string | Uint8Array, parts: readonly Uint8Array[]): string {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest('hex');
}

/** Value of `X-Svc-Signature`: `t=<unix seconds>,v1=<hex>` (interface: Authentication). */
export function signatureHeader({ secret, t, body }: SigningInput): string {
  return `t=${t},v1=${hmacHex(secret, signedBytes(t, body))}`;
}
