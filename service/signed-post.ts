import { signatureHeader } from '../specs/signing.ts';
import type { OutboundRequest } from './outbound.ts';

export interface SignedPost {
  url: string;
  secret: string;
  /** Headers beside the signature. */
  headers: OutboundRequest['headers'];
  /** The exact bytes that go out. */
  body: Uint8Array;
}

/**
 * A delivery as it goes out now, signed (interface: Authentication). `t` is the real time, also while the service's own
 * was moved: receivers compare it with theirs.
 */
export function signedPost({ url, secret, headers, body }: SignedPost): OutboundRequest {
  const t = Math.floor(Date.now() / 1000);
  const signature = ['X-Svc-Signature', signatureHeader({ secret, t, body })] as const;
  return { method: 'POST', url, headers: [...headers, signature], body };
}
