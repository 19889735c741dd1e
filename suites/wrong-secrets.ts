import { forgedSignatures } from '../harness/wire/forged-signatures.ts';
import type { SignedDelivery } from '../harness/wire/signed-delivery.ts';

/** A secret that is used in another form than its unchanged UTF-8 bytes (interface: Authentication). */
export interface WrongSecret {
  slug: 'refuses-decoded-secret' | 'refuses-stripped-secret';
  /** Follows `a delivery` or `a call`. */
  what: string;
  /** Signs with it; `undefined` when the secret gives none that differs. */
  spoil: (correct: SignedDelivery) => SignedDelivery | undefined;
}

/** Forms that libraries for another scheme make from a secret that begins with `whsec_`. */
export const wrongSecrets: readonly WrongSecret[] = [
  {
    slug: 'refuses-decoded-secret',
    what: 'signed with the secret after base64 decoding',
    spoil: forgedSignatures.decodedSecret,
  },
  {
    slug: 'refuses-stripped-secret',
    what: 'signed with the secret without whsec_',
    spoil: forgedSignatures.strippedSecret,
  },
];

/** Reason why an incorrect secret was not tried. */
export const notDerivedReason = 'The configured secret has no whsec_ prefix, so there is nothing to strip or decode.';
