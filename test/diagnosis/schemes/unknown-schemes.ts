import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { Scheme } from './scheme.ts';
import { join, one } from './verifier.ts';

const hmac = (key: string | Buffer, content: string | Buffer, algorithm = 'sha256') =>
  createHmac(algorithm, key).update(content).digest();
const base32 = (bytes: Buffer) => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[parseInt(five.padEnd(5, '0'), 2)])
    .join('');
};

/** Schemes that a diagnosis cannot know: no cause may be named. */
export const unknownSchemes: readonly Scheme[] = [
  {
    ids: [],
    form: 'a key for each day, as in another well-known scheme',
    steps: { digest: (key, content) => hmac(hmac(key, new Date().toISOString().slice(0, 10)), content) },
  },
  { ids: [], form: 'HMAC of the HMAC', steps: { digest: (key, content) => hmac(key, hmac(key, content)) } },
  { ids: [], form: 'BLAKE2', steps: { digest: (key, content) => hmac(key, content, 'blake2s256') } },
  {
    ids: [],
    form: 'a key made by HKDF',
    steps: { key: (secret) => Buffer.from(hkdfSync('sha256', secret, '', 'webhook', 32)) },
  },
  { ids: [], form: 'base32', steps: { encode: base32 } },
  { ids: [], form: 'half of the digest', steps: { encode: (digest) => digest.subarray(0, 16).toString('hex') } },
  { ids: [], form: 'the content backwards', steps: { content: (t, body) => join(`${t}.`, body).reverse() } },
  {
    ids: [],
    form: 't rounded to minutes',
    steps: { content: (t, body) => join(String(Math.floor(Number(t) / 60)), '.', body) },
  },
  { ids: [], form: 'a custom salt', steps: { content: (t, body) => join(`${t}.`, body, '.pepper-7f3a') } },
  {
    ids: [],
    form: 'headers signed too',
    steps: {
      content: (t, body, { headers }) =>
        join(`${t}.`, one(headers['user-agent']), '\n', one(headers['content-type']), '\n', body),
    },
  },
  {
    ids: [],
    form: 'the secret hashed twice, with SHA-512',
    steps: { key: (secret) => createHash('sha512').update(createHash('sha512').update(secret).digest()).digest() },
  },
  { ids: [], form: 'everything is refused', accepts: () => () => false },
  { ids: [], form: 'everything is refused without an answer', accepts: () => () => false, manner: { closes: true } },
];
