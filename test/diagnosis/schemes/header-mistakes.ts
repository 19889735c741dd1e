import type { IncomingHttpHeaders } from 'node:http';
import type { Scheme } from './scheme.ts';
import { join, one, pairs, type Parts } from './verifier.ts';

const named = (name: string) => (headers: IncomingHttpHeaders) => pairs(one(headers[name]));
const apart = (read: (header: string) => Parts | undefined) => (headers: IncomingHttpHeaders) =>
  read(one(headers['x-svc-signature']));

const otherNames = [
  'x-signature',
  'x-webhook-signature',
  'webhook-signature',
  'x-hub-signature-256',
  'stripe-signature',
  'signature',
  'svc-signature',
  'x-svc-signature-256',
];

const bare = (secret: string) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64');

/** The scheme of the Standard Webhooks library, with its header names or those of Svix. */
function standardWebhooks(name: string): Scheme {
  return {
    ids: ['standard-webhooks'],
    form: name,
    surfaces: ['own-ai-chat', 'api-webhooks'],
    manner: { status: 400, body: '{"error":"Missing required headers"}' },
    steps: {
      key: bare,
      read: (headers) => {
        const [t, signatures] = [one(headers[`${name}-timestamp`]), one(headers[`${name}-signature`])];
        const [version, v1 = ''] = signatures.split(' ')[0]?.split(',') ?? [];
        return version === 'v1' && t !== '' ? { t, v1 } : undefined;
      },
      content: (t, body, { headers }) => join(one(headers[`${name}-id`]), '.', t, '.', body),
      encode: (digest) => digest.toString('base64'),
    },
  };
}

/** The signature is read from another header, or the header is parsed incorrectly. */
export const headerMistakes: readonly Scheme[] = [
  ...otherNames.map((name): Scheme => ({ ids: ['other-header-name'], form: name, steps: { read: named(name) } })),
  standardWebhooks('webhook'),
  standardWebhooks('svix'),
  { ids: ['header-split-wrong'], form: 'at semicolons', steps: { read: apart((header) => pairs(header, ';')) } },
  { ids: ['header-split-wrong'], form: 'at spaces', steps: { read: apart((header) => pairs(header, ' ')) } },
  { ids: ['header-split-wrong'], form: 'at colons', steps: { read: apart((header) => pairs(header, ',', ':')) } },
  {
    ids: ['header-split-wrong'],
    form: 'v1 first',
    steps: {
      read: apart((header) => {
        const found = /^v1=([^,]*),t=(.*)$/.exec(header);
        return found ? { v1: found[1] ?? '', t: found[2] ?? '' } : undefined;
      }),
    },
  },
  {
    ids: ['header-split-wrong'],
    or: ['body-alone'],
    form: 'all of it is the value, over the body alone',
    steps: {
      read: apart((header) => ({ t: '0', v1: header })),
      fresh: () => true,
      content: (_, body) => body,
    },
  },
  {
    ids: ['header-split-wrong'],
    or: ['body-alone'],
    form: 'sha256= before it, over the body alone',
    steps: {
      read: apart((header) => ({ t: '0', v1: header })),
      fresh: () => true,
      content: (_, body) => body,
      encode: (digest) => `sha256=${digest.toString('hex')}`,
    },
  },
];
