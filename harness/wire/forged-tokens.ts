/**
 * `Authorization` values that must be refused, made from the valid bearer token (interface: Authentication). `null`
 * sends no header, `undefined` cannot be made from this token.
 */
export const forgedTokens = {
  missing: () => null,
  wrong: (token: string) => `Bearer ${unlike(token)}`,
  truncated: (token: string) => `Bearer ${token.slice(0, -1)}`,
  extendedBefore: (token: string) => `Bearer x${token}`,
  extendedAfter: (token: string) => `Bearer ${token}x`,
  differentlyCased: (token: string) => (swapCase(token) === token ? undefined : `Bearer ${swapCase(token)}`),
  basicScheme: (token: string) => `Basic ${Buffer.from(`:${token}`).toString('base64')}`,
  otherScheme: (token: string) => `Token ${token}`,
} as const satisfies Record<string, (token: string) => string | null | undefined>;

/** As long as the valid token and with the same alphabet, but different in every letter and digit. */
function unlike(token: string): string {
  const other = token.replace(/[a-z0-9]/gi, (char) => (char === 'q' ? 'w' : 'q'));
  return other === token ? `${token.slice(1)}q` : other;
}

function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()));
}
