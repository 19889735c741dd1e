import type { Scheme } from './scheme.ts';
import { join, one } from './verifier.ts';

const surfaces = ['own-ai-phone'] as const;

/** The signature of an upgrade is computed over something other than the call id. */
export const callMistakes: readonly Scheme[] = [
  // One middleware for deliveries and calls, although an upgrade has no body.
  { ids: ['call-body-signed'], surfaces, steps: { content: (t, _, { body }) => join(t, '.', body) } },
  { ids: ['call-path-signed'], surfaces, steps: { content: (t, _, { path }) => join(t, '.', path) } },
  {
    ids: ['call-path-signed'],
    form: 'without the query',
    surfaces,
    steps: { content: (t, _, { path }) => join(t, '.', path.split('?', 1)[0] ?? '') },
  },
  {
    ids: ['call-sid-signed'],
    or: ['call-wrong-id'],
    surfaces,
    steps: { content: (t, _, { headers }) => join(t, '.', `${String(headers['x-svc-call-sid'])}`) },
  },
  {
    ids: ['call-wrong-id'],
    or: ['call-sid-signed', 'call-body-signed'],
    form: 'a header that calls do not have',
    surfaces,
    steps: { content: (t, _, { headers }) => join(t, '.', one(headers['x-svc-delivery-id'])) },
  },
  {
    ids: ['call-id-upper-case'],
    surfaces,
    steps: { content: (t, callId) => join(t, '.', String(callId).toUpperCase()) },
  },
  {
    ids: ['call-id-lower-case'],
    surfaces,
    steps: { content: (t, callId) => join(t, '.', String(callId).toLowerCase()) },
  },
];
