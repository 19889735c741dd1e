import { createHmac } from 'node:crypto';

/** What a signature is made of (interface: Authentication). */
export interface SigningInput {
  /** Used as UTF-8 text as it is; a `whsec_` prefix belongs to it and nothing is base64-decoded. */
  secret: string;
  /** Unix time in whole seconds. */
  t: number;
  /** The exact bytes that go over the wire; text is taken as UTF-8. */
  body: Uint8Array | string;
}

/** Lower-case hex HMAC-SHA256 over `t`, a dot and the raw body: the `v1` part (interface: Authentication). */
export function signature({ secret, t, body }: SigningInput): string {
  return createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
}

/** Value of `X-Svc-Signature`: `t=<unix seconds>,v1=<hex>` (interface: Authentication). */
export function signatureHeader(input: SigningInput): string {
  return `t=${input.t},v1=${signature(input)}`;
}
