import { createHash, timingSafeEqual } from 'node:crypto';
import { configOf, credentials } from '../harness/settings-for-tests.ts';
import type { FaultyEndpoint } from './faulty-endpoint.ts';
import { asJson, startReceiver, type Received, type Reply } from './receiver.ts';

const { token } = credentials;
const right = `Bearer ${token}`;

type Check = (request: Received) => boolean;
type Judge = (request: Received) => Reply;

const welcome = asJson(200, { requestContactUpdate: false, requestProjectUpdate: false });
const refusal: Reply = { status: 401 };

/** An endpoint that accepts every request for which `check` returns true. */
function checking(check: Check, refuse: Reply = refusal): FaultyEndpoint['start'] {
  return judging((request) => (check(request) ? welcome : refuse));
}

function judging(judge: Judge): FaultyEndpoint['start'] {
  return async () => {
    const receiver = await startReceiver(judge);
    return {
      config: configOf({ crm: `${receiver.origin}/crm` }),
      [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
    };
  };
}

/** An endpoint whose answers depend on the number of wrong tokens so far. */
function counting(judge: (request: Received, wrong: number) => Reply): FaultyEndpoint['start'] {
  return () => {
    let wrong = 0;
    return judging((request) => {
      if (sent(request) !== right) wrong++;
      return judge(request, wrong);
    })();
  };
}

const bearer = ({ headers }: Received): string | undefined => /^Bearer (.*)$/.exec(headers.authorization ?? '')?.[1];
const sent = ({ headers }: Received): string => headers.authorization ?? '';
const field = ({ body }: Received, name: string): unknown =>
  (JSON.parse(body.toString('utf8')) as Record<string, unknown>)[name];

function endpoint(
  cause: FaultyEndpoint['cause'],
  what: string,
  start: FaultyEndpoint['start'],
  over: Partial<FaultyEndpoint> = {},
): FaultyEndpoint {
  return { cause, what, start, surface: 'crm-webhook', ...over };
}

/** Receivers of the CRM webhook with a mistake about the token, as a developer would write them. */
export const tokenEndpoints: readonly FaultyEndpoint[] = [
  endpoint(
    'token/scheme-not-stripped',
    'the whole header is compared',
    checking((r) => sent(r) === token),
  ),
  endpoint(
    'token/scheme-doubled',
    'the setting has Bearer in it',
    checking((r) => sent(r) === `Bearer ${right}`),
  ),
  endpoint(
    'token/scheme-in-lower-case',
    'the scheme in lower case',
    checking((r) => sent(r) === `bearer ${token}`),
  ),
  endpoint(
    'token/another-scheme',
    'the scheme Token',
    checking((r) => sent(r) === `Token ${token}`),
    { says: /Token/ },
  ),
  endpoint(
    'token/another-scheme',
    'the password of Basic',
    checking(({ headers }) => {
      const [scheme, coded = ''] = (headers.authorization ?? '').split(' ');
      return scheme === 'Basic' && Buffer.from(coded, 'base64').toString().split(':')[1] === token;
    }),
    { says: /Basic/ },
  ),
  endpoint(
    'token/in-another-header',
    'X-Api-Key',
    checking(({ headers }) => headers['x-api-key'] === token),
    {
      says: /X-Api-Key/,
    },
  ),
  endpoint(
    'token/in-another-header',
    'X-Webhook-Token, with the rest answered 403',
    checking(({ headers }) => headers['x-webhook-token'] === token, { status: 403 }),
    { says: /X-Webhook-Token/ },
  ),
  endpoint(
    'token/in-another-header',
    'Bearer in X-Authorization',
    checking(({ headers }) => headers['x-authorization'] === right),
    { says: /X-Authorization after "Bearer "/ },
  ),
  endpoint(
    'token/in-the-query',
    'a parameter',
    checking(({ query }) => query.get('access_token') === token),
    {
      says: /access_token/,
    },
  ),
  endpoint(
    'token/in-the-body',
    'a field',
    checking((r) => field(r, 'token') === token),
  ),
  endpoint(
    'token/in-quotes',
    'quotes from a settings file',
    checking((r) => bearer(r) === `"${token}"`),
  ),
  endpoint(
    'token/white-space-kept',
    'split at a single space',
    checking((r) => bearer(r) === ` ${token}`),
  ),
  endpoint(
    'token/placeholder-kept',
    'angle brackets of a manual',
    checking((r) => sent(r) === `Bearer <${token}>`),
  ),
  endpoint(
    'token/not-configured',
    'a variable that is not set, in a template string',
    checking((r) => sent(r) === `Bearer ${String(process.env['NO_SUCH_VARIABLE_OF_OURS'])}`),
    { says: /undefined/ },
  ),
  endpoint(
    'token/not-configured',
    'an empty setting',
    checking((r) => sent(r).replace('Bearer', '').trim() === '' && sent(r) !== ''),
  ),
  endpoint(
    'token/old-token',
    'the one before',
    checking((r) => bearer(r) === 'Earlier7Token3Of9Ours'),
    {
      oldSecret: 'Earlier7Token3Of9Ours',
    },
  ),
  endpoint(
    'token/encoded',
    'base64',
    checking((r) => bearer(r) === Buffer.from(token).toString('base64')),
    { says: /base64/ },
  ),
  endpoint(
    'token/encoded',
    'hex',
    checking((r) => bearer(r) === Buffer.from(token).toString('hex')),
    { says: /hex/ },
  ),
  endpoint(
    'token/hashed',
    'a stored hash is compared with what comes',
    checking((r) => bearer(r) === createHash('sha256').update(token).digest('hex')),
  ),
  endpoint(
    'token/case-changed',
    'stored in lower case',
    checking((r) => bearer(r) === token.toLowerCase()),
  ),
  endpoint(
    'token/cut-short',
    'a column of 16 characters',
    checking((r) => bearer(r) === token.slice(0, 16)),
    {
      says: /16 of its 32/,
    },
  ),
  endpoint('token/not-always-accepted', 'two instances, one with another token', () => {
    let count = 0;
    return checking((r) => count++ % 2 === 1 && sent(r) === right)();
  }),
  endpoint(
    'token/inverted',
    'the condition is the wrong way round',
    checking((r) => sent(r) !== right),
  ),
  endpoint(
    undefined,
    'another token',
    checking((r) => bearer(r) === 'Quite8Another5Token2'),
    {
      suspect: 'token/another-token',
    },
  ),
  endpoint(
    'token/optional',
    'compared only when sent',
    checking((r) => sent(r) === '' || sent(r) === right),
  ),
  endpoint(
    undefined,
    'the header is lost on the way',
    judging(() => asJson(401, { error: 'Authorization header is missing' })),
    {
      suspect: 'token/header-lost',
    },
  ),
  endpoint(
    undefined,
    'a password gate before the endpoint',
    judging(() => ({ status: 401, headers: { 'www-authenticate': 'Basic realm="Staging"' } })),
    { suspect: 'token/gate-before-the-endpoint' },
  ),
  endpoint(
    'token/not-checked',
    'every request is accepted',
    checking(() => true),
  ),
  endpoint(
    'token/not-checked',
    'everything is answered 204',
    judging(() => ({ status: 204 })),
  ),
  endpoint(
    'token/only-presence',
    'any header',
    checking(({ headers }) => headers.authorization !== undefined),
  ),
  endpoint(
    'token/only-scheme',
    'any bearer token',
    checking((r) => sent(r).startsWith('Bearer ')),
  ),
  endpoint(
    'token/only-length',
    'the lengths are compared',
    checking((r) => bearer(r)?.length === token.length),
  ),
  endpoint(
    'token/first-characters-compared',
    'the first eight',
    checking((r) => bearer(r)?.slice(0, 8) === token.slice(0, 8)),
    { says: /first 8 of the 32/ },
  ),
  endpoint(
    'token/first-characters-compared',
    'it only has to begin',
    checking((r) => sent(r).startsWith(right)),
    {
      says: /any token that begins/,
    },
  ),
  endpoint(
    'token/last-characters-compared',
    'the last six',
    checking((r) => bearer(r)?.endsWith(token.slice(-6)) === true),
    {
      says: /last 6 of the 32/,
    },
  ),
  endpoint(
    'token/last-characters-compared',
    'it only has to end',
    checking((r) => bearer(r)?.endsWith(token) === true),
    {
      says: /any token that ends/,
    },
  ),
  endpoint(
    'token/contains-compared',
    'somewhere in the header',
    checking((r) => sent(r).includes(token)),
  ),
  endpoint(
    'token/part-suffices',
    'the sides are swapped',
    checking((r) => sent(r).length > 'Bearer '.length && right.startsWith(sent(r))),
    { says: /any beginning/ },
  ),
  endpoint(
    'token/case-ignored',
    'both sides in lower case',
    checking((r) => sent(r).toLowerCase() === right.toLowerCase()),
  ),
  endpoint(
    'token/scheme-ignored',
    'the last word counts',
    checking((r) => sent(r).split(' ').at(-1) === token),
  ),
  endpoint(
    'token/scheme-ignored',
    'Basic works too',
    checking((r) => sent(r) === right || sent(r) === `Basic ${Buffer.from(`:${token}`).toString('base64')}`),
    { says: /Basic/ },
  ),
  endpoint(
    'token/refused-with-2xx',
    'an error in a 200',
    checking((r) => sent(r) === right, asJson(200, { error: 'Invalid token' })),
  ),
  endpoint(
    'token/refused-with-another-status',
    '403',
    checking((r) => sent(r) === right, { status: 403 }),
    { says: /403/ },
  ),
  endpoint(
    'token/refused-with-another-status',
    'a redirect to a sign-in page',
    checking((r) => sent(r) === right, { status: 302, headers: { location: '/sign-in' } }),
    { says: /302/ },
  ),
  endpoint(
    'token/wrong-token-breaks',
    'lengths that differ throw',
    judging((r) => (timingSafeEqual(Buffer.from(sent(r)), Buffer.from(right)) ? welcome : refusal)),
    { says: /500/ },
  ),
  endpoint(
    'token/wrong-token-breaks',
    'wrong tokens are dropped',
    judging((r) => (sent(r) === right ? welcome : 'drop')),
    { says: /the connection was closed/ },
  ),
];

/** Receivers whose cause cannot be established with certainty, with the first suspect. */
export const doubtfulTokenEndpoints: readonly FaultyEndpoint[] = [
  endpoint(
    undefined,
    'right, and locking out after some wrong tokens',
    counting((r, wrong) => (wrong > 4 ? { status: 403 } : sent(r) === right ? welcome : refusal)),
    { suspect: 'token/locks-out' },
  ),
  endpoint(
    undefined,
    'everything is answered 400',
    judging(() => ({ status: 400 })),
    { suspect: 'token/another-token' },
  ),
  endpoint(
    undefined,
    'a server that fails once among wrong tokens',
    counting((r, wrong) => (sent(r) === right ? welcome : wrong === 2 ? { status: 503 } : refusal)),
    { suspect: 'token/wrong-token-breaks' },
  ),
  endpoint(
    undefined,
    'another status once among wrong tokens',
    counting((r, wrong) => (sent(r) === right ? welcome : wrong === 3 ? { status: 403 } : refusal)),
    { suspect: 'token/refused-with-another-status' },
  ),
];

/** Receivers that check the token correctly, or that have another fault. */
export const rightTokenEndpoints: readonly FaultyEndpoint[] = [
  endpoint(
    undefined,
    'right',
    checking((r) => sent(r) === right),
  ),
  endpoint(
    undefined,
    'right, with a scheme in any letter case and more spaces',
    checking((r) => /^bearer +(\S+)$/i.exec(sent(r))?.[1] === token),
  ),
  endpoint(
    undefined,
    'right, with words about errors in its answers',
    (() => {
      const chatty = asJson(200, {
        requestContactUpdate: true,
        contactData: { crmAiInfo: 'Forbidden: invalid token' },
      });
      return judging((r) => (sent(r) === right ? chatty : refusal));
    })(),
  ),
  endpoint(
    undefined,
    'right, and broken behind the token',
    judging((r) => (sent(r) === right ? { status: 500 } : refusal)),
  ),
  endpoint(
    undefined,
    'broken before the token is checked',
    judging(() => ({ status: 500 })),
  ),
  endpoint(
    undefined,
    'dropping every connection',
    judging(() => 'drop'),
  ),
];
