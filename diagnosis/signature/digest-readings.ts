import { createHash, createHmac } from 'node:crypto';
import { observedWeight, type Reading } from './reading.ts';

/** Computation of the digest by an endpoint. */
export interface AlgorithmReading extends Reading {
  compute: (key: Uint8Array, content: Uint8Array) => Buffer;
  /** The key plays no part. */
  keyless?: true;
}

/** Encoding of the digest by an endpoint. */
export interface EncodingReading extends Reading {
  write: (digest: Buffer) => string;
}

const hmac = (name: string) => (key: Uint8Array, content: Uint8Array) => createHmac(name, key).update(content).digest();
const hash = (name: string, ...parts: readonly Uint8Array[]) => createHash(name).update(Buffer.concat(parts)).digest();
const dot = Buffer.from('.');

/** HMAC-SHA256 (interface: Authentication). */
export const correctAlgorithm: AlgorithmReading = { ids: [], weight: 1000, compute: hmac('sha256') };

export const algorithmReadings: readonly AlgorithmReading[] = [
  { ids: ['signature/sha1'], weight: 7, compute: hmac('sha1') },
  { ids: ['signature/sha512'], weight: 6, compute: hmac('sha512') },
  {
    ids: ['signature/plain-hash-with-secret'],
    form: 'before the content',
    weight: 5,
    compute: (key, content) => hash('sha256', key, content),
  },
  { ids: ['signature/plain-hash'], weight: 5, keyless: true, compute: (_, content) => hash('sha256', content) },
  {
    ids: ['signature/plain-hash-with-secret'],
    form: 'after the content',
    weight: 4,
    compute: (key, content) => hash('sha256', content, key),
  },
  { ids: ['signature/key-and-content-swapped'], weight: 4, compute: (key, content) => hmac('sha256')(content, key) },
  { ids: ['signature/md5'], weight: 3.5, compute: hmac('md5') },
  { ids: ['signature/sha384'], weight: 3, compute: hmac('sha384') },
  {
    ids: ['signature/plain-hash-with-secret'],
    form: 'before the content, with a dot',
    weight: 1.5,
    compute: (key, content) => hash('sha256', key, dot, content),
  },
  {
    ids: ['signature/plain-hash-with-secret'],
    form: 'after the content, with a dot',
    weight: 1,
    compute: (key, content) => hash('sha256', content, dot, key),
  },
  {
    ids: ['signature/signed-as-utf-16'],
    weight: observedWeight,
    compute: (key, content) => hmac('sha256')(key, Buffer.from(Buffer.from(content).toString('utf8'), 'utf16le')),
  },
  { ids: ['signature/sha3'], weight: observedWeight, compute: hmac('sha3-256') },
  {
    ids: ['signature/hashed-again'],
    form: 'the hex string',
    weight: observedWeight,
    compute: (key, content) => hash('sha256', Buffer.from(hmac('sha256')(key, content).toString('hex'))),
  },
  {
    ids: ['signature/hashed-again'],
    weight: observedWeight - 1,
    compute: (key, content) => hash('sha256', hmac('sha256')(key, content)),
  },
  { ids: ['signature/sha224'], weight: 0.7, compute: hmac('sha224') },
  {
    ids: ['signature/plain-hash', 'signature/md5'],
    weight: 1,
    keyless: true,
    compute: (_, content) => hash('md5', content),
  },
  {
    ids: ['signature/plain-hash', 'signature/sha1'],
    weight: 1,
    keyless: true,
    compute: (_, content) => hash('sha1', content),
  },
  {
    ids: ['signature/plain-hash', 'signature/sha512'],
    weight: 0.6,
    keyless: true,
    compute: (_, content) => hash('sha512', content),
  },
  {
    ids: ['signature/plain-hash-with-secret', 'signature/md5'],
    weight: 1,
    compute: (key, content) => hash('md5', content, key),
  },
  {
    ids: ['signature/plain-hash-with-secret', 'signature/md5'],
    weight: 0.8,
    compute: (key, content) => hash('md5', key, content),
  },
  {
    ids: ['signature/plain-hash-with-secret', 'signature/sha1'],
    weight: 0.8,
    compute: (key, content) => hash('sha1', key, content),
  },
  {
    ids: ['signature/plain-hash-with-secret', 'signature/sha1'],
    weight: 0.6,
    compute: (key, content) => hash('sha1', content, key),
  },
];

/** Lower-case hex (interface: Authentication). */
export const correctEncoding: EncodingReading = { ids: [], weight: 1000, write: (digest) => digest.toString('hex') };

export const encodingReadings: readonly EncodingReading[] = [
  { ids: ['signature/base64'], weight: 16, write: (digest) => digest.toString('base64') },
  { ids: ['signature/hex-upper-case'], weight: 10, write: (digest) => digest.toString('hex').toUpperCase() },
  { ids: ['signature/base64url'], weight: 4, write: (digest) => digest.toString('base64url') },
  {
    ids: ['signature/hex-with-dashes'],
    weight: 1.5,
    write: (digest) => (digest.toString('hex').toUpperCase().match(/../g) ?? []).join('-'),
  },
  {
    ids: ['signature/base64'],
    form: 'without = at its end',
    weight: 1.5,
    write: (digest) => digest.toString('base64').replaceAll('=', ''),
  },
  {
    ids: ['signature/base64url'],
    form: 'with = at its end',
    weight: 1.2,
    write: (digest) => digest.toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  },
  {
    ids: ['signature/base64-of-hex'],
    weight: 1.2,
    write: (digest) => Buffer.from(digest.toString('hex')).toString('base64'),
  },
];
