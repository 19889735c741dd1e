const prefix = 'whsec_';

/** A secret that is used in another form than its unchanged UTF-8 bytes (interface: Authentication). */
export interface WrongSecret {
  slug: 'refuses-decoded-secret' | 'refuses-stripped-secret';
  /** Follows `a delivery` or `a call`. */
  what: string;
  /** Derives the incorrect key from the secret; `undefined` if it does not differ. */
  derive: (secret: string) => string | Uint8Array | undefined;
}

/** Forms that libraries for another scheme make from a secret that begins with `whsec_`. */
export const wrongSecrets: readonly WrongSecret[] = [
  { slug: 'refuses-decoded-secret', what: 'signed with the secret after base64 decoding', derive: decoded },
  { slug: 'refuses-stripped-secret', what: 'signed with the secret without whsec_', derive: stripped },
];

/** Reason why an incorrect secret was not tried. */
export const nothingToDerive = 'The configured secret has no whsec_ prefix, so there is nothing to strip or decode.';

function stripped(secret: string): string | undefined {
  return secret.startsWith(prefix) && secret.length > prefix.length ? secret.slice(prefix.length) : undefined;
}

function decoded(secret: string): Uint8Array | undefined {
  const rest = stripped(secret);
  return rest === undefined ? undefined : Buffer.from(rest, 'base64');
}
