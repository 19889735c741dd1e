import { randomUUID } from 'node:crypto';
import { againAfterMs, plainWire, correctClient, takesKey, type ApiCall, type ClientSeams } from '../proving/client.ts';
import { pause } from '../proving/wire.ts';
import type { ApiAnswer } from '../proving/client-wire.ts';
import { clientMutant, saying, type ClientFault } from './client-faults.ts';

/** Attempts of clients that retry where they should not. */
const tries = 3;
const betweenTriesMs = 30;

/** Seams that also retry after a refusal. */
function retrying(when: (call: ApiCall, answer: ApiAnswer) => boolean): () => Partial<ClientSeams> {
  return () => ({
    retryAfterMs: (call, answer, attempt) =>
      attempt < tries && when(call, answer) ? betweenTriesMs : againAfterMs(call, answer, attempt),
  });
}

/** Seams that repeat a call if its answer meets this condition. */
function repeating(
  name: string,
  change: (body: Record<string, unknown>) => Record<string, unknown>,
  when: (answer: ApiAnswer) => boolean = ({ status }) => status > 0,
): () => Partial<ClientSeams> {
  return () => {
    let latest: { call: ApiCall; answer: ApiAnswer } | undefined;
    return {
      retryAfterMs: (call, answer, attempt) => {
        if (call.name === name) latest = { call, answer };
        return againAfterMs(call, answer, attempt);
      },
      afterwards: async (api) => {
        if (!latest || !when(latest.answer)) return;
        const { method, path, body } = latest.call;
        await api({ name: `${name}-again`, method, path, ...(body && { body: change(body) }) });
      },
    };
  };
}

const twice = {
  id: 'api-client/retried-request-takes-effect-once',
  why: 'what was processed is processed again',
} as const;
const neverProcessed = {
  id: 'api-client/requests-take-effect',
  why: 'the second request with the key is never processed',
} as const;

const waitsTwice = {
  id: 'api-client/waiting-message-is-not-sent-again',
  why: 'the duplicate is sent while the first waits',
} as const;

/** Seams that send the same message twice on purpose, each time with a new key, in addition to another fault. */
function sendingTwice(seams: () => Partial<ClientSeams>): () => Partial<ClientSeams> {
  return () => ({
    ...seams(),
    work: async (api, environment) => {
      await correctClient().work(async (call) => {
        const answer = await api(call);
        if (call.name === 'thanks' || call.name === 'hello') await api({ ...call, name: `${call.name}-2` });
        return answer;
      }, environment);
    },
  });
}

const repetition: readonly ClientFault[] = [
  {
    name: 'retries-notes-without-keys',
    breaks: 'retried-request-takes-effect-once',
    what: 'Notes are retried without an Idempotency-Key.',
    mayAlso: [{ id: 'api-client/retry-carries-a-key', why: 'the optional key is missing' }],
    seams: () => ({
      keyOf: (call, intent) => (takesKey(call) && !call.path.endsWith('/notes') ? `${call.name} ${intent}` : undefined),
    }),
  },
  {
    name: 'key-of-each-attempt-beside-a-duplicate',
    breaks: 'retry-keeps-its-key',
    what: 'Each attempt generates a new Idempotency-Key; another message is deliberately sent twice.',
    mayAlso: [twice, waitsTwice],
    seams: sendingTwice(() => ({ keyOf: (call) => (takesKey(call) ? randomUUID() : undefined) })),
  },
  {
    name: 'key-of-each-attempt',
    breaks: 'retry-keeps-its-key',
    what: 'Each attempt generates a new Idempotency-Key.',
    mayAlso: [twice],
    seams: () => ({ keyOf: (call) => (takesKey(call) ? randomUUID() : undefined) }),
  },
  {
    name: 'key-of-the-first-attempt-only',
    breaks: 'retry-keeps-its-key',
    what: 'The second attempt lacks the Idempotency-Key of the first.',
    mayAlso: [twice],
    seams: () => ({
      keyOf: (call, intent, attempt) => (takesKey(call) && attempt === 1 ? `${call.name} ${intent}` : undefined),
    }),
  },
  {
    name: 'no-keys',
    breaks: 'retry-carries-a-key',
    what: 'Messages, notes and skills are retried without an Idempotency-Key.',
    mayAlso: [twice],
    seams: () => ({ keyOf: () => undefined }),
  },
  {
    name: 'key-from-the-second-attempt-on',
    breaks: 'retry-carries-a-key',
    what: 'An Idempotency-Key is generated only when a request is retried.',
    mayAlso: [twice],
    seams: () => ({
      keyOf: (call, intent, attempt) => (takesKey(call) && attempt > 1 ? `${call.name} ${intent}` : undefined),
    }),
  },
  {
    name: 'key-of-the-process',
    breaks: 'another-request-has-another-key',
    what: 'All requests of a kind have the same Idempotency-Key.',
    mayAlso: [neverProcessed],
    seams: () => ({ keyOf: (call, intent) => (takesKey(call) ? `${call.path} ${intent}` : undefined) }),
  },
  {
    name: 'key-of-the-contact',
    breaks: 'another-request-has-another-key',
    what: 'The Idempotency-Key is made of the contact and the kind of request alone.',
    mayAlso: [neverProcessed],
    seams: () => ({
      keyOf: (call, intent) =>
        takesKey(call) ? `${call.path} ${JSON.stringify(call.body?.contactId ?? call.name)} ${intent}` : undefined,
    }),
  },
  {
    name: 'key-counted-per-operation',
    breaks: 'operations-do-not-share-keys',
    what: 'Idempotency-Keys are counters, separate for messages and notes.',
    seams: () => {
      const counts = new Map<string, string[]>();
      return {
        keyOf: (call, intent) => {
          if (!takesKey(call)) return undefined;
          const names = counts.get(call.path.replace(/skills\/.*/, 'skills')) ?? [];
          if (!names.includes(call.name + intent)) names.push(call.name + intent);
          counts.set(call.path.replace(/skills\/.*/, 'skills'), names);
          return `${intent} ${names.indexOf(call.name + intent)}`;
        },
      };
    },
  },
  {
    name: 'log-without-external-id',
    breaks: 'retried-log-entry-has-an-external-id',
    what: 'A logged message is retried without an externalId.',
    mayAlso: [twice],
    seams: saying('mail-in', { externalId: undefined }),
  },
  {
    name: 'external-id-of-each-attempt',
    breaks: 'retried-log-entry-keeps-its-external-id',
    what: 'Each attempt to log a message generates a new externalId.',
    mayAlso: [twice],
    seams: () => ({
      wire: (call, key, environment) => {
        const body = call.path.endsWith('/log') ? { ...call.body, externalId: randomUUID() } : call.body;
        return plainWire({ ...call, ...(body && { body }) }, key, environment);
      },
    }),
  },
  {
    name: 'external-id-of-the-conversation',
    breaks: 'another-log-entry-has-another-external-id',
    what: 'The externalId of a logged message is that of the conversation.',
    seams: () => ({
      shape: (call) =>
        call.path.endsWith('/log') ? { ...call, body: { ...call.body, externalId: 'thread-1' } } : call,
    }),
  },
];

/** Milliseconds before a reply is retried; another one is sent meanwhile. */
const laterMs = 150;

const refusals: readonly ClientFault[] = [
  {
    name: 'reply-again-after-409-and-another',
    breaks: 'drops-the-reply-after-409',
    what: 'A reply that was answered 409 is sent again at the end, after others that were accepted; one message is deliberately sent twice.',
    mayAlso: [waitsTwice],
    seams: () => {
      let refused: ApiCall | undefined;
      return {
        ...sendingTwice(() => ({}))(),
        retryAfterMs: (call, answer, attempt) => {
          if (answer.status === 409 && call.path.endsWith('/agent-replies')) refused = call;
          return againAfterMs(call, answer, attempt);
        },
        afterwards: async (api) => {
          if (!refused) return;
          await pause(laterMs);
          await api({ ...refused, name: 'late' });
        },
      };
    },
  },
  {
    name: 'reply-again-after-409',
    breaks: 'drops-the-reply-after-409',
    what: 'A reply is retried after 409.',
    seams: retrying(({ path }, { status }) => status === 409 && path.endsWith('/agent-replies')),
  },
  {
    name: 'skill-again-after-409',
    breaks: 'drops-the-skill-after-409',
    what: 'A skill is retried after 409.',
    seams: retrying(({ path }, { status }) => status === 409 && path.includes('/skills/')),
  },
  {
    name: 'again-after-any-4xx',
    breaks: 'does-not-repeat-what-was-refused',
    what: 'Every refused request except a 409 is retried.',
    seams: retrying((_, { status }) => status >= 400 && status < 500 && status !== 409 && status !== 429),
  },
  {
    name: 'reply-again-after-422',
    breaks: 'does-not-repeat-what-was-refused',
    what: 'A reply that could not be delivered is retried.',
    seams: retrying((_, { status }) => status === 422),
  },
  {
    name: 'promotion-as-service',
    breaks: 'consent-refusal-is-not-worked-around',
    what: 'A marketing message that was refused is sent as a service message.',
    seams: repeating(
      'sale',
      (body) => ({ ...body, purpose: 'service' }),
      ({ status }) => status === 403,
    ),
  },
  {
    name: 'promotion-without-purpose',
    breaks: 'consent-refusal-is-not-worked-around',
    what: 'A marketing message that was refused is sent without a purpose.',
    seams: repeating(
      'sale',
      ({ purpose: _, ...body }) => body,
      ({ status }) => status === 403,
    ),
  },
  {
    name: 'impatient-after-429',
    breaks: 'waits-after-429',
    what: 'A request is retried at once after 429.',
    seams: retrying((_, { status }) => status === 429),
  },
];

const notWaiting = { id: 'api-client/waits-after-429', why: 'the service asks for a pause, and gets none' } as const;

const pace: readonly ClientFault[] = [
  {
    name: 'floods',
    breaks: 'at-most-60-requests-a-minute',
    what: 'A list is fetched 140 times without a pause.',
    seams: fetching(140),
    mayAlso: [
      { id: 'api-client/at-most-60-in-any-minute', why: 'what is too much on average is too much in a minute' },
      notWaiting,
    ],
  },
  {
    name: 'bursts',
    breaks: 'at-most-60-in-any-minute',
    what: 'A list is fetched 70 times without a pause.',
    seams: fetching(70),
    mayAlso: [notWaiting],
  },
];

const keeping: readonly ClientFault[] = [
  {
    name: 'again-while-waiting',
    breaks: 'waiting-message-is-not-sent-again',
    what: 'A message that waits for the customer is sent once more.',
    seams: repeating(
      'ready',
      (body) => body,
      ({ body }) => body.waitingForReply === true,
    ),
  },
  {
    name: 'contact-again',
    breaks: 'contact-is-not-sent-again-unchanged',
    what: 'A contact is sent again, although nothing has changed.',
    seams: repeating('contact', (body) => body),
  },
  {
    name: 'forgets-the-contact-id',
    breaks: 'addresses-contacts-by-their-id',
    what: 'A contact is identified by its number, although the API has returned its id.',
    seams: saying('thanks', { contactId: undefined, phone: '+4930901821' }),
  },
  {
    name: 'subscribes-twice',
    breaks: 'one-subscription-for-one-address',
    what: 'An address is subscribed a second time.',
    seams: repeating('subscription', (body) => body),
  },
  {
    name: 'secret-twice',
    breaks: 'agent-secret-is-not-replaced-at-once',
    what: 'A second secret is created right after the first.',
    seams: repeating('secret', (body) => body),
  },
];

function fetching(times: number): () => Partial<ClientSeams> {
  return () => ({
    retryAfterMs: (call, answer, attempt) =>
      call.name === 'fetched' ? undefined : againAfterMs(call, answer, attempt),
    afterwards: async (api) => {
      for (let n = 0; n < times; n++) await api({ name: 'fetched', method: 'GET', path: '/v1/whatsapp/templates' });
    },
  });
}

/** Faults of an API client from one request to the next. */
export const clientConductMutants = [...repetition, ...refusals, ...pace, ...keeping].map(clientMutant);
