import { Agent } from 'node:http';
import { againAfterMs, plainWire, correctClient, takesKey, type ClientSeams } from '../proving/client.ts';
import { exchangeBy, type WireCall } from '../proving/client-wire.ts';
import type { Variant } from './variant.ts';

/** Milliseconds that an impatient client waits for an answer. */
const shortTimeoutMs = 1_500;

function client(
  name: string,
  what: string,
  seams: () => Partial<ClientSeams>,
  advised: NonNullable<Variant['advised']> = [],
): Variant {
  return { name: `client-${name}`, what, surfaces: ['api-client'], advised, build: () => ({ client: seams() }) };
}

/** Seams that change how every call is sent. */
function sending(change: (wire: WireCall) => Partial<WireCall>): () => Partial<ClientSeams> {
  return () => ({
    wire: (call, key, environment) => {
      const wire = plainWire(call, key, environment);
      return { ...wire, ...change(wire) };
    },
  });
}

/** Seams that change how bodies are written. */
function writing(write: (body: Record<string, unknown>) => string): () => Partial<ClientSeams> {
  return sending(({ body }) =>
    body === '' ? {} : { body: write(JSON.parse(body.toString()) as Record<string, unknown>) },
  );
}

/** Seams that change the calls of these names. */
function saying(fields: Readonly<Record<string, Record<string, unknown>>>): () => Partial<ClientSeams> {
  return () => ({
    shape: (call) => (fields[call.name] ? { ...call, body: { ...call.body, ...fields[call.name] } } : call),
  });
}

/** Seams that add calls after all others. */
function afterwards(work: ClientSeams['afterwards']): () => Partial<ClientSeams> {
  return () => ({ afterwards: work });
}

/** Correct but unusual API clients. */
export const clientVariants: readonly Variant[] = [
  client('the-right-one', 'The client from which mutants are derived: it calls every operation.', () => ({})),
  client(
    'bearer-in-lower-case',
    'Sends the key as a bearer token, and writes header names and the scheme in lower case.',
    () => ({
      wire: (call, key, environment) => {
        const { headers, ...wire } = plainWire(call, key, environment);
        return {
          ...wire,
          headers: headers.map(([name, value]) =>
            name === 'X-Api-Key' ? ['authorization', `bearer ${value}`] : [name.toLowerCase(), value],
          ),
        };
      },
    }),
  ),
  client(
    'both-headers',
    'Sends the key in X-Api-Key, and the token of a gateway in Authorization.',
    sending(({ headers }) => ({ headers: [...headers, ['Authorization', 'Bearer of-the-gateway']] })),
  ),
  client(
    'charset-parameter',
    'Adds a charset parameter to the media type.',
    sending(({ headers }) => ({
      headers: headers.map(([name, value]) => [name, name === 'Content-Type' ? `${value}; charset=UTF-8` : value]),
    })),
  ),
  client(
    'pretty-and-escaped',
    'Writes JSON over several lines, with escapes and the fields in another order.',
    writing((body) =>
      JSON.stringify(Object.fromEntries(Object.entries(body).reverse()), null, 4)
        .replaceAll('/', '\\/')
        .replaceAll('o', '\\u006f'),
    ),
  ),
  client('chunked', 'Sends its bodies chunked, without their length.', () => ({
    exchange: (wire) => exchangeBy(wire, { chunkBytes: 7 }),
  })),
  client('a-connection-for-each-request', 'Opens a connection for each request.', () => ({
    exchange: (wire) => exchangeBy(wire, {}),
  })),
  client('one-connection', 'Sends everything over one kept-alive connection.', () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, timeout: 5_000 });
    return { exchange: (wire) => exchangeBy(wire, { agent }) };
  }),
  client(
    'more-headers-and-a-query',
    'Adds custom headers and a query to every call.',
    sending(({ headers, url }) => ({
      url: `${url}?trace=1%2F2`,
      headers: [
        ...headers,
        ['Accept', '*/*'],
        ['User-Agent', 'CRM/9'],
        ['Traceparent', '00-ab-cd-01'],
        ['Cookie', 'a=b'],
      ],
    })),
  ),
  client(
    'unknown-members',
    'Adds fields that the interface does not list, and a different one at each attempt.',
    () => {
      let attempts = 0;
      return {
        wire: (call, key, environment) =>
          plainWire({ ...call, ...(call.body && { body: { ...call.body, attempt: ++attempts } }) }, key, environment),
      };
    },
  ),
  client(
    'nulls',
    'Sends null for fields without a value.',
    saying({
      contact: { email: null },
      ready: { phone: null, email: null, whatsApp: null },
      note: { projectId: null },
      answer: { note: null, executeSkills: null },
    }),
    ['api-client/no-null-members'],
  ),
  client('target-in-an-object', 'Names the target of logged messages and notes in the object target.', () => ({
    shape: (call) => {
      if (!call.body || !/\/(log|notes)$/.test(call.path)) return call;
      const { contactId, projectId, ...body } = call.body;
      return { ...call, body: { ...body, target: contactId === undefined ? { projectId } : { contactId } } };
    },
  })),
  client(
    'by-number',
    'Identifies its contacts by phone number, in another format than the one with which they were created.',
    saying({
      ready: { contactId: undefined, phone: '+49 30 901820' },
      thanks: { contactId: undefined, phone: '+4930901821' },
      note: { contactId: undefined, phone: '+49-30-901820' },
    }),
    ['api-client/addresses-contacts-by-their-id'],
  ),
  client(
    'other-times',
    'Writes times without seconds, with a zero offset or a fraction.',
    saying({
      'mail-in': { occurredAt: '2026-10-11T11:30:00.250+02:00' },
      visit: { start: '2026-12-01T09:00+00:00' },
    }),
  ),
  client('time-by-the-day', 'Writes the time of one logged message as a date, and that of another as a week.', () => ({
    shape: (call) => {
      const occurredAt = { 'mail-in': '2026-10-11', 'sms-in': '2026-W41-7' }[call.name];
      return occurredAt === undefined ? call : { ...call, body: { ...call.body, occurredAt } };
    },
  })),
  client(
    'numbers-as-people-write-them',
    'Writes international numbers with a trunk zero in brackets, with hyphens that do not break, with an extension.',
    saying({
      contact: { phone: '+49\u201130\u2011901820' },
      visit: { phone: '+49 (0)30 901820' },
      note: { contactId: undefined, phone: '+49 30 901820 ext. 12' },
    }),
    ['api-client/addresses-contacts-by-their-id'],
  ),
  client('empty-texts', 'Sends a note and a logged message without words.', () => ({
    shape: (call) => (['note', 'sms-in'].includes(call.name) ? { ...call, body: { ...call.body, text: '' } } : call),
  })),
  client(
    'target-of-another-form',
    'Names the target of a note as an object with kind and id.',
    saying({ 'case-note': { projectId: undefined, target: { kind: 'project', value: 5 } } }),
  ),
  client('percent-encoded-letters', 'Encodes letters of a path that need no encoding.', () => ({
    shape: (call) => (call.name === 'senders' ? { ...call, path: '/v1/%73enders' } : call),
  })),
  client('deeply-nested', 'Adds a field that is nested a hundred and fifty times.', () => ({
    wire: (call, key, environment) => {
      const wire = plainWire(call, key, environment);
      if (call.name !== 'note') return wire;
      const depth = 150;
      const deep = '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
      return { ...wire, body: wire.body.toString().replace(/\}$/, `,"more":${deep}}`) };
    },
  })),
  client(
    'canned-reply',
    'Answers every message with the same words, even while the team has the conversation.',
    afterwards(async (api, { projectId }) => {
      const path = `/v1/projects/${projectId}/agent-replies`;
      for (const text of ['One moment, please.', 'We have it.', 'One moment, please.']) {
        await api({ name: text, method: 'POST', path, body: { text } });
      }
    }),
  ),
  client(
    'start-without-zone',
    'Writes the start in UTC without a zone.',
    saying({ visit: { start: '2026-12-01T09:00:00' } }),
    ['api-client/start-is-marked-as-utc'],
  ),
  client(
    'longest-texts',
    'Fills messages and notes with emoji up to the maximum length.',
    saying({ answer: { text: '😀'.repeat(4000) }, skilled: { note: '😀'.repeat(500) } }),
    ['api-client/reply-within-4000-utf-16-units', 'api-client/note-within-500-utf-16-units'],
  ),
  client(
    'test-addresses',
    'Uses addresses on this machine, as for a test, and disconnects the phone.',
    saying({
      subscription: { url: 'http://127.0.0.1:8080/hooks' },
      'agent-change': { chatUrl: 'http://localhost:8080/chat', voiceUrl: '' },
    }),
  ),
  client('never-again', 'Never retries a request.', () => ({ retryAfterMs: () => undefined })),
  client('never-again-without-keys', 'Sends no Idempotency-Keys and no externalIds, and retries nothing.', () => ({
    keyOf: () => undefined,
    shape: (call) => (call.path.endsWith('/log') ? { ...call, body: { ...call.body, externalId: undefined } } : call),
    retryAfterMs: () => undefined,
  })),
  client('gives-up', 'Exits at the first failed request.', () => ({
    work: async (api, environment) => {
      let isOver = false;
      await correctClient().work(async (call) => {
        if (isOver) return { status: 0, body: {}, retryAfter: 0 };
        const answer = await api(call);
        isOver = answer.status === 0 || answer.status >= 500;
        return answer;
      }, environment);
    },
    retryAfterMs: () => undefined,
  })),
  client('patient', 'Waits twice as long as requested, and retries after a server error only after a while.', () => ({
    retryAfterMs: (call, answer, attempt) => {
      const ms = againAfterMs(call, answer, attempt);
      return ms === undefined ? undefined : 2 * Math.max(ms, 300);
    },
  })),
  client('key-of-the-day', 'Derives its Idempotency-Keys from the content, so they are the same in each run.', () => ({
    keyOf: (call) => (takesKey(call) ? `${call.name}-2026-10-11` : undefined),
  })),
  client(
    'new-key-after-429',
    'Treats a request that was answered 429 as not sent, and retries it with a new Idempotency-Key.',
    () => {
      let refused = 0;
      return {
        keyOf: (call, intent) => (takesKey(call) ? `${call.name} ${intent} ${refused}` : undefined),
        retryAfterMs: (call, answer, attempt) => {
          if (answer.status === 429) refused++;
          return againAfterMs(call, answer, attempt);
        },
      };
    },
  ),
  client('one-key-for-every-kind', 'Sends Idempotency-Keys even where the interface does not mention them.', () => ({
    keyOf: (call, intent) => (call.method === 'GET' ? undefined : `${call.name} ${intent}`),
  })),
  client('impatient', `Waits ${shortTimeoutMs} ms for an answer, then closes the connection and retries.`, () => ({
    exchange: (wire) => exchangeBy(wire, { timeoutMs: shortTimeoutMs }),
    // Enough messages for every kind of failure, including a slow answer.
    afterwards: async (api, { projectId }) => {
      for (let n = 1; n <= 3; n++) {
        await api({ name: `more-${n}`, method: 'POST', path: '/v1/notes', body: { projectId, text: `Page ${n}` } });
      }
    },
  })),
  client(
    'says-it-twice',
    'Deliberately sends the same message and the same note twice, each with its own key.',
    () => ({
      work: async (api, environment) => {
        await correctClient().work(async (call) => {
          const answer = await api(call);
          if (call.name === 'thanks' || call.name === 'case-note') await api({ ...call, name: `${call.name}-2` });
          return answer;
        }, environment);
      },
    }),
    ['api-client/waiting-message-is-not-sent-again'],
  ),
  client(
    'corrects-what-was-refused',
    'Repeats a refused request under the same key once it has supplied what was missing.',
    afterwards(async (api) => {
      const path = '/v1/messages';
      const wrong = { name: 'late', method: 'POST', path, body: { contactId: 999_999_999, text: 'Hello.' } };
      if ((await api(wrong)).status !== 404) return;
      const { body } = await api({
        name: 'late-contact',
        method: 'POST',
        path: '/v1/contacts',
        body: { phone: '+4930901822' },
      });
      await api({ ...wrong, body: { contactId: body.id, text: 'Hello.' } });
    }),
  ),
  client(
    'asks-for-what-is-not-shown',
    'Calls operations that the interface marks as not shown, and checks whether the host is alive.',
    afterwards(async (api) => {
      for (const path of [
        '/',
        '/favicon.ico',
        '/v1/appointments/17',
        '/v1/webhooks',
        '/v1/projects/5',
        '/v1/openapi.json',
      ]) {
        await api({ name: path, method: 'GET', path });
      }
      await api({ name: 'head', method: 'HEAD', path: '/v1/me' });
      await api({ name: 'preflight', method: 'OPTIONS', path: '/v1/messages' });
    }),
  ),
  client(
    'hedges',
    'Sends two copies of each message, note and skill at once, under one key, and uses the first answer.',
    () => ({
      exchange: async (wire) => {
        if (!wire.headers.some(([name]) => name === 'Idempotency-Key')) return await exchangeBy(wire, {});
        const [first, second] = await Promise.all([exchangeBy(wire, {}), exchangeBy(wire, {})]);
        return first.status === 0 ? second : first;
      },
    }),
  ),
  client(
    'times-and-numbers-in-other-notations',
    'Writes times in basic form or by the hour, numbers with a no-break space, and sends a template without text.',
    saying({
      visit: { start: '20261201T090000Z', phone: '+49\u00a030\u2013901820' },
      move: { start: '2026-12-02T09Z' },
      'mail-in': { occurredAt: '20261011T093000Z', subject: '' },
      fetch: { text: undefined },
      contact: { email: '' },
    }),
  ),
  client(
    'retries-without-keys-what-was-not-processed',
    'Sends no Idempotency-Key and no externalId, and retries only requests that were answered 503.',
    () => ({
      keyOf: () => undefined,
      shape: (call) => (call.path.endsWith('/log') ? { ...call, body: { ...call.body, externalId: undefined } } : call),
      retryAfterMs: (call, answer, attempt) => (answer.status === 0 ? undefined : againAfterMs(call, answer, attempt)),
    }),
    ['api-client/retry-carries-a-key', 'api-client/retried-log-entry-has-an-external-id'],
  ),
  client('reads-only', 'Only reads, and sends an empty object where no body is expected.', () => ({
    work: async (api, { agentId }) => {
      await api({ name: 'me', method: 'GET', path: '/v1/me' });
      await api({ name: 'test', method: 'POST', path: `/v1/agents/${agentId}/test`, body: {} });
    },
  })),
  client('sixty-at-once', 'Sends exactly sixty requests without a pause.', () => ({
    work: async (api) => {
      const get = (n: number) => api({ name: `get-${n}`, method: 'GET', path: '/v1/senders' });
      await Promise.all(Array.from({ length: 60 }, (_, n) => get(n)));
    },
  })),
  client('side-by-side', 'Handles several customers at the same time.', () => ({
    work: async (api, environment) => {
      const one = (n: number) => async () => {
        const { body } = await api({
          name: `contact-${n}`,
          method: 'POST',
          path: '/v1/contacts',
          body: { phone: `+493090182${n}` },
        });
        if (body.id === undefined) return;
        for (const path of ['/v1/messages', '/v1/notes']) {
          await api({ name: `${path} ${n}`, method: 'POST', path, body: { contactId: body.id, text: 'Hello.' } });
        }
      };
      await Promise.all([1, 2, 3, 4, 5].map((n) => one(n)()));
      await api({
        name: 'bye',
        method: 'POST',
        path: `/v1/projects/${environment.projectId}/agent-replies`,
        body: { action: 'end' },
      });
    },
  })),
];
