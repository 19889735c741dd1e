import { expect } from 'vitest';

/** The ways in which a secret can be written into a text. */
export function secretForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    secret.replace(/./g, (sign) => `%${sign.charCodeAt(0).toString(16)}`),
    secret.replace(/\W/g, (sign) => `&#${sign.charCodeAt(0)};`),
    secret.replace(/./g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`),
  ];
}

/** None of the secrets, each by its name, is in any of the texts, in whatever form and letter case. */
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
