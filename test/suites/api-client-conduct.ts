import { contacts, log, messages, notes, reply, skill, type RuleCase } from './api-client-requests.ts';
import type { Sketch } from './api-exchanges.ts';

const message = { contactId: 7, text: 'Ready.' };
const ready = messages(message);
const other = messages({ contactId: 7, text: 'Delivered.' });
const contact = contacts({ phone: '+4930901820', firstName: 'Erika' });
const note = notes({ contactId: 7, text: 'Order 77' });
const entry = { contactId: 7, direction: 'in', channel: 'email', text: 'When?' };
const problem = (status: number, title?: string): Pick<Sketch, 'status' | 'answer'> => ({
  status,
  answer: title === undefined ? '' : { title, status },
});
const cut = { ended: 'cut', trouble: 'cut', round: 'troubled' } as const;
const down = { status: 503, trouble: 'unavailable', round: 'troubled' } as const;
const again = { round: 'troubled' } as const;
const off = { autoReply: { state: 'off' } };
const on = { autoReply: { state: 'on' } };
const ran = { key: 'sales', ok: true };
const notAllowed = { key: 'sales', ok: false, reason: 'not-allowed' };
const gone = problem(409, 'project_not_with_agent');
const injected = { ...gone, trouble: 'refused', round: 'troubled' } as const;
const every = (count: number, ms: number, more: Partial<Sketch> = {}): Sketch[] =>
  Array.from({ length: count }, (_, n) => ({ method: 'GET', path: '/v1/me', at: n * ms, ...more }));
const subscription = (events: string[], url = 'https://integrator.example/hooks'): Sketch => ({
  path: '/v1/webhooks',
  body: { url, events },
  status: 201,
});
const secret = (id: number): Sketch => ({ path: `/v1/agents/${id}/secret`, answer: { secret: 'whsec_x' } });

/** Rules about several requests. */
export const conductCases: readonly RuleCase[] = [
  {
    rule: 'retry-keeps-its-key',
    holds: [
      [
        { ...ready, key: 'a', ...cut },
        { ...ready, key: 'a', ...again },
      ],
      [
        { ...ready, key: 'a', ...down },
        { ...ready, key: 'a', ...again },
      ],
      [
        { ...note, key: 'a', ended: 'abandoned' },
        { ...note, key: 'a' },
      ],
      [
        { ...skill(), key: 'a', ...cut },
        { ...skill(), key: 'a', ...again },
      ],
      [
        { ...ready, key: 'a', took: 5000, trouble: 'slow', at: 100 },
        { ...ready, key: 'a', at: 2000 },
      ],
      // The same with two keys, both accepted: one is a new message, the other a repetition.
      [
        { ...ready, key: 'a', ...cut },
        { ...ready, key: 'b', ...again },
        { ...ready, key: 'a', ...again },
      ],
      // Two copies at once.
      [
        { ...ready, key: 'a', ...cut, at: 100, took: 200 },
        { ...ready, key: 'a', ...cut, at: 101, took: 200 },
        { ...ready, key: 'a', ...again, at: 400 },
      ],
      // Field order and a null do not make another request.
      [
        { ...messages('{"text":"x","contactId":7}'), key: 'a', ...cut },
        { ...messages('{"contactId":7,"text":"x","purpose":null}'), key: 'a', ...again },
      ],
    ],
    fails: [
      [
        [
          { ...ready, key: 'a', ...cut },
          { ...ready, key: 'b', ...again },
        ],
        '(\"a\") after the connection broke, received "b"',
      ],
      [
        [
          { ...ready, key: 'a', ...down },
          { ...ready, ...again },
        ],
        'after 503, received none',
      ],
      [
        [
          { ...note, key: 'a', ended: 'abandoned' },
          { ...note, key: 'b' },
        ],
        'after no answer in time, received "b"',
      ],
      [
        [
          { ...ready, key: 'a', took: 5000, trouble: 'slow', at: 100 },
          { ...ready, key: 'b', at: 2000 },
        ],
        'received "b"',
      ],
      // A different request is sent twice on purpose.
      [[other, other, { ...ready, key: 'a', ...cut }, { ...ready, key: 'b', ...again }], 'received "b"'],
      // Intended twice, and sent three times.
      [
        [
          { ...ready, key: 'a' },
          { ...ready, key: 'b' },
          { ...ready, key: 'c', ...cut },
          { ...ready, key: 'd', ...again },
          { ...ready, key: 'e', ...again },
        ],
        'received "d"',
      ],
    ],
    nothing: [
      [
        { ...ready, key: 'a' },
        { ...ready, key: 'b' },
      ],
      [{ ...ready, key: 'a', ...cut }],
      [
        { ...ready, key: 'a', ...cut },
        { ...other, key: 'b', ...again },
      ],
      [
        { ...ready, ...cut },
        { ...ready, ...again },
      ],
      // Another round means another start of the client.
      [
        { ...ready, key: 'a', ended: 'cut' },
        { ...ready, key: 'b', ...again },
      ],
      // A request that was not processed may be sent with another key.
      [
        { ...ready, key: 'a', ...again, status: 429 },
        { ...ready, key: 'b', ...again },
      ],
      // Sent at the same time, so not because an answer was missing.
      [
        { ...ready, key: 'a', ...cut, at: 100, took: 500 },
        { ...ready, key: 'b', ...again, at: 200 },
      ],
      // So late that it may be intended as a new one.
      [
        { ...ready, key: 'a', ...cut, at: 0 },
        { ...ready, key: 'b', ...again, at: 90_000 },
      ],
      [
        { ...note, key: 'a', ended: 'abandoned', at: 0 },
        { ...note, key: 'b', at: 90_000 },
      ],
      // A client that sends the same twice without a failure may intend it.
      [
        { ...ready, key: 'a' },
        { ...ready, key: 'b' },
        { ...ready, key: 'c', ...cut },
        { ...ready, key: 'd', ...again },
      ],
      // Another field shows that it is another request, though its meaning is unknown.
      [
        { ...messages({ ...message, reference: 1 }), key: 'a', ...cut },
        { ...messages({ ...message, reference: 2 }), key: 'b', ...again },
      ],
      [
        { ...contacts({ phone: '+4930901820' }), key: 'a', ...cut },
        { ...contacts({ phone: '+4930901820' }), key: 'b', ...again },
      ],
    ],
  },
  {
    rule: 'retry-carries-a-key',
    holds: [
      [
        { ...ready, key: 'a', ...cut },
        { ...ready, key: 'a', ...again },
      ],
      [
        { ...ready, key: 'a', ...cut },
        { ...ready, key: 'b', ...again },
      ],
    ],
    fails: [
      [
        [
          { ...ready, ...cut },
          { ...ready, ...again },
        ],
        'none at the first attempt',
      ],
      [
        [
          { ...note, ...down },
          { ...note, key: 'a', ...again },
        ],
        'none at the first attempt',
      ],
      [
        [
          { ...skill(), ...cut },
          { ...skill(), ...again },
        ],
        'none at the first attempt',
      ],
      [
        [ready, ready, { ...ready, ...cut }, { ...ready, ...again }, { ...ready, ...again }],
        'none at the first attempt',
      ],
    ],
    nothing: [
      [ready, ready],
      [{ ...ready, ...cut }],
      [{ ...ready, status: 429 }, ready],
      [
        { ...reply({ text: 'x' }), ...cut },
        { ...reply({ text: 'x' }), ...again },
      ],
    ],
  },
  {
    rule: 'retried-request-takes-effect-once',
    holds: [
      [
        { ...ready, key: 'a', ...cut, unsentStatus: 202 },
        { ...ready, key: 'a', ...again },
      ],
      [
        { ...log({ ...entry, externalId: 'm' }), ...cut, unsentStatus: 201 },
        { ...log({ ...entry, externalId: 'm' }), ...again },
      ],
    ],
    fails: [
      [
        [
          { ...ready, ...cut, unsentStatus: 202 },
          { ...ready, ...again },
        ],
        'both processed',
      ],
      [
        [
          { ...note, key: 'a', ended: 'abandoned', unsentStatus: 201 },
          { ...note, key: 'b' },
        ],
        'both processed',
      ],
      [
        [
          { ...log(entry), ...cut, unsentStatus: 201 },
          { ...log(entry), ...again },
        ],
        'both processed',
      ],
    ],
    nothing: [
      [ready, ready],
      [
        { ...ready, ...down },
        { ...ready, ...again },
      ],
      [
        { ...ready, ...cut, unsentStatus: 403 },
        { ...ready, ...again },
      ],
      [
        { ...ready, ...cut },
        { ...ready, ...again },
      ],
      [
        { ...ready, ...cut, unsentStatus: 202 },
        { ...ready, ...again, status: 503 },
      ],
    ],
  },
  {
    rule: 'another-request-has-another-key',
    holds: [
      [
        { ...ready, key: 'a' },
        { ...other, key: 'b' },
      ],
      [
        { ...ready, key: 'a' },
        { ...ready, key: 'a' },
        { ...other, key: 'b' },
      ],
      [
        { ...ready, key: 'a' },
        { ...other, key: 'b', status: 422 },
        { ...messages({ contactId: 7, text: 'Corrected.' }), key: 'b' },
      ],
      // A field that is not listed is not part of the request.
      [
        { ...messages({ ...message, attempt: 1 }), key: 'a' },
        { ...messages({ ...message, attempt: 2 }), key: 'a' },
        { ...other, key: 'b' },
      ],
      [
        { ...skill(), key: 'a' },
        { ...skill(undefined, 'urgent'), key: 'b' },
      ],
    ],
    fails: [
      [
        [
          { ...ready, key: 'a' },
          { ...other, key: 'a' },
        ],
        'expected another Idempotency-Key for another request, received "a" again',
      ],
      [
        [
          { ...skill(), key: 'a' },
          { ...skill(undefined, 'urgent'), key: 'a' },
        ],
        '"a" again',
      ],
    ],
    nothing: [
      [{ ...ready, key: 'a' }],
      [
        { ...ready, key: 'a' },
        { ...ready, key: 'a' },
      ],
      [ready, other],
      [
        { ...ready, key: 'a' },
        { ...other, key: 'a', ...again },
      ],
      // The first was refused and corrected.
      [
        { ...messages({ text: 'x' }), key: 'a', status: 400 },
        { ...ready, key: 'a' },
      ],
      [
        { ...messages({ ...message, channels: ['sms'] }), key: 'a', status: 422 },
        { ...ready, key: 'a' },
      ],
      // The client cannot know that the first one was accepted.
      [
        { ...ready, key: 'a', ended: 'cut' },
        { ...other, key: 'a' },
      ],
      [
        { ...ready, key: 'a' },
        { ...note, key: 'a' },
      ],
    ],
  },
  {
    rule: 'operations-do-not-share-keys',
    holds: [
      [
        { ...ready, key: 'a' },
        { ...note, key: 'b' },
      ],
    ],
    fails: [
      [
        [
          { ...ready, key: 'a' },
          { ...note, key: 'a' },
        ],
        '"a" again',
      ],
    ],
    nothing: [
      [
        { ...ready, key: 'a' },
        { ...other, key: 'a' },
      ],
      [
        { ...ready, key: 'a' },
        { ...log(entry), key: 'a' },
      ],
      [ready, note],
    ],
  },
  {
    rule: 'retried-log-entry-has-an-external-id',
    holds: [
      [
        { ...log({ ...entry, externalId: 'm' }), ...cut },
        { ...log({ ...entry, externalId: 'm' }), ...again },
      ],
      // The interface does not state whether keys apply to logged messages.
      [
        { ...log(entry), key: 'a', ...cut },
        { ...log(entry), key: 'a', ...again },
      ],
    ],
    fails: [
      [
        [
          { ...log(entry), ...cut },
          { ...log(entry), ...again },
        ],
        'externalId from the start',
      ],
    ],
    nothing: [[log(entry), log(entry)], [{ ...log(entry), ...cut }]],
  },
  {
    rule: 'retried-log-entry-keeps-its-external-id',
    holds: [
      [
        { ...log({ ...entry, externalId: 'm' }), ...down },
        { ...log({ ...entry, externalId: 'm' }), ...again },
      ],
      [
        { ...log({ ...entry, externalId: 'm' }), key: 'a', ...cut },
        { ...log({ ...entry, externalId: 'm' }), key: 'b', ...again },
      ],
      [
        { ...log({ ...entry, externalId: 'm' }), key: 'a', ...cut },
        { ...log({ ...entry, externalId: 'n' }), key: 'a', ...again },
      ],
    ],
    fails: [
      [
        [
          { ...log({ ...entry, externalId: 'm' }), ...cut },
          { ...log({ ...entry, externalId: 'n' }), ...again },
        ],
        'received "n"',
      ],
      [
        [
          { ...log({ ...entry, externalId: 'm' }), ...cut },
          { ...log(entry), ...again },
        ],
        'received none',
      ],
    ],
    nothing: [
      [
        { ...log(entry), ...cut },
        { ...log(entry), ...again },
      ],
      [log({ ...entry, externalId: 'm' }), log({ ...entry, externalId: 'n' })],
      // Two messages with the same text and without a failure: the second is not a repetition.
      [
        log({ ...entry, externalId: 'm' }),
        log({ ...entry, externalId: 'n' }),
        { ...log({ ...entry, externalId: 'm' }), ...cut },
        { ...log({ ...entry, externalId: 'n' }), ...again },
      ],
    ],
  },
  {
    rule: 'another-log-entry-has-another-external-id',
    holds: [
      [log({ ...entry, externalId: 'm' }), log({ ...entry, text: 'Now?', externalId: 'n' })],
      [
        log({ ...entry, externalId: 'm' }),
        log({ ...entry, phone: '+4930901820', externalId: 'm' }),
        log({ ...entry, text: 'b', externalId: 'n' }),
      ],
    ],
    fails: [[[log({ ...entry, externalId: 'm' }), log({ ...entry, text: 'Now?', externalId: 'm' })], '"m" again']],
    nothing: [
      [log({ ...entry, externalId: 'm' }), log({ ...entry, channel: 'sms', text: 'Now?', externalId: 'm' })],
      [log(entry), log({ ...entry, text: 'Now?' })],
      [log({ ...entry, externalId: 'm' }), log({ ...entry, externalId: 'm' })],
    ],
  },
  {
    rule: 'drops-the-reply-after-409',
    holds: [
      [{ ...reply({ text: 'x' }), ...gone }],
      [{ ...reply({ text: 'x' }), ...gone }, reply({ text: 'y' })],
      [
        { ...reply({ text: 'x' }), ...gone },
        { ...reply({ text: 'x' }), at: 60_000 },
      ],
      // The conversation had come back to the AI.
      [{ ...reply({ text: 'x' }), ...gone }, reply({ text: 'y' }), reply({ text: 'x' })],
      // The same, by the answer to a reply that was on its way when the other one was refused.
      [
        { ...reply({ text: 'y' }), at: 0, took: 500 },
        { ...reply({ text: 'x' }), ...gone, at: 100 },
        { ...reply({ text: 'x' }), at: 700 },
      ],
      [
        { ...reply({ text: 'x' }), ...gone },
        { ...reply({ text: 'x' }), path: '/v1/projects/6/agent-replies' },
      ],
      // Sent twice on purpose, also without a failure.
      [
        reply({ text: 'x' }),
        reply({ text: 'x' }),
        { ...reply({ text: 'x' }), ...injected },
        { ...reply({ text: 'x' }), ...again, at: 12_000 },
      ],
      // Two copies at once, answered alike.
      [
        { ...reply({ text: 'x' }), key: 'a' },
        { ...reply({ text: 'x' }), key: 'a' },
        { ...reply({ text: 'x' }), key: 'a', ...injected, at: 100, took: 200 },
        { ...reply({ text: 'x' }), key: 'a', ...injected, at: 101, took: 200 },
      ],
    ],
    fails: [
      // Twelve seconds later, and after another reply that was accepted.
      [
        [
          reply({ text: 'x' }),
          reply({ text: 'y' }),
          { ...reply({ text: 'x' }), ...injected, at: 500 },
          { ...reply({ text: 'y' }), ...again, at: 1000 },
          { ...reply({ text: 'x' }), ...again, at: 12_500 },
        ],
        'the same one after 11980 ms',
      ],
      // Another reply with the same text.
      [
        [
          reply({ text: 'x' }),
          reply({ text: 'x' }),
          { ...reply({ text: 'x' }), ...injected },
          { ...reply({ text: 'x' }), ...again },
          { ...reply({ text: 'x' }), ...again },
        ],
        'no such request again after 409',
      ],
      // Other replies are sent twice on purpose.
      [
        [
          reply({ text: 'x' }),
          reply({ text: 'x' }),
          { ...reply({ text: 'z' }), ...gone },
          { ...reply({ text: 'z' }), ...gone },
        ],
        'no such request again after 409',
      ],
      [
        [{ ...reply({ text: 'x' }), ...gone }, reply({ text: 'x' })],
        'no such request again after 409 project_not_with_agent',
      ],
      // Neither a transcript nor a reply in another conversation shows that this one came back to the AI.
      [
        [
          { ...reply({ text: 'x' }), ...gone },
          { method: 'GET', path: '/v1/projects/5/messages' },
          reply({ text: 'x' }),
        ],
        'the same one after 180 ms',
      ],
      [
        [
          { ...reply({ text: 'y' }), path: '/v1/projects/6/agent-replies', at: 0, took: 500 },
          { ...reply({ text: 'x' }), ...gone, at: 100 },
          { ...reply({ text: 'x' }), at: 700 },
        ],
        'the same one after 580 ms',
      ],
      [
        [
          { ...reply({ text: 'x' }), ...gone },
          { ...reply({ text: 'x' }), ...gone },
        ],
        'the same one after 80 ms',
      ],
    ],
    nothing: [
      [reply({ text: 'x' })],
      [{ ...reply({ text: 'x' }), status: 409, answer: { title: 'something_else' } }, reply({ text: 'x' })],
      [reply({ text: 'x' }), reply({ text: 'x' }), { ...reply({ text: 'x' }), ...gone }, reply({ text: 'x' })],
      // The same text for the next message, with another reply between them.
      [
        { ...reply({ text: 'x' }), ...gone, at: 0 },
        { ...reply({ text: 'y' }), status: 503, at: 100 },
        { ...reply({ text: 'x' }), status: 503, at: 200 },
      ],
    ],
  },
  {
    rule: 'drops-the-skill-after-409',
    holds: [[{ ...skill(), ...gone }], [{ ...skill(), ...gone }, skill(undefined, 'urgent'), skill()]],
    fails: [
      [
        [
          { ...skill(), ...gone },
          { ...skill(), ...gone },
        ],
        'again after 409',
      ],
      // Under another key, twelve seconds later.
      [
        [
          { ...skill(), key: 'a' },
          { ...skill(), key: 'b', ...injected, at: 500 },
          { ...skill(), key: 'c', ...again, at: 12_500 },
        ],
        'again after 409',
      ],
    ],
    nothing: [[skill()], [{ ...skill(), ...problem(409, 'idempotency_key_in_use') }, skill()]],
  },
  {
    rule: 'does-not-repeat-what-was-refused',
    holds: [
      [{ ...ready, ...problem(404, 'not_found') }],
      [{ ...ready, status: 400 }, other],
      [{ ...ready, status: 404 }, contacts({ phone: '+4930901820' }), ready],
      [
        { ...ready, status: 404 },
        { ...ready, at: 60_000 },
      ],
      [
        { ...ready, status: 404 },
        { ...ready, ...again },
      ],
      // Two copies at once.
      [
        { ...ready, key: 'a', status: 404, at: 100, took: 1 },
        { ...ready, key: 'a', status: 404, at: 102, took: 1 },
      ],
      // Another key makes it another request.
      [
        { ...ready, key: 'a', status: 404 },
        { ...ready, key: 'b', status: 404 },
      ],
      [
        { ...ready, status: 404 },
        { ...other, status: 404 },
      ],
    ],
    fails: [
      [[{ ...ready, status: 400 }, ready], 'again after 400'],
      // At the moment of the answer.
      [
        [
          { ...ready, status: 400, at: 0, took: 20 },
          { ...ready, at: 20 },
        ],
        'the same one after 0 ms',
      ],
      [[other, other, { ...ready, status: 400 }, ready], 'again after 400'],
      // A third copy is a reaction.
      [
        [
          { ...ready, key: 'a', status: 404, at: 100, took: 1 },
          { ...ready, key: 'a', status: 404, at: 102, took: 1 },
          { ...ready, key: 'a', status: 404, at: 104, took: 1 },
        ],
        'again after 404',
      ],
      [
        [
          { ...ready, key: 'b', ...problem(403, 'consent_missing') },
          { ...ready, key: 'b', status: 403, at: 2_000 },
        ],
        '403 consent_missing',
      ],
      [[{ ...reply({ text: 'x' }), ...problem(422, 'not_deliverable') }, reply({ text: 'x' })], '422 not_deliverable'],
      [[{ ...note, ...problem(404, 'project_not_found') }, note], '404 project_not_found'],
    ],
    nothing: [
      [ready],
      [{ ...ready, status: 429 }, ready],
      [{ ...ready, status: 401 }, ready],
      [
        { ...ready, ...problem(422, 'idempotency_key_reused') },
        { ...ready, key: 'b' },
      ],
      [
        { method: 'GET', path: '/v1/agents/3', status: 404 },
        { method: 'GET', path: '/v1/agents/3', status: 404 },
      ],
      [{ ...ready, status: 400, ended: 'cut' }, ready],
    ],
  },
  {
    rule: 'requests-take-effect',
    holds: [
      [ready],
      // The same in a form that can have an effect.
      [{ ...contact, method: 'PUT', status: 405 }, contact],
      [{ ...ready, path: '/v1/messages/send', status: 404 }, ready],
      [{ ...messages({ contactId: 7, message: 'Ready.' }), status: 400 }, ready],
      [
        { ...ready, key: 'a' },
        { ...other, key: 'a', status: 422 },
        { ...other, key: 'b' },
      ],
      [{ ...reply({ message: 'Good morning.' }), status: 202 }, reply({ text: 'Good morning.' })],
      [
        { method: 'GET', path: '/v1/Senders', status: 404 },
        { method: 'GET', path: '/v1/senders' },
      ],
      // By the other method of the path.
      [
        { method: 'PUT', path: '/v1/agents/5', body: { timeoutSeconds: 12 }, status: 405 },
        { method: 'PATCH', path: '/v1/agents/5', body: { timeoutSeconds: 12 } },
      ],
      [
        { path: '/v1/appointments/5', status: 405 },
        { method: 'DELETE', path: '/v1/appointments/5' },
      ],
      [
        { path: '/v1/appointments/5', body: { status: 'cancelled' }, status: 405 },
        { method: 'DELETE', path: '/v1/appointments/5' },
      ],
      // Nothing was to be sent, or it is unclear what.
      [{ ...messages({ contactId: 7 }), status: 400 }],
      [{ path: '/v1/appointments', body: { contactId: 1, start: '2026-12-01T09:00:00Z' }, status: 400 }],
      [{ ...ready, ...down }],
      [{ ...ready, path: '//v1/messages', status: 404 }],
      // A repetition may state its own time; the first attempt was processed.
      [
        { ...other, key: 'b' },
        { ...ready, key: 'a', ended: 'cut', unsentStatus: 202 },
        { ...messages({ contactId: 7, text: 'Ready, at 09:30.' }), key: 'a' },
      ],
    ],
    fails: [
      [
        [
          { ...other, key: 'b' },
          { ...ready, key: 'a' },
          { ...messages({ contactId: 7, text: 'Ready, at 09:30.' }), key: 'a' },
        ],
        'the key "a" of an earlier request',
      ],
      [[{ ...contact, method: 'PUT', status: 405 }], 'a listed path and its method, received PUT /v1/contacts'],
      [
        [{ ...contact, method: 'PUT', status: 405 }, contacts({ phone: '+4930901829' })],
        'no other request had its effect',
      ],
      [[{ ...ready, path: '/v1/messages/send', status: 404 }, other], 'POST /v1/messages/send'],
      [[{ method: 'GET', path: '/v1/sender', status: 404 }], 'GET /v1/sender'],
      // Reading an assistant does not change it.
      [
        [
          { method: 'PUT', path: '/v1/agents/5', body: { timeoutSeconds: 12 }, status: 405 },
          { method: 'GET', path: '/v1/agents/5' },
        ],
        'PUT /v1/agents/5',
      ],
      [
        [
          { path: '/v1/appointments/5', body: { status: 'cancelled' }, status: 405 },
          { method: 'DELETE', path: '/v1/appointments/6' },
        ],
        'POST /v1/appointments/5',
      ],
      [[{ ...messages({ contactId: 7, message: 'Ready.' }), status: 400 }], 'the field text, received "message"'],
      [
        [{ path: '/v1/appointments', body: { phone: '+4930901820', startTime: '2026-12-01T09:00:00Z' }, status: 400 }],
        'the field start, received "startTime"',
      ],
      [
        [
          {
            path: '/v1/webhooks',
            body: { address: 'https://a.example', events: ['appointment.created'] },
            status: 400,
          },
        ],
        'the field url, received "address"',
      ],
      [[{ ...reply({ message: 'Good morning.' }), status: 202 }], 'only message'],
      [
        [
          { ...ready, key: 'a' },
          { ...other, key: 'a', status: 422 },
        ],
        'the key "a" of an earlier request',
      ],
    ],
    nothing: [
      [{ method: 'GET', path: '/v1/health', status: 404 }],
      [{ method: 'GET', path: '/v1/appointments/5', status: 404 }],
      // A slash too many.
      [{ method: 'GET', path: '/v1/senders/', status: 404 }],
      [{ ...ready, path: '/v1/messages/', status: 404 }],
      [{ method: 'GET', path: '/favicon.ico', status: 404 }],
      [{ path: '/v1/contacts/batch', body: { phone: '+4930901820' }, status: 200 }],
    ],
  },
  {
    rule: 'consent-refusal-is-not-worked-around',
    holds: [
      [{ ...messages({ ...message, purpose: 'marketing' }), status: 403 }],
      [{ ...messages({ ...message, purpose: 'marketing' }), status: 403 }, messages({ contactId: 8, text: 'Ready.' })],
      [
        { ...messages({ ...message, purpose: 'marketing' }), status: 403 },
        messages({ contactId: 7, text: 'Your bill.' }),
      ],
      [messages(message), { ...messages({ ...message, purpose: 'marketing' }), status: 403 }],
      // Neither a note nor the same message in the other round is sent instead of it.
      [{ ...messages({ ...message, purpose: 'marketing' }), status: 403 }, notes(message)],
      [
        { ...messages({ ...message, purpose: 'marketing' }), status: 403 },
        { ...messages(message), ...again },
      ],
      // Other customers, addressed in different ways.
      [
        { ...messages({ phone: '+4930901820', text: 'Sale', purpose: 'marketing' }), status: 403 },
        messages({ contactId: 8, text: 'Sale' }),
      ],
      [
        { ...messages({ email: 'a@customer.example', text: 'Sale', purpose: 'marketing' }), status: 403 },
        messages({ phone: '+4930901820', text: 'Sale' }),
      ],
      // So late that a user may have requested it.
      [
        { ...messages({ ...message, purpose: 'marketing' }), status: 403, at: 0 },
        { ...messages({ ...message, purpose: 'service' }), at: 15_000 },
      ],
    ],
    fails: [
      [
        [
          { ...messages({ ...message, purpose: 'marketing' }), status: 403 },
          messages({ ...message, purpose: 'service' }),
        ],
        'purpose "service"',
      ],
      [[{ ...messages({ ...message, purpose: 'marketing' }), status: 403 }, messages(message)], 'purpose "none"'],
      [
        [
          { ...messages({ phone: '+4930901820', text: 'Sale', purpose: 'marketing' }), status: 403 },
          messages({ phone: '+49 30 901820', text: 'Sale' }),
        ],
        'purpose "none"',
      ],
    ],
    nothing: [
      [messages({ ...message, purpose: 'marketing' }), messages(message)],
      [{ ...ready, status: 403 }, ready],
    ],
  },
  {
    rule: 'waits-after-429',
    holds: [
      [
        { ...ready, status: 429, answerHeaders: [['retry-after', '1']], at: 0, took: 10 },
        { ...ready, at: 1_010 },
      ],
      [
        { ...ready, status: 429, answerHeaders: [['Retry-After', '1']], at: 0, took: 10 },
        { ...ready, at: 960 },
      ],
      // The second one had already been sent.
      [
        { ...ready, status: 429, answerHeaders: [['Retry-After', '1']], at: 0, took: 30 },
        { ...ready, at: 20 },
        { ...ready, at: 1_100 },
      ],
    ],
    fails: [
      [
        [
          { ...ready, status: 429, answerHeaders: [['retry-after', '1']], at: 0, took: 10 },
          { ...ready, at: 310 },
        ],
        'expected a pause of 1 s after 429 with Retry-After: 1, received the request again after 300 ms',
      ],
    ],
    nothing: [
      [{ ...ready, status: 429 }, ready],
      [{ ...ready, status: 429, answerHeaders: [['retry-after', '1']] }],
      [{ ...ready, status: 429, answerHeaders: [['retry-after', '1']] }, other],
    ],
  },
  {
    rule: 'at-most-60-requests-a-minute',
    holds: [
      every(60, 10),
      every(120, 400),
      every(200, 1_000),
      [...every(100, 10), ...every(100, 10, { round: 'troubled' })],
      [...every(100, 10), ...every(100, 10, { headers: { 'X-Api-Key': '', Authorization: 'Bearer another-key' } })],
    ],
    fails: [
      [every(121, 10), '121 within 1.2 s'],
      [every(260, 500), 'within'],
    ],
    nothing: [
      [],
      [{ method: 'GET', path: '/v1/me', headers: { 'X-Api-Key': '' } }],
      [{ method: 'GET', path: '/v1/docs' }],
    ],
  },
  {
    rule: 'at-most-60-in-any-minute',
    holds: [
      every(60, 10),
      every(200, 1_000),
      [...every(60, 10), ...every(60, 10, { at: 60_000 })],
      every(60, 10, { round: 'troubled' }),
    ],
    fails: [
      [every(61, 10), '61 within 0.6 s'],
      [every(120, 900), '61 within 54.0 s'],
    ],
    nothing: [[]],
  },
  {
    rule: 'waiting-message-is-not-sent-again',
    holds: [
      [{ ...ready, answer: { waitingForReply: true } }],
      [{ ...ready, answer: { waitingForReply: true } }, other],
      [
        { ...ready, key: 'a', answer: { waitingForReply: true } },
        { ...ready, key: 'a' },
      ],
      [{ ...ready, answer: { waitingForReply: true } }, messages({ ...message, whatsApp: { template: 't' } })],
      [
        { ...ready, answer: { waitingForReply: true } },
        { ...ready, at: 60_000 },
      ],
    ],
    fails: [
      // Another message is sent twice on purpose.
      [[other, other, { ...ready, answer: { waitingForReply: true } }, ready], 'the same again'],
      [[{ ...ready, answer: { waitingForReply: true } }, ready], 'received the same again'],
      [
        [
          { ...ready, key: 'a', answer: { waitingForReply: true } },
          { ...ready, key: 'b' },
        ],
        'received the same again',
      ],
    ],
    nothing: [
      [{ ...ready, answer: { waitingForReply: false } }, ready],
      [other, { ...other, answer: { waitingForReply: true } }, other],
      [{ ...ready, ended: 'cut', answer: { waitingForReply: true } }, ready],
    ],
  },
  {
    rule: 'asks-for-no-skill-while-not-on',
    holds: [
      [
        { ...reply({ text: 'x' }), answer: on },
        { ...reply({ executeSkills: ['sales'] }), answer: on },
      ],
    ],
    fails: [
      [
        [
          { ...reply({ action: 'handover' }), answer: off },
          { ...reply({ executeSkills: ['sales'] }), answer: { ...off, skills: [notAllowed] } },
        ],
        '["sales"]',
      ],
      [
        [
          { ...reply({ action: 'handover' }), answer: off },
          { ...reply({ executeSkills: ['sales'] }), ...gone },
        ],
        '["sales"]',
      ],
    ],
    nothing: [
      [{ ...reply({ executeSkills: ['sales'] }), answer: off }],
      // The skill ran because the conversation had returned in between.
      [
        { ...reply({ action: 'handover' }), answer: off },
        { ...reply({ executeSkills: ['sales'], action: 'handover' }), answer: { ...off, skills: [ran] } },
      ],
      [{ ...reply({ action: 'handover' }), answer: off }, reply({ text: 'y' })],
      [
        { ...reply({ action: 'handover' }), answer: off },
        { ...reply({ executeSkills: ['sales'] }), answer: on },
      ],
      [{ ...reply({ text: 'x' }), answer: { autoReply: { state: 'paused' } } }, reply({ executeSkills: ['sales'] })],
      [
        { ...reply({ action: 'handover' }), answer: off },
        { ...reply({ executeSkills: ['sales'] }), path: '/v1/projects/6/agent-replies' },
      ],
      [
        { ...reply({ action: 'handover' }), answer: off, at: 0, took: 500 },
        { ...reply({ executeSkills: ['sales'] }), at: 100 },
      ],
    ],
  },
  {
    rule: 'contact-is-not-sent-again-unchanged',
    holds: [
      [{ ...contacts({ phone: '+4930901820' }), answer: { id: 7 } }],
      [contacts({ phone: '+4930901820', firstName: 'E.' }), contacts({ phone: '+4930901820', firstName: 'Erika' })],
      // The service no longer knew the contact.
      [contacts({ phone: '+4930901820' }), { ...ready, status: 404 }, contacts({ phone: '+4930901820' })],
    ],
    fails: [[[contacts({ phone: '+4930901820' }), contacts({ phone: '+4930901820' })], 'the same contact again']],
    nothing: [
      [
        { ...contacts({ phone: '+4930901820' }), status: 503 },
        { ...contacts({ phone: '+4930901820' }), status: 503 },
      ],
      [ready],
    ],
  },
  {
    rule: 'ids-are-of-their-kind',
    holds: [
      [{ ...contacts({ phone: '+4930901820' }), answer: { id: 7 } }, notes({ contactId: 7, text: 'x' })],
      [
        { ...notes({ phone: '+4930901820', text: 'x' }), answer: { contactId: 7, projectId: 9 } },
        { method: 'GET', path: '/v1/projects/9/messages' },
      ],
    ],
    fails: [
      [
        [
          { ...notes({ phone: '+4930901820', text: 'x' }), answer: { contactId: 7, projectId: 9 } },
          { ...notes({ contactId: 9, text: 'x' }), status: 404 },
        ],
        '9, which is a projectId',
      ],
      [
        [
          { ...contacts({ phone: '+4930901820' }), answer: { id: 7 } },
          { method: 'GET', path: '/v1/projects/7/messages', status: 404 },
        ],
        '7, which is a contactId',
      ],
    ],
    nothing: [
      [notes({ contactId: 7, text: 'x' })],
      [{ ...notes({ phone: '+4930901820', text: 'x' }), answer: { projectId: 9 } }, notes({ contactId: 9, text: 'x' })],
      [
        { ...notes({ contactId: 9, text: 'x' }), status: 404 },
        { ...notes({ phone: '+4930901820', text: 'x' }), answer: { projectId: 9 } },
      ],
    ],
  },
  {
    rule: 'addresses-contacts-by-their-id',
    holds: [[{ ...contacts({ phone: '+4930901820' }), answer: { id: 7 } }, ready]],
    fails: [
      [
        [{ ...contacts({ phone: '+49 30 901820' }), answer: { id: 7 } }, messages({ phone: '+4930901820', text: 'x' })],
        'contactId 7',
      ],
      [
        [
          { ...contacts({ phone: '+4930901820' }), answer: { id: 7 } },
          notes({ target: { phone: '+4930901820' }, text: 'x' }),
        ],
        'contactId 7',
      ],
    ],
    nothing: [
      [messages({ phone: '+4930901820', text: 'x' })],
      [{ ...contacts({ phone: '+4930901820' }), answer: { id: 7 } }, messages({ phone: '+4930901821', text: 'x' })],
      [{ ...contacts({ phone: '+4930901820' }), answer: { id: 7 } }, messages({ contactId: 8, text: 'x' })],
      [
        { ...contacts({ phone: '+4930901820' }), answer: { id: 7 }, ended: 'cut' },
        messages({ phone: '+4930901820', text: 'x' }),
      ],
    ],
  },
  {
    rule: 'one-subscription-for-one-address',
    holds: [
      [subscription(['appointment.created'])],
      [subscription(['appointment.created']), subscription(['appointment.cancelled'])],
      [subscription(['appointment.created']), subscription(['appointment.created'], 'https://b.example/')],
    ],
    fails: [
      [[subscription(['appointment.created']), subscription(['appointment.created', 'appointment.finished'])], 'again'],
    ],
    nothing: [
      [
        { ...subscription(['appointment.created']), ended: 'cut' },
        { ...subscription(['appointment.created']), status: 400 },
      ],
      // At every start, because it is not visible whether the client keeps the first.
      [subscription(['appointment.created']), { ...subscription(['appointment.created']), ...again }],
    ],
  },
  {
    rule: 'agent-secret-is-not-replaced-at-once',
    holds: [[secret(3)], [secret(3), secret(4)], [{ ...secret(3), ended: 'cut' }, secret(3)]],
    fails: [[[secret(3), secret(3)], 'another one, which ends the first']],
    nothing: [[{ ...secret(3), status: 404 }]],
  },
];
