import type { Scheme } from './scheme.ts';
import { one, verifies } from './verifier.ts';

/** They verify correctly and are unusual otherwise: no cause may be named. */
export const rightReceivers: readonly Scheme[] = [
  { ids: [], form: 'right' },
  {
    ids: [],
    form: 'right, takes the old secret as well',
    old: 'whsec_before',
    accepts: () => (request, secret) => verifies({}, secret, request) || verifies({}, 'whsec_before', request),
  },
  {
    ids: [],
    form: 'right, says error 0',
    steps: {},
    surfaces: ['own-ai-chat', 'api-webhooks'],
    taken: '{"error":0,"message":"ok","errors":{},"missing":[],"timestamp":1}',
  },
  {
    ids: [],
    form: 'right, refuses with 400 and plain text',
    // The interface requires 401 for webhooks.
    surfaces: ['own-ai-chat', 'own-ai-phone'],
    manner: { status: 400, body: 'The signature does not match.' },
  },
  { ids: [], form: 'right, closes the connection of a wrong one', manner: { closes: true } },
  { ids: [], form: 'right, slow', manner: { afterMs: 120 } },
  {
    ids: [],
    form: 'right, asks for a pause now and then',
    manner: { pausesEvery: 4 },
    surfaces: ['own-ai-chat', 'api-webhooks'],
  },
  {
    ids: [],
    form: 'right, takes calls first and closes wrong ones',
    manner: { closesWith: 1008 },
    surfaces: ['own-ai-phone'],
  },
  {
    ids: [],
    form: 'right, clock 4 s off',
    steps: { fresh: (t) => Math.abs(Date.now() / 1000 + 4 - Number(t)) <= 300 },
    manner: { date: 4 },
  },
  { ids: [], form: 'right, Date header of another machine', manner: { date: 900 } },
  {
    ids: [],
    form: 'right, refuses a signature that it has seen',
    accepts: () => {
      const seen = new Set<string>();
      return (request, secret) => {
        const given = one(request.headers['x-svc-signature']);
        const isNew = !seen.has(given);
        seen.add(given);
        return isNew && verifies({}, secret, request);
      };
    },
  },
  {
    ids: [],
    form: 'right, hex in capitals as well',
    steps: { compare: (expected, given) => expected === given.toLowerCase() },
  },
];
