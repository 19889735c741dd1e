import { createHmac } from 'node:crypto';
import type { Scheme } from './scheme.ts';
import { join, one, pairs, rightSteps, same, verifies, type Received } from './verifier.ts';

const deliveries = ['own-ai-chat', 'api-webhooks'] as const;
const header = ({ headers }: Received) => headers['x-svc-signature'];
const isRight = (request: Received, secret: string) => verifies({}, secret, request);

/** Accepts valid signatures, and also the requests for which this function returns true. */
export const alsoAccepts =
  (also: (request: Received, secret: string) => boolean): NonNullable<Scheme['accepts']> =>
  () =>
  (request, secret) =>
    isRight(request, secret) || also(request, secret);

/** The parts of a header, which may be incomplete. */
const loose = (request: Received) => ({
  t: /(?:^|,)t=([^,]*)/.exec(one(header(request)))?.[1],
  v1: /(?:^|,)v1=([^,]*)/.exec(one(header(request)))?.[1],
});
const expected = (request: Received, secret: string) => {
  const { t = '' } = loose(request);
  return /^\d+$/.test(t) && rightSteps.fresh(t) && request.callId !== ''
    ? createHmac('sha256', secret)
        .update(join(`${t}.`, request.callId ?? request.body))
        .digest('hex')
    : undefined;
};
const firstCharacters = (count: number): Scheme => ({
  ids: ['first-characters-compared'],
  form: String(count),
  steps: {
    compare: (right, given) => given.length === right.length && right.slice(0, count) === given.slice(0, count),
  },
});

/** A signature that was valid once is not computed again. */
function remembersSignatures(): (request: Received, secret: string) => boolean {
  const known = new Set<string>();
  return (request, secret) => {
    const given = one(header(request));
    if (isRight(request, secret)) known.add(given);
    return known.has(given);
  };
}

/** A body that was signed correctly once is accepted whatever its signature. */
function remembersBodies(): (request: Received, secret: string) => boolean {
  const known = new Set<string>();
  return (request, secret) => {
    const body = request.body.toString();
    if (isRight(request, secret)) known.add(body);
    return known.has(body);
  };
}

/** Invalid signatures are accepted. */
export const careless: readonly Scheme[] = [
  { ids: ['not-checked'], accepts: () => () => true },
  { ids: ['presence-only'], accepts: () => (request) => header(request) !== undefined },
  { ids: ['presence-only'], form: 'not empty', accepts: () => (request) => one(header(request)) !== '' },
  {
    ids: ['form-only'],
    accepts: () => (request) => /^t=\d+,v1=[0-9a-f]{64}$/.test(one(header(request))),
  },
  { ids: ['form-only'], form: 'takes it apart', accepts: () => (request) => pairs(one(header(request))) !== undefined },
  { ids: ['only-t-checked'], steps: { compare: () => true } },
  // Calls timingSafeEqual with the same buffer twice.
  { ids: ['only-t-checked'], form: 'compared with itself', steps: { compare: (_, given) => same(given, given) } },
  firstCharacters(1),
  firstCharacters(8),
  firstCharacters(32),
  firstCharacters(40),
  firstCharacters(63),
  { ids: ['checked-only-when-sent'], accepts: alsoAccepts((request) => header(request) === undefined) },
  { ids: ['empty-accepted'], accepts: alsoAccepts((request) => header(request) === '') },
  {
    ids: ['unreadable-accepted'],
    accepts: alsoAccepts((request) => one(header(request)) !== '' && !/t=|v1=/.test(one(header(request)))),
  },
  {
    ids: ['unreadable-accepted'],
    form: 'beyond ASCII',
    accepts: alsoAccepts((request) => /[\u0080-\uffff]/.test(one(header(request)))),
  },
  {
    ids: ['v1-optional'],
    accepts: alsoAccepts((request) => loose(request).t !== undefined && loose(request).v1 === undefined),
  },
  {
    ids: ['v1-optional'],
    form: 'empty',
    accepts: alsoAccepts((request) => loose(request).t !== undefined && loose(request).v1 === ''),
  },
  {
    ids: ['t-optional'],
    accepts: alsoAccepts((request) => loose(request).t === undefined && loose(request).v1?.length === 64),
  },
  {
    ids: ['t-not-covered'],
    accepts: alsoAccepts((request, secret) => {
      const { t = '', v1 } = loose(request);
      const now = Math.floor(Date.now() / 1000);
      return (
        rightSteps.fresh(t) &&
        Array.from({ length: 11 }, (_, at) => now - 5 + at).some((time) => {
          const content = join(`${time}.`, request.callId ?? request.body);
          return v1 === createHmac('sha256', secret).update(content).digest('hex');
        })
      );
    }),
  },
  { ids: ['body-not-covered'], surfaces: deliveries, accepts: remembersSignatures },
  { ids: ['repetition-not-verified'], surfaces: deliveries, accepts: remembersBodies },
  { ids: ['call-id-not-covered'], surfaces: ['own-ai-phone'], accepts: remembersSignatures },
  {
    ids: ['call-id-optional'],
    surfaces: ['own-ai-phone'],
    accepts: alsoAccepts((request) => request.callId === ''),
  },
  {
    ids: ['as-far-as-sent'],
    accepts: alsoAccepts((request, secret) => {
      const { v1 = '' } = loose(request);
      return v1.length >= 8 && expected(request, secret)?.startsWith(v1) === true;
    }),
  },
  {
    ids: ['more-after-it'],
    accepts: alsoAccepts((request, secret) => loose(request).v1?.startsWith(expected(request, secret) ?? '-') === true),
  },
  {
    ids: ['hex-until-foreign'],
    accepts: alsoAccepts((request, secret) => {
      const { v1 = '' } = loose(request);
      const given = Buffer.from(v1, 'hex');
      const right = Buffer.from(expected(request, secret) ?? '', 'hex');
      return (
        /^[\x21-\x7e]{64}$/.test(v1) &&
        given.length < 32 &&
        given.length > 0 &&
        right.subarray(0, given.length).equals(given)
      );
    }),
  },
  {
    ids: ['rewritten-body-accepted'],
    surfaces: deliveries,
    accepts: alsoAccepts((request, secret) =>
      verifies({ body: (raw) => JSON.stringify(JSON.parse(raw.toString('utf8'))) }, secret, request),
    ),
  },
  {
    ids: ['trimmed-body-accepted'],
    surfaces: deliveries,
    accepts: alsoAccepts((request, secret) =>
      verifies({ body: (raw) => raw.toString('utf8').trim() }, secret, request),
    ),
  },
  {
    ids: ['other-scheme-too'],
    form: 'without t',
    accepts: alsoAccepts((request, secret) => verifies({ content: (_, body) => body }, secret, request)),
  },
  {
    ids: ['other-scheme-too'],
    form: 't alone',
    accepts: alsoAccepts((request, secret) => verifies({ content: (t) => `${t}.` }, secret, request)),
  },
  {
    ids: ['other-scheme-too'],
    form: 'path',
    surfaces: ['own-ai-phone'],
    accepts: alsoAccepts((request, secret) => verifies({ content: (t) => `${t}.${request.path}` }, secret, request)),
  },
  {
    ids: ['other-secret-too'],
    form: 'empty',
    accepts: alsoAccepts((request) => verifies({}, '', request)),
  },
  {
    ids: ['other-secret-too'],
    form: 'stripped',
    accepts: alsoAccepts((request, secret) => verifies({}, secret.slice('whsec_'.length), request)),
  },
  {
    ids: ['other-secret-too'],
    form: 'decoded',
    accepts: alsoAccepts((request, secret) =>
      verifies({ key: (whole) => Buffer.from(whole.slice('whsec_'.length), 'base64') }, secret, request),
    ),
  },
  {
    ids: ['ping-not-checked'],
    surfaces: ['own-ai-chat'],
    accepts: alsoAccepts(({ headers }) => headers['x-svc-event'] === 'ping'),
  },
  {
    ids: ['refused-with-2xx'],
    surfaces: deliveries,
    manner: { status: 200, body: '{"status":401,"error":"Unauthorized"}' },
  },
  {
    ids: ['locks-out'],
    accepts: () => {
      let wrong = 0;
      return (request, secret) => {
        const right = isRight(request, secret);
        if (!right) wrong++;
        return right && wrong < 5;
      };
    },
  },
];

/** A missing call id becomes a word in the signed string: only advice says to refuse it. */
export const missingIdAsWord: Scheme = {
  ids: ['call-id-optional'],
  form: 'taken for a word',
  surfaces: ['own-ai-phone'],
  accepts: alsoAccepts(
    (request, secret) =>
      request.headers['x-svc-call-id'] === undefined && isRight({ ...request, callId: 'undefined' }, secret),
  ),
};
