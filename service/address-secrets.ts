import type { NamedSecret } from './redact.ts';
import { resemblesProse } from './secret-strength.ts';

/** Names of query parameters whose values grant access. */
const namesCredential = /key|secret|token|passw|pwd|credential|auth|sign|^sig$|^code$|^hash$/i;
/** A value as machines generate them: long, with digits and letters, and without separators between words. */
const isMade = (value: string) => /^[\w.~+/=-]{16,}$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
/** A switch or a small number, which occurs in ordinary text by chance. */
const saysNothing = /^(?:.{0,3}|true|false)$/i;

/**
 * Values in an address that look like credentials, for redaction: some endpoints authorise a request by one, in
 * addition to the signature or token. A config with a user name and password is refused (interface: Endpoints); a step
 * may set one.
 */
export function addressSecrets(url: string): NamedSecret[] {
  if (!URL.canParse(url)) return [];
  const name = 'credential in the address';
  const { username, password, searchParams } = new URL(url);
  const user = password === '' ? username : `${username}:${password}`;
  return [
    ...(user === '' ? [] : [{ name, value: `${user}@`, isExact: true as const }]),
    ...(password === '' ? [] : [{ name, value: unescaped(password) }]),
    ...[...searchParams].flatMap(([parameter, value]): NamedSecret[] => {
      if (saysNothing.test(value)) return [];
      // Together with its parameter it does not resemble ordinary text.
      const inAddress = { name, value: `${parameter}=${value}`, isExact: true as const };
      if (namesCredential.test(parameter))
        return resemblesProse(value) ? [{ name, value }, inAddress] : [{ name, value }];
      // It need not be a secret, so parts of it are not redacted.
      return isMade(value) ? [{ name, value, isWhole: true as const }] : [];
    }),
  ];
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
