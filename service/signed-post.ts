import { signatureHeader } from '../specs/signing.ts';
import type { OutboundRequest } from './outbound.ts';

export interface SignedPost {
  url: string;
  secret: string;
  /** Headers in addition to the signature. */
  headers: OutboundRequest['headers'];
  /** The exact bytes that are sent. */
  body: Uint8Array;
}

/**
 * A signed delivery as it is sent now (interface: Authentication). `t` is the real time, even when the service's own
 * clock was moved: receivers compare it with theirs.
 */
export function signedPost({ url, secret, headers, body }: SignedPost): OutboundRequest {
  const t = Math.floor(Date.now() / 1000);
  const signature = ['X-Svc-Signature', signatureHeader({ secret, t, body })] as const;
  return { method: 'POST', url, headers: [...headers, signature], body };
}
