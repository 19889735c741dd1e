import { createHmac } from 'node:crypto';
import { asJson, type Received, type Reply } from '../receiver.ts';
import type { CauseId } from '../../../diagnosis/causes.ts';
import { secret, token, type Mistake } from './mistake.ts';
import { hmac, node, readHeader, verifyCorrectly, type NodeSeams } from './node-endpoint.ts';

const html = (status: number, title: string, headers: Record<string, string> = {}) => ({
  status,
  body: `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
  headers: { 'content-type': 'text/html', server: 'nginx', ...headers },
});

const of = (name: string, causes: readonly CauseId[], gate: () => NodeSeams['gate'], more: Partial<Mistake> = {}) =>
  node({ name, group: 'gate', surface: 'own-ai-chat', causes, ...more }, () => ({ gate: gate() }));
const always = (reply: Reply) => () => () => reply;

function limited(most: number, seconds: number, reply: Reply) {
  return () => {
    let times: number[] = [];
    return () => {
      const now = Date.now();
      times = times.filter((time) => now - time < seconds * 1000);
      if (times.length >= most) return reply;
      times.push(now);
      return undefined;
    };
  };
}

const iis = (status: number, title: string): Reply => ({
  status,
  body: `<html><body><div><h2>${status} - ${title}: Access is denied due to invalid credentials.</h2></div></body></html>`,
  headers: { 'content-type': 'text/html', server: 'Microsoft-IIS/10.0' },
});
const otherToken = (reply: Reply) => (request: Received) =>
  request.headers.authorization === `Bearer ${token}-of-another-place` ? undefined : reply;

const otherSecret = (reply: Reply): NodeSeams => ({
  verify: (request: Received) => {
    const { t, v1 } = readHeader(request);
    return v1 === hmac(t, request.body, 'whsec_of-another-assistant') ? undefined : reply;
  },
});

/** Mistakes of software in front of an endpoint, and endpoints that only look like them. */
export const gateMistakes: readonly Mistake[] = [
  of(
    'nginx limits requests to none',
    ['http/rate-limited'],
    always(html(429, '429 Too Many Requests', { 'retry-after': '3600' })),
  ),
  of(
    'express-rate-limit admits three in a minute',
    ['http/rate-limited'],
    limited(3, 60, {
      status: 429,
      body: 'Too many requests, please try again later.',
      headers: { 'retry-after': '60', 'x-powered-by': 'Express' },
    }),
  ),
  of(
    'a limit of four in a minute answers 503',
    ['http/rate-limited'],
    limited(4, 60, html(503, '503 Service Temporarily Unavailable')),
    { isSuspected: true },
  ),
  node(
    {
      name: 'the application answers 429 to every valid message',
      group: 'gate',
      surface: 'own-ai-chat',
      causes: ['http/rate-limited'],
    },
    () => ({
      answer: (event) =>
        event.type === 'ping'
          ? asJson(200, {})
          : { ...asJson(429, { error: 'quota of the model exhausted' }), headers: { 'retry-after': '3600' } },
    }),
  ),
  node(
    {
      name: 'invalid signatures get 429, and the secret is another one',
      group: 'gate',
      surface: 'api-webhooks',
      causes: ['signature/other-secret', 'signature/unknown-scheme'],
      isSuspected: true,
    },
    () => otherSecret(asJson(429, { error: 'rejected' })),
  ),
  of(
    'client_max_body_size 1k refuses every message',
    ['http/too-large', 'payload/large-body'],
    () =>
      ({ body }) =>
        body.length > 1024 ? html(413, '413 Request Entity Too Large') : undefined,
  ),
  of(
    'express.json refuses more than 20 kB',
    ['payload/large-body'],
    () =>
      ({ body }) =>
        body.length > 20_000 ? asJson(413, { message: 'request entity too large' }) : undefined,
    { isSuspected: true },
  ),
  of(
    'an address list in nginx forbids every request',
    ['http/gate', 'http/firewall'],
    always(html(403, '403 Forbidden')),
  ),
  of(
    'a gateway answers 403 as JSON to every request',
    ['http/gate', 'http/firewall'],
    always({ ...asJson(403, { message: 'Forbidden' }), headers: { 'x-amzn-errortype': 'ForbiddenException' } }),
  ),
  node(
    {
      name: 'a middleware refuses every path with 403, and the secret is another one',
      group: 'gate',
      surface: 'own-ai-chat',
      causes: ['http/gate-or-secret'],
      and: ['signature/other-secret'],
      isSuspected: true,
    },
    () => ({
      gate: otherSecret(asJson(403, { message: 'Forbidden' })).verify,
      verify: () => undefined,
    }),
  ),
  node(
    {
      name: 'a middleware refuses every path with 401, and the digest is SHA-1',
      group: 'gate',
      surface: 'own-ai-chat',
      causes: ['signature/sha1'],
    },
    () => ({
      gate: (request) => {
        const { t, v1 } = readHeader(request);
        return v1 === createHmac('sha1', secret).update(`${t}.`).update(request.body).digest('hex')
          ? undefined
          : asJson(401, { message: 'Unauthorized' });
      },
      verify: () => undefined,
    }),
  ),
  node(
    {
      name: 'invalid signatures get 403, and the secret is another one',
      group: 'gate',
      surface: 'own-ai-chat',
      causes: ['signature/other-secret', 'signature/unknown-scheme'],
      isSuspected: true,
    },
    () => otherSecret(asJson(403, { message: 'Forbidden' })),
  ),
  node(
    {
      name: 'nginx replaces the refusals of the application, and the secret is another one',
      group: 'gate',
      surface: 'own-ai-chat',
      causes: ['signature/other-secret', 'signature/unknown-scheme'],
      isSuspected: true,
    },
    () => otherSecret(html(401, '401 Authorization Required')),
  ),
  node(
    {
      name: 'IIS replaces the refusals of the application, and the secret is another one',
      group: 'gate',
      surface: 'api-webhooks',
      causes: ['signature/other-secret', 'signature/unknown-scheme'],
      isSuspected: true,
    },
    () => otherSecret(iis(403, 'Forbidden')),
  ),
  node(
    {
      name: 'nginx checks the token itself, and it is another one',
      group: 'gate',
      surface: 'crm-webhook',
      causes: ['token/another-token'],
      isSuspected: true,
    },
    () => ({ gate: otherToken(html(401, '401 Authorization Required')), verify: () => undefined }),
  ),
  node(
    {
      name: 'an address list in nginx forbids every event of the CRM',
      group: 'gate',
      surface: 'crm-webhook',
      causes: ['http/gate'],
      isSuspected: true,
    },
    () => ({ gate: () => html(403, '403 Forbidden') }),
  ),
  node(
    {
      name: 'a client is banned for ten minutes after three invalid signatures',
      group: 'gate',
      surface: 'api-webhooks',
      causes: ['http/rate-limited', 'signature/locks-out'],
      isSuspected: true,
    },
    () => {
      let invalid = 0;
      return {
        verify: (request) => {
          if (invalid >= 3) return { status: 429, body: '', headers: { 'retry-after': '600' } };
          const refused = verifyCorrectly(request);
          if (refused) invalid++;
          return refused;
        },
      };
    },
  ),
  of(
    'a gateway wants its own key: 401 as JSON to every request',
    ['http/gate-or-secret'],
    always(asJson(401, { message: 'Unauthorized' })),
    { isSuspected: true },
  ),
  of(
    'a proxy wants a password',
    ['http/password-wanted'],
    always({ status: 401, body: '', headers: { 'www-authenticate': 'Basic realm="staging"' } }),
  ),
  of('a site answers everything with its login page', ['http/web-page'], always(html(200, 'Please sign in'))),
  node(
    {
      name: 'the handler renders a page as its answer',
      group: 'gate',
      surface: 'own-ai-chat',
      causes: ['answer/html'],
    },
    () => ({
      answer: (event) => (event.type === 'ping' ? asJson(200, {}) : html(200, 'Thank you')),
    }),
  ),
  of('the application behind nginx is down', ['http/gateway'], always(html(502, '502 Bad Gateway'))),
  of(
    'a maintenance page answers everything with 503',
    ['http/gateway'],
    always(html(503, 'Down for maintenance', { 'retry-after': '3600' })),
  ),
  node(
    {
      name: 'the handler fails on every message',
      group: 'gate',
      surface: 'own-ai-chat',
      causes: ['payload/every-message'],
    },
    () => ({
      answer: (event) => (event.type === 'ping' ? asJson(200, {}) : asJson(500, { error: 'internal error' })),
    }),
  ),
  node(
    {
      name: 'the handler fails on every message with 502 of its model',
      group: 'gate',
      surface: 'own-ai-chat',
      causes: ['payload/every-message'],
    },
    () => ({
      answer: (event) => (event.type === 'ping' ? asJson(200, {}) : asJson(502, { error: 'model unavailable' })),
    }),
  ),
  of(
    'a firewall refuses bodies with markup',
    ['payload/markup'],
    () =>
      ({ body }) =>
        /<\/?\w+|<script/i.test(body.toString()) ? html(403, '403 Forbidden') : undefined,
  ),
  of(
    'a firewall answers 200 with its page to bodies with markup',
    ['payload/markup', 'answer/html'],
    () =>
      ({ body }) =>
        /<\/?\w+|<script/i.test(body.toString()) ? html(200, 'Request blocked') : undefined,
  ),
];
