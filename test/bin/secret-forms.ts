import { expect } from 'vitest';

/** The ways in which a secret can be written into a string. */
export function secretForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // Within, as the function is sent to other programs as a whole. RFC 4648, 6.
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

/** Expects none of the secrets, each by its name, in any of the strings, in any form and letter case. */
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
