/**
 * Headers whose value is a credential. It is never shown, not even an invalid one, since those are derived from the
 * valid one; credentials sent by the other side are hidden as well.
 */
const credentialHeaders = new Set(['authorization', 'x-api-key', 'proxy-authorization', 'cookie', 'set-cookie']);

/** The redacted value of a credential: its scheme, and `mark` in place of the rest. `undefined` for other headers. */
export function hiddenCredential(name: string, value: string, mark: string): string | undefined {
  if (!credentialHeaders.has(name.toLowerCase())) return undefined;
  const scheme = /^(bearer|basic|digest|token)(?= )/i.exec(value)?.[0];
  return scheme === undefined ? mark : `${scheme} ${mark}`;
}
