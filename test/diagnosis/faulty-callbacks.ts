import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { postReply, replyOnce, type ChatReply, type ChatSeams } from '../proving/chat.ts';
import { postJson, type CrmCallback } from '../proving/crm.ts';
import { setUp, type Seams } from '../proving/endpoint.ts';
import { send } from '../proving/outgoing.ts';
import type { Faulty } from './faulty.ts';

const jsonType = { 'content-type': 'application/json' };

function calling(callback: (call: CrmCallback, token: string) => Promise<unknown>): () => Seams {
  return () => ({ crm: { callback: (call, token) => callback(call, token).then(() => undefined) } });
}

function crm(cause: Faulty['cause'], name: string, callback: Parameters<typeof calling>[0], says?: string): Faulty {
  return { cause, name, surface: 'crm-webhook', build: calling(callback), ...(says !== undefined && { says }) };
}

function replying(reply: (reply: ChatReply) => Promise<unknown>): Partial<ChatSeams> {
  return { reply: (what) => reply(what).then(() => undefined) };
}

function chat(
  cause: Faulty['cause'],
  name: string,
  reply: (reply: ChatReply) => Promise<unknown>,
  says?: string,
): Faulty {
  return {
    cause,
    name,
    surface: 'own-ai-chat',
    build: () => ({ chat: replying(reply) }),
    ...(says !== undefined && { says }),
  };
}

/** Sends nothing, like a worker that is stopped once the answer is sent. */
const nothing = () => Promise.resolve();

/** Connects to the address over TLS, like a client that writes https: itself. */
function overTls({ url }: { url: string }): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((done) => {
    const socket = connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false });
    socket.on('error', () => done());
    socket.on('close', () => done());
  });
}

/** Writes bytes that are not an HTTP request. */
function garbled({ url }: { url: string }): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((done) => {
    const socket = connect(Number(port), hostname, () => socket.end(`POST ${pathname}\r\nHost ${hostname}\r\n\r\n{}`));
    socket.on('error', () => done());
    socket.on('close', () => done());
    socket.resume();
  });
}

/** Uses the address of the first or the last event for all concurrent ones. */
function shared(which: 'first' | 'last'): Parameters<typeof calling>[0] {
  let kept: string | undefined;
  let until = 0;
  return async (call) => {
    if (which === 'last' || kept === undefined || performance.now() > until) kept = call.url;
    until = performance.now() + 500;
    await new Promise((wake) => setTimeout(wake, 150));
    await postJson({ ...call, url: kept });
  };
}

const short = { withinMs: 4_000 };

/** Endpoints that answer later and incorrectly, each with one cause. */
export const faultyCallbacks: readonly Faulty[] = [
  crm('callback/without-query', 'the path alone', (call) => postJson({ ...call, url: call.url.split('?')[0] ?? '' })),
  crm(
    'callback/address-altered',
    'a slash appended',
    (call) => postJson({ ...call, url: call.url.replace('?', '/?') }),
    'slash',
  ),
  crm(
    'callback/address-altered',
    'encoded once more',
    (call) => {
      const { origin, pathname, search } = new URL(call.url);
      return postJson({ ...call, url: `${origin}/${encodeURIComponent(pathname.slice(1) + search)}` });
    },
    'encoded',
  ),
  crm(
    'callback/address-altered',
    'the query made anew',
    (call) => postJson({ ...call, url: call.url.replace(/\?.*/, '?id=1') }),
    'query',
  ),
  crm(
    'callback/wrong-place',
    'a fixed path',
    (call) => postJson({ ...call, url: `${new URL(call.url).origin}/callback` }),
    '/callback',
  ),
  crm(
    'callback/wrong-place',
    'the host alone',
    (call) => postJson({ ...call, url: `${new URL(call.url).origin}/` }),
    '"/"',
  ),
  crm('callback/twice', 'two workers', (call) => Promise.all([postJson(call), postJson(call)])),
  crm('callback/twice', 'a retry after success', async (call) => {
    await postJson(call);
    await new Promise((wake) => setTimeout(wake, 800));
    await postJson(call);
  }),
  { ...crm('callback/mixed-up', 'the last address kept for all', nothing), build: () => calling(shared('last'))() },
  { ...crm('callback/mixed-up', 'the first address kept for all', nothing), build: () => calling(shared('first'))() },
  crm('callback/wrong-method', 'PUT', ({ url, body }) => send({ url, body, method: 'PUT', headers: jsonType }), 'PUT'),
  crm('callback/wrong-method', 'GET', ({ url }) => send({ url, body: '', method: 'GET', headers: {} }), 'GET'),
  crm('callback/empty-body', 'a body under the wrong name', ({ url }) =>
    send({ url, body: '', method: 'POST', headers: jsonType }),
  ),
  crm(
    'callback/token-sent',
    'the token again',
    ({ url, body }, token) =>
      send({ url, body, method: 'POST', headers: { ...jsonType, authorization: `Bearer ${token}` } }),
    'authorization',
  ),
  crm(
    'callback/token-sent',
    'the API key',
    ({ url, body }) => send({ url, body, method: 'POST', headers: { ...jsonType, 'x-api-key': setUp.apiKey } }),
    'an API key in the header x-api-key',
  ),
  crm('callback/https-assumed', 'https instead of http', overTls),
  crm('callback/malformed-request', 'a socket', garbled),
  { ...crm('callback/never-sent', 'a worker that is stopped', nothing), suspected: true, options: short },
  crm(
    'answer/encoded-twice',
    'a callback serialised twice',
    ({ url, body }) => postJson({ url, body: JSON.stringify(body) }),
    'callback',
  ),
  crm(
    'answer/form',
    'a callback as a form',
    ({ url }) => postJson({ url, body: 'requestContactUpdate=true&name=x' }),
    'callback',
  ),
  crm(
    'answer/id-not-text',
    'a number as the id in the callback',
    ({ url }) => postJson({ url, body: '{"requestContactUpdate":true,"contactData":{"crmContactId":4712}}' }),
    'callback',
  ),
  {
    cause: 'callback/after-answer',
    name: 'answered and called back',
    surface: 'crm-webhook',
    build: () => ({
      crm: {
        later: () => false,
        effect: (_, __, { callbackUrl }) => void postJson({ url: callbackUrl, body: '{}' }),
      },
    }),
  },
  {
    ...crm('callback/public-url-broken', 'a tunnel that is down', nothing),
    options: {
      withinMs: 9_000,
      over: { service: { host: '127.0.0.1', port: 0, publicUrl: 'http://127.0.0.1:9/tunnel' } },
    },
  },
  chat(
    'callback/address-altered',
    'a slash appended to replyUrl',
    (reply) => replyOnce({ ...reply, url: `${reply.url}/` }),
    'slash',
  ),
  chat('callback/wrong-place', 'another project', ({ url, apiKey, thought }) =>
    postReply(`${new URL(url).origin}/v1/projects/1/agent-replies`, thought, { 'x-api-key': apiKey }),
  ),
  chat(
    'callback/wrong-method',
    'a PUT to replyUrl',
    ({ url, apiKey, thought }) =>
      send({ url, method: 'PUT', headers: { ...jsonType, 'x-api-key': apiKey }, body: JSON.stringify(thought) }),
    'PUT',
  ),
  chat('callback/reply-without-key', 'no key', ({ url, thought }) => postReply(url, thought, {})),
  chat(
    'callback/reply-without-key',
    'signed instead',
    ({ url, thought }) => postReply(url, thought, { 'x-svc-signature': 't=1,v1=00' }),
    'signed',
  ),
  chat(
    'callback/reply-key-elsewhere',
    'without Bearer',
    ({ url, apiKey, thought }) => postReply(url, thought, { authorization: apiKey }),
    'authorization',
  ),
  chat(
    'callback/reply-key-elsewhere',
    'Api-Key',
    ({ url, apiKey, thought }) => postReply(url, thought, { 'api-key': apiKey }),
    'api-key',
  ),
  chat(
    'callback/reply-key-elsewhere',
    'in the body',
    ({ url, apiKey, thought }) => postReply(url, { ...thought, apiKey }, {}),
    'body',
  ),
  chat(
    'callback/reply-key-elsewhere',
    'Basic',
    ({ url, apiKey, thought }) =>
      postReply(url, thought, { authorization: `Basic ${Buffer.from(`api:${apiKey}`).toString('base64')}` }),
    'Basic',
  ),
  chat(
    'callback/reply-wrong-key',
    'the key of another inbox',
    ({ url, thought }) => postReply(url, thought, { 'x-api-key': 'svc_sk_of_another_inbox' }),
    'an API key other than service.apiKey',
  ),
  chat(
    'callback/reply-wrong-key',
    'a variable that is not set',
    ({ url, thought }) => postReply(url, thought, { 'x-api-key': 'undefined' }),
    'placeholder',
  ),
  chat(
    'callback/reply-wrong-key',
    'quotes around it',
    ({ url, apiKey, thought }) => postReply(url, thought, { 'x-api-key': `"${apiKey}"` }),
    'quotes',
  ),
  chat('callback/reply-secret-as-key', 'the secret as the key', ({ url, thought }) =>
    postReply(url, thought, { 'x-api-key': setUp.agentSecret }),
  ),
  chat('callback/reply-twice', 'two workers reply', (reply) => Promise.all([replyOnce(reply), replyOnce(reply)])),
  chat('callback/https-assumed', 'https for replyUrl', overTls),
  { ...chat('callback/never-sent', 'no reply though one was asked for', nothing), suspected: true, options: short },
  chat(
    'answer/not-an-object',
    'a reply in a list',
    ({ url, apiKey, thought }) => postReply(url, [thought] as never, { 'x-api-key': apiKey }),
    'reply',
  ),
  chat(
    'answer/unknown-action',
    'an unknown action in a reply',
    ({ url, apiKey, thought }) => postReply(url, { ...thought, action: 'transfer' }, { 'x-api-key': apiKey }),
    'transfer',
  ),
];
