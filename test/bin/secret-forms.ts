import { expect } from 'vitest';

/** The forms in which a string can contain a secret. */
export function secretForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // RFC 4648, 6. An inner function, because the source of the outer one is copied into other programs.
  const base32 = () => {
    const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
    const text = (bits.match(/.{1,5}/g) ?? [])
      .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(parseInt(five.padEnd(5, '0'), 2)))
      .join('');
    return text.padEnd(Math.ceil(text.length / 8) * 8, '=');
  };
  const hexBytes = bytes.toString('hex').match(/../g) ?? [];
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    hexBytes.join(':'),
    hexBytes.join(' ').toUpperCase(),
    hexBytes.join('-'),
    Buffer.from(bytes.toString('base64')).toString('base64'),
    Buffer.from(bytes.toString('base64url')).toString('base64url'),
    Buffer.from(secret, 'utf16le').toString('base64'),
    base32(),
    base32().replace(/=+$/, ''),
    secret.split('').reverse().join(''),
    secret.split('').join(' '),
    secret.split('').join('-'),
    secret.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
    secret.replace(/\W/g, (sign) => `&#${sign.charCodeAt(0)};`),
    secret.replace(/./g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  ];
}

/** Expects that no string contains a secret, in any form and letter case. The secrets are given by name. */
export function expectNoSecret(
  secrets: Readonly<Record<string, string>>,
  places: Readonly<Record<string, string>>,
): void {
  for (const [name, secret] of Object.entries(secrets)) {
    for (const form of secretForms(secret)) {
      for (const [place, text] of Object.entries(places)) {
        expect(text.toLowerCase().includes(form.toLowerCase()), `${name} as ${form} in ${place}`).toBe(false);
      }
    }
  }
}
