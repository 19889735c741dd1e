import { percentDecode } from './deep-link.ts';

/** A key or secret by its prefix (interface: Authentication). */
const keys = /(svc_sk_|whsec_)[^\s&#]+/gi;
/** A user name and password in front of a host. */
const password = /(\/\/)[^/?#@\s:]*:[^/?#@\s]+@/g;
/** A parameter that is named like a credential, with a value. */
const credential =
  /((?:[?&;#]|^)(?:x-)?(?:api[-_]?key|(?:access|id|refresh|auth)?[-_]?token|(?:client)?[-_]?secret|password|passwd|authorization|bearer)=)[^&#\s]+/gi;
/** The pieces between the delimiters of a query or fragment. */
const pieces = /[^\s&#?=]+/g;

/** Describes the first certain secret in a string; `undefined` without one. */
export function secretIn(text: string): string | undefined {
  const key = [text, ...decodings(text)].flatMap((read) => read.match(keys) ?? [])[0];
  if (key !== undefined) return /^svc/i.test(key) ? 'an API key' : 'a secret';
  return text.search(password) >= 0 ? 'a password in front of the host' : undefined;
}

/** Names of the parameters of a link that are named like credentials. */
export function credentialNames(text: string): string[] {
  return [...text.matchAll(credential)].map(([, name = '']) => name.replace(/^[?&;#]|=$/g, ''));
}

/**
 * Replaces every secret, percent-encoded ones included, and the values of parameters that are named like credentials by a
 * mark.
 */
export function hideSecrets(text: string): string {
  return text
    .replaceAll(keys, '$1…')
    .replaceAll(pieces, (piece) => (decodings(piece).some((read) => read.search(keys) >= 0) ? '…' : piece))
    .replaceAll(password, '$1…@')
    .replaceAll(credential, '$1…');
}

/** The string percent-decoded once and twice, if it contains a percent sign. */
function decodings(text: string): string[] {
  if (!text.includes('%')) return [];
  const once = percentDecode(text).text;
  return [once, percentDecode(once).text];
}
