import { createHmac, timingSafeEqual } from 'node:crypto';

/** How far the signed time may be from ours, both ways (interface: Limits). */
export const TOLERANCE_SECONDS = 5 * 60;

/**
 * The one form that the interface shows. It also makes hex decoding strict: `Buffer.from(text, 'hex')` alone stops
 * silently at the first character that is not hex, and `timingSafeEqual` throws on buffers of unequal length.
 */
const HEADER = /^t=([0-9]{1,15}),v1=([0-9a-f]{64})$/;

export interface SignedPayload {
  /** `X-Svc-Signature` as Node returns it. */
  header: string | string[] | undefined;
  /** The raw body of a webhook or chat event; the call id of a phone call. */
  payload: Uint8Array | string;
  /** Used unchanged as UTF-8: a `whsec_` prefix belongs to it, and nothing in it is base64. */
  secret: string;
  nowMs: number;
}

/**
 * Whether the header contains a fresh signature of the payload: hex HMAC-SHA256(secret, t + '.' + payload), with t in
 * Unix seconds. Any other header is invalid, so that garbage leads to a 401 and never to an exception.
 * Interface: Authentication.
 */
export function isSigned({ header, payload, secret, nowMs }: SignedPayload): boolean {
  const [, t, v1] = (typeof header === 'string' && HEADER.exec(header)) || [];
  if (t === undefined || v1 === undefined) return false;
  // The digits of t are signed, not its value, so they go into the digest as received.
  const expected = createHmac('sha256', secret).update(`${t}.`).update(payload).digest();
  const genuine = timingSafeEqual(expected, Buffer.from(v1, 'hex'));
  return genuine && Math.abs(nowMs / 1000 - Number(t)) <= TOLERANCE_SECONDS;
}
