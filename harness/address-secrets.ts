import type { NamedSecret } from './redact.ts';

/** Names of query parameters whose values let somebody in. */
const namesCredential = /key|secret|token|passw|pwd|credential|auth|sign|^sig$|^code$|^hash$/i;
/** A value as machines make them: long, with digits and letters, and nothing that separates words. */
const isMade = (value: string) => /^[\w.~+/=-]{16,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
/** A switch or a small number: hidden, it would take half of every text with it. */
const tellsNothing = /^(?:.{0,3}|true|false)$/i;

/**
 * What looks like a credential in the query of an address, for redaction: some endpoints are let in by one beside the
 * signature or token. A user name and password are refused with the config (interface: Endpoints).
 */
export function addressSecrets(url: string): NamedSecret[] {
  if (!URL.canParse(url)) return [];
  return [...new URL(url).searchParams].flatMap(([parameter, value]) => {
    const name = 'credential in the address';
    if (tellsNothing.test(value)) return [];
    if (namesCredential.test(parameter)) return [{ name, value }];
    // Whatever it is, pieces of it may stand in other texts by chance.
    return isMade(value) ? [{ name, value, isWhole: true as const }] : [];
  });
}
