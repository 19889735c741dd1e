import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Inbox } from '../../harness/wire/inbox.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import { Session } from '../../harness/checks/session.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { limits } from '../../specs/limits.ts';
import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { toBeAccepted } from '../../suites/matchers/answer-matchers.ts';
import { configOf, credentials, settingsOf } from '../harness/settings-for-tests.ts';
import { headerOf, jsonOf, recordingEndpoint, type Recorded, type RecordingEndpoint } from './recording-endpoint.ts';

let endpoint: RecordingEndpoint;
let session: Session;
const openSession = (over: Partial<ResolvedConfig> = {}, settings = {}) =>
  Session.open(settingsOf(configOf(endpoint.addresses, over), settings));

beforeEach(async () => {
  endpoint = await recordingEndpoint();
  session = await openSession();
});
afterEach(async () => {
  await session[Symbol.asyncDispose]();
  await endpoint[Symbol.asyncDispose]();
});

function only(path: '/crm' | '/hooks' | '/chat'): Recorded {
  const [request, ...more] = endpoint.taken(path);
  expect(more).toEqual([]);
  if (!request) throw new Error(`expected a request to ${path}, received none`);
  return request;
}

const noZone = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?$/;
const say = (over = {}) =>
  session.chat.deliver(session.chat.open(session.sample.messageReceived(over)), { label: 'a message' });
const names = (request: Recorded) => request.headers.map(([name]) => name);

describe('a CRM event', () => {
  it('service/crm-event-is-a-post-with-bearer-token: as the inbox has it', async () => {
    await session.crm.deliver(session.sample.crmEvent('IncomingCallLookup'));
    const request = only('/crm');
    expect(request.method).toBe('POST');
    expect(request.headers).toContainEqual(['Authorization', `Bearer ${credentials.token}`]);
    expect(request.headers).toContainEqual(['Content-Type', 'application/json']);
    expect(headerOf(request, 'content-length')).toBe(String(request.body.length));
    expect(names(request).filter((name) => /svc/i.test(name))).toEqual([]);
  });

  it('service/crm-event-has-six-members: in the order of the interface', async () => {
    await session.crm.deliver(session.sample.crmEvent('FinishedCall'));
    expect(Object.keys(jsonOf(only('/crm')))).toEqual([
      'eventType',
      'timestampUtc',
      'callbackUrl',
      'contactData',
      'projectData',
      'appointmentData',
    ]);
    expect(validate('crmEvent', jsonOf(only('/crm')))).toEqual([]);
  });

  it('service/crm-events-carry-no-inbox-id', async () => {
    for (const type of ['IncomingCallLookup', 'AppointmentCreated'] as const)
      await session.crm.deliver(session.sample.crmEvent(type));
    for (const request of endpoint.taken('/crm'))
      expect(request.body.toString()).not.toMatch(/workspace|inbox|agentId/i);
  });

  it('service/crm-callback-address-is-of-one-event: new for each, the same for a repetition', async () => {
    const event = session.sample.crmEvent('Manual');
    const first = await session.crm.deliver(event);
    await session.crm.deliver(event);
    await session.crm.deliver(event, { callback: first.callback });
    const [one, two, again] = endpoint.taken('/crm');
    expect(jsonOf(one as Recorded).callbackUrl).not.toBe(jsonOf(two as Recorded).callbackUrl);
    expect(again?.body).toEqual(one?.body);
  });

  it('service/crm-callback-needs-no-authentication', async () => {
    const { callback } = await session.crm.deliver(session.sample.crmEvent('FormSubmitted'));
    const body = JSON.stringify({ requestContactUpdate: false, requestProjectUpdate: false });
    const response = await fetch(callback.url, { method: 'POST', body });
    expect(response.status).toBe(200);
    const [arrival] = callback.arrivals;
    expect(arrival?.request.headers.map(([name]) => name.toLowerCase())).not.toContain('authorization');
    expect(Buffer.from(arrival?.request.body ?? []).toString()).toBe(body);
  });
});

describe('a signed delivery', () => {
  it('service/signature-covers-the-raw-bytes: of exactly what went over the wire', async () => {
    const text = '{ "b" : 1.0, "a":"\\u00fc\\/", "ü": "😀"}\n';
    await session.hooks.post(session.hooks.sign({}, { text }), { label: 'odd bytes' });
    const request = only('/hooks');
    expect(request.body).toEqual(Buffer.from(text));
    const [, t = '', v1] = /^t=(\d{10}),v1=([0-9a-f]{64})$/.exec(headerOf(request, 'X-Svc-Signature') ?? '') ?? [];
    expect(v1).toBe(createHmac('sha256', credentials.hookSecret).update(`${t}.${text}`).digest('hex'));
    expect(names(request)).toContain('X-Svc-Signature');
  });

  it('service/signature-uses-the-secret-as-text: whsec_ and all', async () => {
    await say();
    const request = only('/chat');
    const [, t = '', v1] = /^t=(\d{10}),v1=([0-9a-f]{64})$/.exec(headerOf(request, 'X-Svc-Signature') ?? '') ?? [];
    const over = (key: string | Buffer) => createHmac('sha256', key).update(`${t}.`).update(request.body).digest('hex');
    const rest = credentials.agentSecret.slice('whsec_'.length);
    expect(v1).toBe(over(credentials.agentSecret));
    expect([over(rest), over(Buffer.from(rest, 'base64'))]).not.toContain(v1);
  });
});

describe('an API webhook', () => {
  const types: ApiWebhookEvent['type'][] = [
    'appointment.created',
    'appointment.confirmed',
    'appointment.rescheduled',
    'appointment.cancelled',
    'appointment.finished',
    'appointment.reminder_sent',
  ];

  it('service/api-webhook-envelope', async () => {
    for (const type of types)
      await session.hooks.post(session.hooks.sign(session.sample.apiWebhookEvent(type)), { label: type });
    const requests = endpoint.taken('/hooks');
    expect(requests.map((request) => jsonOf(request).type)).toEqual(types);
    for (const request of requests) {
      const event = jsonOf(request);
      expect(request.method).toBe('POST');
      expect(Object.keys(event)).toEqual(['id', 'type', 'createdAt', 'workspaceId', 'data']);
      expect(event.id).toEqual(expect.any(String));
      expect(event.createdAt).toMatch(noZone);
      expect(Number.isSafeInteger(event.workspaceId)).toBe(true);
      expect(validate('appointment', event.data)).toEqual([]);
    }
  });

  it('service/api-webhook-delivery-id-is-unique: new unless the same delivery comes again', async () => {
    const event = session.sample.apiWebhookEvent();
    const delivery = session.hooks.sign(event);
    await session.hooks.post(delivery, { label: 'one' });
    await session.hooks.post(delivery, { label: 'one again' });
    await session.hooks.post(session.hooks.sign(event), { label: 'another' });
    const [one, again, another] = endpoint.taken('/hooks').map((request) => headerOf(request, 'X-Svc-Delivery-Id'));
    expect(again).toBe(one);
    expect(another).not.toBe(one);
    expect(names(endpoint.taken('/hooks')[0] as Recorded)).toContain('X-Svc-Delivery-Id');
  });

  it('service/appointment-start-has-no-zone-suffix', async () => {
    await session.hooks.post(session.hooks.sign(session.sample.apiWebhookEvent()), { label: 'an appointment' });
    await session.crm.deliver(session.sample.crmEvent('AppointmentConfirmed'));
    for (const appointment of [jsonOf(only('/hooks')).data, jsonOf(only('/crm')).appointmentData] as Record<
      string,
      unknown
    >[]) {
      expect(appointment.start).toMatch(noZone);
      expect(appointment.startLocal).toMatch(noZone);
    }
  });
});

describe('a chat event', () => {
  it('service/chat-event-headers: POST of JSON with four extra headers', async () => {
    await say();
    const request = only('/chat');
    expect(request.method).toBe('POST');
    expect(headerOf(request, 'content-type')).toBe('application/json');
    expect(
      names(request)
        .filter((name) => name.startsWith('X-Svc-'))
        .sort(),
    ).toEqual(['X-Svc-Agent-Protocol', 'X-Svc-Delivery-Id', 'X-Svc-Event', 'X-Svc-Signature']);
    expect(names(request).map((name) => name.toLowerCase())).not.toContain('authorization');
  });

  it('service/chat-event-members', async () => {
    await say();
    const event = jsonOf(only('/chat'));
    expect(Object.keys(event)).toEqual(['id', 'type', 'createdAt', 'protocol', 'workspaceId', 'agentId', 'data']);
    expect(Object.keys(event.data as object)).toEqual([
      'projectId',
      'channel',
      'contact',
      'message',
      'history',
      'replyUrl',
      'skills',
      'autoReply',
    ]);
    expect(Object.keys((event.data as { message: object }).message)).toEqual(['id', 'text', 'receivedAt']);
    expect(validate('messageReceived', event)).toEqual([]);
  });

  it('service/ping-has-no-data: signed like the others', async () => {
    await session.chat.post(session.chat.sign(session.sample.ping()), { label: 'ping' });
    const request = only('/chat');
    expect(jsonOf(request)).not.toHaveProperty('data');
    expect(headerOf(request, 'X-Svc-Event')).toBe('ping');
    expect(validate('ping', jsonOf(request))).toEqual([]);
  });

  it('service/ping-passes-with-any-2xx', async () => {
    const ping = async (status: number) => {
      endpoint.answerWith({ status });
      return toBeAccepted(await session.chat.post(session.chat.sign(session.sample.ping()), { label: 'ping' }));
    };
    for (const status of [200, 201, 202, 204, 206, 226, 299])
      expect(await ping(status), String(status)).toBeUndefined();
    for (const status of [300, 304, 400, 404, 500, 503]) expect(await ping(status), String(status)).toBeDefined();
  });

  it('service/chat-history-is-the-last-30-turns: oldest first, without the new message', async () => {
    const history = session.sample.history(limits.historyTurns);
    await say({ history });
    const data = jsonOf(only('/chat')).data as {
      history: { at: string; text: string }[];
      message: { text: string; receivedAt: string };
    };
    expect(data.history).toHaveLength(30);
    const times = data.history.map(({ at }) => at);
    expect(times).toEqual(times.toSorted());
    expect((times.at(-1) ?? '') <= data.message.receivedAt).toBe(true);
    expect(data.history.map(({ text }) => text)).not.toContain(data.message.text);
  });

  it('service/chat-reply-address-is-absolute: of the project, and its own for each event', async () => {
    await say();
    await say();
    const all = endpoint
      .taken('/chat')
      .map((request) => jsonOf(request).data as { projectId: number; replyUrl: string });
    for (const { projectId, replyUrl } of all) {
      expect(URL.canParse(replyUrl)).toBe(true);
      expect(new URL(replyUrl).pathname.endsWith(`/v1/projects/${projectId}/agent-replies`)).toBe(true);
    }
    expect(new Set(all.map(({ replyUrl }) => replyUrl)).size).toBe(2);
  });

  it('service/chat-sends-nothing-without-a-secret', async () => {
    const chat = { url: endpoint.addresses.chat };
    expect(() => resolveConfig({ chat }, {}, 'the config')).toThrow(/secret/);
    expect(() => resolveConfig({ chat: { ...chat, secret: 'env:S' } }, { S: '' }, 'the config')).toThrow(/S is empty/);
    const { chat: _, ...without } = session.settings.config;
    await using bare = await Session.open(settingsOf(without));
    expect(() => bare.chat.open(bare.sample.messageReceived())).toThrow('chat is not configured');
    expect(endpoint.requests).toEqual([]);
  });

  it('service/chat-waits-timeout-seconds: ten by default, and from two to thirty', async () => {
    const chat = { url: endpoint.addresses.chat, secret: 'env:S' };
    const resolve = (over: object) =>
      resolveConfig({ chat: { ...chat, ...over } }, { S: 'whsec_x' }, 'the config').chat;
    expect(resolve({})?.timeoutSeconds).toBe(10);
    for (const timeoutSeconds of [2, 30]) {
      expect(resolve({ timeoutSeconds })?.timeoutSeconds).toBe(timeoutSeconds);
      await using one = await openSession({ chat: { url: chat.url, secret: 'whsec_x', timeoutSeconds } });
      expect(one.chat.timeoutMs).toBe(timeoutSeconds * 1000);
      expect(one.chat.timedAnswerMs).toBeGreaterThan(one.chat.timeoutMs);
    }
    for (const timeoutSeconds of [1, 31, 2.5]) expect(() => resolve({ timeoutSeconds })).toThrow('timeoutSeconds');
  });

  it('service/chat-has-one-attempt: whatever is answered, or nothing', async () => {
    for (const status of [200, 202, 400, 409, 500, 503]) {
      endpoint.answerWith({ status, body: 'not JSON' });
      const before = endpoint.requests.length;
      await say();
      expect(endpoint.requests.length - before, String(status)).toBe(1);
    }
    endpoint.answerWith(undefined);
    const before = endpoint.requests.length;
    const silence = await session.chat.deliver(session.chat.open(session.sample.messageReceived()), {
      label: 'silence',
      timeoutMs: 150,
    });
    expect(silence.answer.outcome).toBe('no-answer');
    expect(endpoint.requests.length - before).toBe(1);
  });
});

describe('agent-replies', () => {
  const reply = async (
    body: unknown,
    headers: Record<string, string> = { 'X-Api-Key': credentials.apiKey },
    answer: Parameters<typeof session.chat.open>[1] = {},
  ) => {
    const { replies } = session.chat.open(session.sample.messageReceived({ projectId: 815 }), answer);
    const response = await fetch(replies.url, { method: 'POST', headers, body: JSON.stringify(body) });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: (await response.json()) as Record<string, unknown>,
    };
  };

  it('service/chat-waits-for-a-later-reply: after 202, 204 and 200 without a body', async () => {
    for (const status of [202, 204, 200]) {
      endpoint.answerWith({ status });
      const { replies } = await say();
      const response = await fetch(replies.url, {
        method: 'POST',
        headers: { 'x-api-key': credentials.apiKey },
        body: '{"text":"Later."}',
      });
      expect(response.status, String(status)).toBe(202);
      expect(replies.arrivals).toHaveLength(1);
    }
  });

  it('service/reply-takes-the-key-in-either-header', async () => {
    expect((await reply({ text: 'Hi' }, { 'X-Api-Key': credentials.apiKey })).status).toBe(202);
    expect((await reply({ text: 'Hi' }, { Authorization: `Bearer ${credentials.apiKey}` })).status).toBe(202);
    expect((await reply({ text: 'Hi' }, { 'X-Api-Key': 'svc_sk_other' })).status).toBe(401);
    expect((await reply({ text: 'Hi' }, {})).status).toBe(401);
  });

  it('service/reply-is-answered-202', async () => {
    const { status, body } = await reply({ text: 'Hi' });
    expect(status).toBe(202);
    expect(validate('agentReplyResponse', body)).toEqual([]);
    expect(body).toEqual({
      projectId: 815,
      messageId: expect.any(Number) as number,
      status: 'sent',
      autoReply: { state: 'on' },
    });
  });

  it('service/reply-message-id-is-null-without-text', async () => {
    for (const body of [{ action: 'handover' }, { action: 'end', text: '' }])
      expect((await reply(body)).body.messageId).toBeNull();
  });

  it('service/reply-status-tells-what-happened', async () => {
    const statuses = [];
    for (const body of [{ text: 'Hi' }, { action: 'handover' }, {}]) statuses.push((await reply(body)).body.status);
    expect(statuses).toEqual(['sent', 'handed_over', 'noop']);
  });

  it('service/reply-invalid-is-400', async () => {
    for (const body of [{ action: 'hangup' }, { text: 'x'.repeat(4001) }]) {
      expect(await reply(body)).toMatchObject({ status: 400, body: { title: 'invalid_reply' } });
    }
    expect((await reply({ text: 'x'.repeat(4000) })).status).toBe(202);
  });

  it.each([
    ['service/reply-unknown-project-is-404', 404, 'project_not_found'],
    ['service/reply-not-with-agent-is-409', 409, 'project_not_with_agent'],
    ['service/reply-not-deliverable-is-422', 422, 'not_deliverable'],
  ] as const)('%s', async (_, refuse, title) => {
    expect(await reply({ text: 'Hi' }, undefined, { replies: { refuse } })).toMatchObject({
      status: refuse,
      body: { title },
    });
  });

  it('service/errors-are-problem-details: with the code in title', async () => {
    const problems = [
      await reply({ action: 'hangup' }),
      await reply({}, {}),
      ...(await Promise.all(
        ([404, 409, 422] as const).map((refuse) => reply({ text: 'Hi' }, undefined, { replies: { refuse } })),
      )),
    ];
    for (const { status, type, body } of problems) {
      expect(type).toBe('application/problem+json');
      expect(validate('problemDetails', body)).toEqual([]);
      expect(body).toMatchObject({ status, title: expect.stringMatching(/^[a-z_]+$/) as string });
    }
    const inbox: Inbox = session.inbox;
    const stray = await fetch(`${new URL(inbox.callbackBox('x', () => ({ status: 200 })).url).origin}/v1/me`);
    expect(validate('problemDetails', await stray.json())).toEqual([]);
  });
});
