import { createHash } from 'node:crypto';
import type { Scheme } from './scheme.ts';
import { join, one } from './verifier.ts';

const deliveries = ['own-ai-chat', 'api-webhooks'] as const;

/** The signature is computed over something other than `t`, a dot and the body. */
export const contentMistakes: readonly Scheme[] = [
  { ids: ['body-alone'], steps: { content: (_, body) => body } },
  { ids: ['no-separator'], steps: { content: (t, body) => join(t, body) } },
  ...[':', '\n', '|', '-', ',', ' '].map((between): Scheme => ({
    ids: ['other-separator'],
    form: JSON.stringify(between),
    steps: { content: (t, body) => join(t, between, body) },
  })),
  { ids: ['body-first'], steps: { content: (t, body) => join(body, '.', t) }, manner: { closes: true } },
  { ids: ['version-first'], steps: { content: (t, body) => join('v1.', t, '.', body) } },
  { ids: ['version-first'], form: 'with colons', steps: { content: (t, body) => join('v1:', t, ':', body) } },
  { ids: ['names-signed'], steps: { content: (t, body) => join('t=', t, '.', body) } },
  // `new Date(t * 1000).getTime()` in a variable that is used for both.
  {
    ids: ['t-in-milliseconds'],
    steps: { content: (t, body) => join(String(new Date(Number(t) * 1000).getTime()), '.', body) },
  },
  { ids: ['t-in-iso'], steps: { content: (t, body) => join(new Date(Number(t) * 1000).toISOString(), '.', body) } },
  { ids: ['t-alone'], steps: { content: (t) => t } },
  {
    ids: ['delivery-id-first'],
    surfaces: deliveries,
    steps: { content: (t, body, { headers }) => join(one(headers['x-svc-delivery-id']), '.', t, '.', body) },
  },
  {
    ids: ['url-signed'],
    surfaces: deliveries,
    steps: { content: (t, body, { headers, path }) => join(t, '.', `http://${headers.host ?? ''}${path}`, '.', body) },
  },
  {
    ids: ['path-signed'],
    surfaces: deliveries,
    steps: { content: (t, body, { path }) => join(t, '.', path, '.', body) },
    manner: { status: 400, body: 'bad signature' },
  },
  {
    ids: ['method-signed'],
    surfaces: deliveries,
    steps: { content: (t, body, { method }) => join(t, '.', method, '.', body) },
  },
  {
    ids: ['method-signed'],
    or: ['path-signed'],
    form: 'with the path',
    surfaces: deliveries,
    steps: { content: (t, body, { method, path }) => join(t, method, path, body) },
  },
  {
    ids: ['body-hash-signed'],
    surfaces: deliveries,
    steps: { content: (t, body) => join(t, '.', createHash('sha256').update(body).digest('hex')) },
  },
];
