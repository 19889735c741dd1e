import { createHash, createHmac } from 'node:crypto';
import type { Scheme } from './scheme.ts';
import { join, type Steps } from './verifier.ts';

const hmac =
  (algorithm: string): Steps['digest'] =>
  (key, content) =>
    createHmac(algorithm, key).update(content).digest();

const hash =
  (of: (key: string | Buffer, content: string | Buffer) => Buffer): Steps['digest'] =>
  (key, content) =>
    createHash('sha256').update(of(key, content)).digest();

/** Another algorithm, or another encoding of its result. */
export const digestMistakes: readonly Scheme[] = [
  { ids: ['sha1'], steps: { digest: hmac('sha1') } },
  { ids: ['sha384'], steps: { digest: hmac('sha384') } },
  { ids: ['sha512'], steps: { digest: hmac('sha512') }, manner: { afterMs: 60 } },
  { ids: ['md5'], steps: { digest: hmac('md5') } },
  { ids: ['sha3'], steps: { digest: hmac('sha3-256') } },
  {
    ids: ['hashed-again'],
    steps: { digest: (key, content) => createHash('sha256').update(hmac('sha256')(key, content)).digest() },
  },
  { ids: ['plain-hash'], steps: { digest: hash((_, content) => join(content)) } },
  { ids: ['plain-hash-with-secret'], steps: { digest: hash((key, content) => join(key, content)) } },
  { ids: ['plain-hash-with-secret'], form: 'behind', steps: { digest: hash((key, content) => join(content, key)) } },
  {
    ids: ['key-and-content-swapped'],
    steps: { digest: (key, content) => createHmac('sha256', content).update(key).digest() },
  },
  // Encoding.Unicode of .NET.
  { ids: ['signed-as-utf-16'], steps: { content: (t, body) => Buffer.from(`${t}.${String(body)}`, 'utf16le') } },
  { ids: ['base64'], steps: { encode: (digest) => digest.toString('base64') } },
  { ids: ['base64url'], steps: { encode: (digest) => digest.toString('base64url') } },
  {
    ids: ['hex-upper-case'],
    steps: { encode: (digest) => digest.toString('hex').toUpperCase() },
    manner: { status: 200, body: '{"error":"invalid signature"}', closesWith: 1008 },
  },
  { ids: ['base64-of-hex'], steps: { encode: (digest) => Buffer.from(digest.toString('hex')).toString('base64') } },
  {
    ids: ['hex-with-dashes'],
    steps: { encode: (digest) => (digest.toString('hex').match(/../g) ?? []).join('-').toUpperCase() },
  },
];
