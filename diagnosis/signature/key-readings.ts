import { createHash } from 'node:crypto';
import { observedWeight, type Reading } from './reading.ts';

/** The value that an endpoint uses as the key. */
export interface KeyReading extends Reading {
  key: Uint8Array;
}

const prefix = 'whsec_';
const utf8 = (text: string) => Buffer.from(text, 'utf8');

/** The correct key: the secret as UTF-8. */
export function correctKey(secret: string): KeyReading {
  return { ids: [], weight: 1000, key: utf8(secret) };
}

/**
 * Every incorrect key that can be derived from this secret, each once and none equal to the correct one.
 *
 * @param oldSecret the previous secret, if known
 */
export function keyReadings(secret: string, oldSecret?: string): readonly KeyReading[] {
  const rest = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  const isHex = /^(?:[0-9a-f]{2})+$/i.test(rest);
  const cutAt = secret.search(/[#$=\s]/);
  const all: (KeyReading | false)[] = [
    oldSecret !== undefined && { ids: ['signature/old-secret'], weight: 60, key: utf8(oldSecret) },
    { ids: ['signature/secret-trimmed'], weight: 60, key: utf8(secret.trim()) },
    { ids: ['signature/secret-base64-decoded'], weight: 30, key: Buffer.from(rest, 'base64') },
    { ids: ['signature/secret-prefix-stripped'], weight: 22, key: utf8(rest) },
    { ids: ['signature/secret-with-newline'], weight: 12, key: utf8(`${secret}\n`) },
    isHex && { ids: ['signature/secret-hex-decoded'], weight: 9, key: Buffer.from(rest, 'hex') },
    { ids: ['signature/secret-decoded-with-prefix'], weight: 8, key: Buffer.from(secret, 'base64') },
    { ids: ['signature/secret-empty'], weight: 9, key: new Uint8Array() },
    { ids: ['signature/secret-with-white-space'], form: 'a space at its end', weight: 5, key: utf8(`${secret} `) },
    { ids: ['signature/secret-in-quotes'], form: 'double quotes', weight: 6, key: utf8(`"${secret}"`) },
    { ids: ['signature/secret-hashed'], weight: 4, key: createHash('sha256').update(secret).digest() },
    { ids: ['signature/secret-hex-encoded'], weight: 4, key: utf8(utf8(secret).toString('hex')) },
    { ids: ['signature/secret-missing'], form: '"undefined"', weight: 4, key: utf8('undefined') },
    { ids: ['signature/secret-with-white-space'], form: 'a space before it', weight: 3, key: utf8(` ${secret}`) },
    { ids: ['signature/secret-with-newline'], form: 'CR LF', weight: 3, key: utf8(`${secret}\r\n`) },
    { ids: ['signature/secret-with-newline'], form: 'CR', weight: 1.5, key: utf8(`${secret}\r`) },
    { ids: ['signature/secret-in-quotes'], form: 'single quotes', weight: 3, key: utf8(`'${secret}'`) },
    {
      ids: ['signature/secret-hashed'],
      form: 'the hash as hex text',
      weight: 2.5,
      key: utf8(createHash('sha256').update(secret).digest('hex')),
    },
    { ids: ['signature/secret-percent-encoded'], weight: observedWeight, key: utf8(encodeURIComponent(secret)) },
    {
      ids: ['signature/secret-percent-decoded'],
      form: 'as a field of a form',
      weight: observedWeight,
      key: utf8(decodedForm(secret)),
    },
    {
      ids: ['signature/secret-percent-decoded'],
      weight: 2,
      key: utf8(decodedPercents(secret)),
    },
    { ids: ['signature/secret-base64-encoded'], weight: 3, key: utf8(utf8(secret).toString('base64')) },
    { ids: ['signature/secret-case-changed'], form: 'lower case', weight: 1.5, key: utf8(secret.toLowerCase()) },
    { ids: ['signature/secret-case-changed'], form: 'upper case', weight: 1, key: utf8(secret.toUpperCase()) },
    { ids: ['signature/secret-missing'], form: '"null"', weight: 1.5, key: utf8('null') },
    { ids: ['signature/secret-missing'], form: '"None"', weight: 1.5, key: utf8('None') },
    { ids: ['signature/secret-hex-encoded'], form: 'without whsec_', weight: 1, key: utf8(utf8(rest).toString('hex')) },
    // Decoders that skip characters outside the alphabet, as in Python and PHP; Node reads - and _ as well.
    { ids: ['signature/secret-base64-decoded'], weight: 4, key: skipping(rest) },
    { ids: ['signature/secret-decoded-with-prefix'], weight: 4, key: skipping(secret) },
    { ids: ['signature/secret-with-white-space'], form: 'spaces around it', weight: 1, key: utf8(` ${secret} `) },
    { ids: ['signature/secret-with-white-space'], form: 'a tab at its end', weight: 0.7, key: utf8(`${secret}\t`) },
    {
      ids: ['signature/secret-base64-encoded'],
      form: 'without whsec_',
      weight: 0.7,
      key: utf8(utf8(rest).toString('base64')),
    },
    { ids: ['signature/secret-cut'], form: 'after 32 characters', weight: 1.5, key: utf8(secret.slice(0, 32)) },
    cutAt > 0 && { ids: ['signature/secret-cut'], weight: 8, key: utf8(secret.slice(0, cutAt)) },
    {
      ids: ['signature/secret-hashed'],
      form: 'without whsec_',
      weight: 0.7,
      key: createHash('sha256').update(rest).digest(),
    },
  ];
  const seen = new Set([utf8(secret).toString('hex')]);
  return all.filter((reading): reading is KeyReading => {
    if (reading === false) return false;
    const hex = Buffer.from(reading.key).toString('hex');
    if (seen.has(hex)) return false;
    seen.add(hex);
    return true;
  });
}

function skipping(text: string): Uint8Array {
  return Buffer.from(text.replaceAll(/[^A-Za-z0-9+/]/g, ''), 'base64');
}

/** Percent signs decoded; a percent sign that begins no code stays. */
function decodedPercents(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decodedForm(text: string): string {
  return decodedPercents(text.replaceAll('+', ' '));
}
