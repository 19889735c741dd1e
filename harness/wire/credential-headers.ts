/**
 * Headers whose value is a credential. It is never shown, not even a wrong one, since we make wrong ones of the right
 * one; what the other side sends back in them is one as well.
 */
const credentialHeaders = new Set(['authorization', 'x-api-key', 'proxy-authorization', 'cookie', 'set-cookie']);

/** What is shown of a credential: its scheme, and `mark` in its place. `undefined` for a header that carries none. */
export function hiddenCredential(name: string, value: string, mark: string): string | undefined {
  if (!credentialHeaders.has(name.toLowerCase())) return undefined;
  const scheme = /^(bearer|basic|digest|token)(?= )/i.exec(value)?.[0];
  return scheme === undefined ? mark : `${scheme} ${mark}`;
}
