import { createHash, createHmac } from 'node:crypto';
import type { CauseId } from '../../../diagnosis/causes.ts';
import { asJson, type Received, type Reply } from '../receiver.ts';
import { secret, type Mistake } from './mistake.ts';
import {
  answerCorrectly,
  hmac,
  isFresh,
  node,
  readHeader,
  signedWith,
  type Event,
  type NodeSeams,
} from './node-endpoint.ts';

type Surface = 'own-ai-chat' | 'api-webhooks';
const scheme = (
  name: string,
  causes: readonly CauseId[],
  compute: Parameters<typeof signedWith>[0],
  surface: Surface = 'own-ai-chat',
) => node({ name, group: 'scheme', surface, causes }, () => ({ verify: signedWith(compute) }));
const of = (
  group: Mistake['group'],
  name: string,
  causes: readonly CauseId[],
  seams: () => NodeSeams,
  more: Partial<Mistake> = {},
) => node({ name, group, surface: 'own-ai-chat', causes, ...more }, seams);
const refuse = (reply: Reply = asJson(401, { error: 'invalid' })) => reply;
const unless = (isValid: (request: Received) => boolean, reply?: Reply) => (request: Received) =>
  isValid(request) ? undefined : refuse(reply);
const exact = (request: Received, seconds?: number) => {
  const { t, v1 } = readHeader(request);
  return isFresh(t, seconds) && v1 === hmac(t, request.body);
};
const mac = (content: string | Buffer, key: string | Buffer = secret) =>
  createHmac('sha256', key).update(content).digest('hex');
const renamed = (event: Event): Reply => {
  const answer = answerCorrectly(event);
  return event.type === 'message.received' ? asJson(200, { reply: 'We are open until six.', action: 'none' }) : answer;
};
/** As PHP writes them. */
const entities = (body: Buffer): string => {
  const written: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' };
  return body.toString().replaceAll(/[&<>"']/g, (found) => written[found] ?? found);
};
/** Reads only the known fields, like a typed model. */
const model = ({ id, type, createdAt, protocol, workspaceId, agentId, data }: Event) => ({
  id,
  type,
  createdAt,
  protocol,
  workspaceId,
  agentId,
  ...(data === undefined ? {} : { data }),
});

export const schemeMistakes: readonly Mistake[] = [
  scheme('base64 of the body is signed', ['signature/body-base64'], (t, { body }) =>
    mac(`${t}.${body.toString('base64')}`),
  ),
  // The label cannot be found out from outside.
  {
    ...scheme('the key is derived from the secret with a label', ['signature/unknown-scheme'], (t, { body }) =>
      hmac(t, body, createHmac('sha256', secret).update('webhook').digest()),
    ),
    isSuspected: true,
  },
  scheme('SHA3-256', ['signature/sha3'], (t, { body }) =>
    createHmac('sha3-256', secret).update(`${t}.`).update(body).digest('hex'),
  ),
  scheme('SHA-512', ['signature/sha512'], (t, { body }) =>
    createHmac('sha512', secret).update(`${t}.`).update(body).digest('hex'),
  ),
  scheme('the whole header list is signed: t=…,', ['signature/names-signed'], (t, { body }) =>
    mac(Buffer.concat([Buffer.from(`t=${t}.`), body])),
  ),
  scheme('the id of the event alone is signed', ['signature/one-field-signed'], (t, _, event) =>
    mac(`${t}.${event().id}`),
  ),
  scheme(
    'data alone is signed',
    ['signature/one-field-signed'],
    (t, _, event) => mac(`${t}.${JSON.stringify(event().data)}`),
    'api-webhooks',
  ),
  scheme('the HMAC is hashed again', ['signature/hashed-again'], (t, { body }) =>
    createHash('sha256').update(hmac(t, body)).digest('hex'),
  ),
  scheme('the hash of the body is signed', ['signature/body-hash-signed'], (t, { body }) =>
    mac(`${t}.${createHash('sha256').update(body).digest('hex')}`),
  ),
  scheme('the percent-decoded body is signed', ['signature/body-as-form'], (t, { body }) =>
    mac(`${t}.${decodeURIComponent(body.toString().replace(/%(?![0-9a-f]{2})/gi, '%25'))}`),
  ),
  scheme(
    'a typed model drops unknown fields and reorders',
    ['signature/fields-reordered'],
    (t, _, event) => hmac(t, JSON.stringify(model(event()))),
    'own-ai-chat',
  ),
  scheme('fields in reverse order', ['signature/fields-reordered', 'signature/unknown-scheme'], (t, _, event) =>
    hmac(t, JSON.stringify(Object.fromEntries(Object.entries(event()).reverse()))),
  ),
  scheme('JSON.stringify of the parsed body', ['signature/body-compact'], (t, _, event) =>
    hmac(t, JSON.stringify(event())),
  ),
  scheme('UTF-16', ['signature/signed-as-utf-16'], (t, { body }) =>
    mac(Buffer.from(`${t}.${body.toString()}`, 'utf16le')),
  ),
  scheme('the secret is decoded as a field of a form', ['signature/secret-percent-decoded'], (t, { body }) =>
    hmac(t, body, decodeURIComponent(secret.replaceAll('+', ' '))),
  ),
  scheme('htmlspecialchars of the body', ['signature/html-escaped'], (t, { body }) => hmac(t, entities(body))),
  scheme('a filter writes entities for markup', ['signature/html-escaped'], (t, { body }) =>
    hmac(t, entities(body).replaceAll('&quot;', '"')),
  ),
  scheme('the percent-encoded secret is the key', ['signature/secret-percent-encoded'], (t, { body }) =>
    hmac(t, body, encodeURIComponent(secret)),
  ),
];

const harmless = { isSuspected: true } as const;
export const weaknessMistakes: readonly Mistake[] = [
  of('weakness', 't is never compared with a clock', ['signature/window-missing'], () => ({
    verify: unless((request) => exact(request, Infinity)),
  })),
  of('weakness', 't may be an hour old', ['signature/window-too-wide'], () => ({
    verify: unless((request) => exact(request, 3600)),
  })),
  of('weakness', 'only the past is limited', ['signature/window-too-wide', 'signature/window-missing'], () => ({
    verify: unless((request) => Date.now() / 1000 - Number(readHeader(request).t) <= 300 && exact(request, Infinity)),
  })),
  of('weakness', 'the signature is compared as far as sent', ['signature/as-far-as-sent'], () => ({
    verify: unless((request) => {
      const { t, v1 } = readHeader(request);
      return isFresh(t) && hmac(t, request.body).startsWith(v1);
    }),
  })),
  of('weakness', 'the signature is compared as far as sent, unless it is empty', ['signature/as-far-as-sent'], () => ({
    verify: unless((request) => {
      const { t, v1 } = readHeader(request);
      return isFresh(t) && v1 !== '' && hmac(t, request.body).startsWith(v1);
    }),
  })),
  of('weakness', 'sixteen characters are compared', ['signature/first-characters-compared'], () => ({
    verify: unless((request) => {
      const { t, v1 } = readHeader(request);
      return isFresh(t) && hmac(t, request.body).slice(0, 16) === v1.slice(0, 16);
    }),
  })),
  of('weakness', 'everything is accepted after a first success', ['signature/not-checked'], () => {
    let isTrusted = false;
    return { verify: unless((request) => (isTrusted ||= exact(request))) };
  }),
  of(
    'weakness',
    'no clock, and the text is in reply',
    ['answer/text-elsewhere'],
    () => ({ verify: unless((request) => exact(request, Infinity)), answer: renamed }),
    { and: ['signature/window-missing'] },
  ),
  of(
    'weakness',
    'pings are not verified, and the text is in reply',
    ['answer/text-elsewhere'],
    () => ({
      verify: unless((request) => request.headers['x-svc-event'] === 'ping' || exact(request)),
      answer: renamed,
    }),
    { and: ['signature/ping-not-checked'] },
  ),
  of(
    'weakness',
    'sixteen characters are compared, and emoji fail',
    ['payload/astral-characters'],
    () => ({
      verify: unless((request) => {
        const { t, v1 } = readHeader(request);
        return isFresh(t) && hmac(t, request.body).slice(0, 16) === v1.slice(0, 16);
      }),
      answer: (event) => {
        if (/[\u{10000}-\u{10ffff}]/u.test(event.data?.message?.text ?? '')) throw new Error('Incorrect string value');
        return answerCorrectly(event);
      },
    }),
    { and: ['signature/first-characters-compared'] },
  ),
  of(
    'weakness',
    'no clock, and the white space of the body is removed before the digest',
    ['signature/body-compact'],
    () => ({
      verify: (request) => {
        const { t, v1 } = readHeader(request);
        return v1 === hmac(t, JSON.stringify(JSON.parse(request.body.toString()))) ? undefined : refuse();
      },
    }),
  ),
  of(
    'refusal',
    'invalid signatures get 400',
    ['signature/refused-with-another-status'],
    () => ({ verify: unless((request) => exact(request), asJson(400, { error: 'bad signature' })) }),
    { isSuspected: true },
  ),
  of(
    'refusal',
    'a webhook refuses invalid signatures with 400',
    ['signature/refused-with-another-status'],
    () => ({ verify: unless((request) => exact(request), asJson(400, { error: 'bad signature' })) }),
    { surface: 'api-webhooks' },
  ),
  of(
    'refusal',
    'a webhook refuses invalid signatures with 500',
    ['signature/refused-with-another-status'],
    () => ({ verify: unless((request) => exact(request), asJson(500, { error: 'internal error' })) }),
    { surface: 'api-webhooks' },
  ),
  of('refusal', 'timingSafeEqual throws on a short signature', ['signature/wrong-signature-breaks'], () => ({
    verify: (request) => {
      const { t, v1 } = readHeader(request);
      if (!isFresh(t)) return refuse();
      if (v1.length !== 64) return asJson(500, { error: 'Input buffers must have the same byte length' });
      return v1 === hmac(t, request.body) ? undefined : refuse();
    },
  })),
  of('refusal', 'a missing header ends the request without an answer', ['signature/wrong-signature-breaks'], () => ({
    verify: (request) =>
      request.headers['x-svc-signature'] === undefined ? 'drop' : exact(request) ? undefined : refuse(),
  })),
  of(
    'refusal',
    'the secret is another one, and 401 is the answer',
    ['signature/unknown-scheme', 'signature/other-secret'],
    () => ({
      verify: unless((request) => {
        const { t, v1 } = readHeader(request);
        return v1 === hmac(t, request.body, 'whsec_of-another-assistant');
      }),
    }),
    harmless,
  ),
];

const sleep = async (ms: number) => await new Promise((wake) => setTimeout(wake, ms));
export const conductMistakes: readonly Mistake[] = [
  of('conduct', 'a contact is locked for a minute after a message', ['deduplication/one-per-contact'], () => {
    const seen = new Map<unknown, number>();
    return {
      answer: (event) => {
        const id = event.data?.contact.id;
        if (id !== undefined && Date.now() - (seen.get(id) ?? 0) < 60_000)
          return asJson(409, { error: 'conversation is locked' });
        seen.set(id, Date.now());
        return answerCorrectly(event);
      },
    };
  }),
  of(
    'conduct',
    'a second message of a contact is dropped for a minute',
    ['deduplication/one-per-contact'],
    () => {
      const seen = new Map<unknown, number>();
      return {
        answer: (event) => {
          const id = event.contactData?.svcContactId;
          if (id !== undefined && Date.now() - (seen.get(id) ?? 0) < 60_000) return { status: 204 };
          seen.set(id, Date.now());
          return answerCorrectly(event);
        },
      };
    },
    { surface: 'crm-webhook' },
  ),
  of(
    'conduct',
    'unsigned messages are accepted, and a contact is locked for a minute',
    ['deduplication/one-per-contact'],
    () => {
      const seen = new Set<unknown>();
      return {
        verify: () => undefined,
        answer: (event) => {
          const id = event.data?.contact.id;
          if (seen.has(id)) return asJson(409, { error: 'conversation is locked' });
          if (id !== undefined) seen.add(id);
          return answerCorrectly(event);
        },
      };
    },
    { and: ['signature/not-checked'] },
  ),
  // It looks like a lock as long as two events of each contact are compared.
  of(
    'conduct',
    'every second message gets 500',
    ['payload/at-random'],
    () => {
      let count = 0;
      return {
        answer: (event) =>
          event.type !== 'ping' && count++ % 2 === 1 ? asJson(500, { error: 'broken' }) : answerCorrectly(event),
      };
    },
    // A check that asks about signatures meets the 500 as well, and may suspect a lockout.
    { isSuspected: true, mayAlso: ['signature/locks-out'] },
  ),
  of('conduct', 'long messages are slow', ['timing/slow-by-size'], () => ({
    answer: async (event) => {
      await sleep(Math.min(4000, (event.data?.message.text.length ?? 0) * 1.2));
      return answerCorrectly(event);
    },
  })),
  of(
    'conduct',
    'every message is slow, and long ones more so',
    ['timing/always-slow'],
    () => ({
      answer: async (event) => {
        if (event.type !== 'ping') await sleep(2600 + Math.min(1500, event.data.message.text.length));
        return answerCorrectly(event);
      },
    }),
    { and: ['timing/slow-by-size'] },
  ),
  // The larger events wait for the others, so they are slow as well.
  of('conduct', 'every message is slow, and waits for the one before', ['timing/always-slow'], () => {
    let before: Promise<unknown> = Promise.resolve();
    return {
      answer: async (event) => {
        if (event.type !== 'ping') await (before = before.then(() => sleep(2200)));
        return answerCorrectly(event);
      },
    };
  }),
];
