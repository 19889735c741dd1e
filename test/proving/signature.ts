import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds that `t` may be off (interface: Limits). */
export const toleranceSeconds = 300;

/** Whether a delivery has a valid signature. */
export type Verify = (header: string | undefined, body: Buffer, secret: string) => boolean;

/** The value of `v1` for these bytes. */
export function sign(secret: string | Buffer, t: string | number, body: Buffer | string): string {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
}

/** `t` and `v1` of a header in the documented form. */
export function parse(header: string | undefined): { t: string; v1: string } | undefined {
  const found = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '');
  return found ? { t: found[1] ?? '', v1: found[2] ?? '' } : undefined;
}

/** Whether `t` is within the tolerance in both directions. */
export function isRecent(t: string): boolean {
  return Math.abs(Date.now() / 1000 - Number(t)) <= toleranceSeconds;
}

/** Compares two hex strings of the same length in constant time. */
export function sameHex(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one, 'latin1'), Buffer.from(other, 'latin1'));
}

export const verify: Verify = (header, body, secret) => {
  const parts = parse(header);
  return parts !== undefined && isRecent(parts.t) && sameHex(sign(secret, parts.t, body), parts.v1);
};
