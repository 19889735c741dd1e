import { createHash } from 'node:crypto';
import type { Scheme } from './scheme.ts';
import { usualSecret } from './receiver.ts';

const bare = (secret: string) => secret.replace(/^whsec_/, '');
const hexSecret = 'whsec_4f1c0b7de29a83655d1e0cab97f3426811d2c3b4a5968778';

/** The secret is modified before it is used. */
export const keyMistakes: readonly Scheme[] = [
  { ids: ['secret-base64-decoded'], steps: { key: (secret) => Buffer.from(bare(secret), 'base64') } },
  {
    ids: ['secret-decoded-with-prefix'],
    steps: { key: (secret) => Buffer.from(secret, 'base64') },
    manner: { status: 403, body: 'Forbidden' },
  },
  { ids: ['secret-prefix-stripped'], steps: { key: bare } },
  // Read from a file that ends with a line feed.
  { ids: ['secret-with-newline'], steps: { key: (secret) => `${secret}\n` }, manner: { status: 400 } },
  { ids: ['secret-with-newline'], form: 'CR LF', steps: { key: (secret) => `${secret}\r\n` } },
  { ids: ['secret-with-white-space'], steps: { key: (secret) => `${secret} ` } },
  { ids: ['secret-with-white-space'], form: 'before it', steps: { key: (secret) => ` ${secret}` } },
  { ids: ['secret-trimmed'], steps: { key: (secret) => secret.trim() }, secret: `${usualSecret} ` },
  { ids: ['secret-in-quotes'], steps: { key: (secret) => `"${secret}"` } },
  { ids: ['secret-in-quotes'], form: 'single', steps: { key: (secret) => `'${secret}'` } },
  { ids: ['secret-hex-encoded'], steps: { key: (secret) => Buffer.from(secret).toString('hex') } },
  { ids: ['secret-hex-decoded'], steps: { key: (secret) => Buffer.from(bare(secret), 'hex') }, secret: hexSecret },
  { ids: ['secret-hashed'], steps: { key: (secret) => createHash('sha256').update(secret).digest() } },
  {
    ids: ['secret-hashed'],
    form: 'in hex',
    steps: { key: (secret) => createHash('sha256').update(secret).digest('hex') },
  },
  {
    ids: ['secret-empty'],
    or: ['secret-missing'],
    steps: { key: () => '' },
    manner: { status: 500, body: '{"error":"internal"}' },
  },
  // An unset environment variable becomes the string "undefined".
  { ids: ['secret-missing'], steps: { key: () => String(process.env['SVC_SECRET_THAT_NOBODY_SET']) } },
  { ids: ['old-secret'], secret: 'whsec_before', configured: usualSecret, old: 'whsec_before' },
  // A variable in a shell script, cut at a character that the shell interprets.
  { ids: ['secret-cut'], form: 'at the first 32 characters', steps: { key: (secret) => secret.slice(0, 32) } },
  { ids: ['secret-base64-encoded'], steps: { key: (secret) => Buffer.from(secret).toString('base64') } },
  {
    ids: ['secret-percent-decoded'],
    secret: 'whsec_Zt8b+0vX/2uYw4eRk6pLs1dHg3jCf5mA',
    steps: { key: (secret) => decodeURIComponent(secret.replaceAll('+', ' ')) },
  },
  {
    ids: ['secret-percent-encoded'],
    steps: { key: (secret) => encodeURIComponent(secret) },
    secret: 'whsec_c2VjcmV0/b2YgYSBwZXJjZW50+A==',
  },
  { ids: ['secret-case-changed'], steps: { key: (secret) => secret.toLowerCase() } },
];
