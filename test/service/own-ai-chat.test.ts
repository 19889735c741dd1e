import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentRecord, ProjectRecord } from '../../service/workspace.ts';
import { limits, protocolRevision } from '../../specs/limits.ts';
import type { MessageReceived } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { credentials } from '../harness/settings-for-tests.ts';
import { httpEndpoint, type HttpAnswer, type HttpEndpoint } from './http-endpoint.ts';
import { openInbox, type OpenInbox } from './open-inbox.ts';
import { begin } from './open-service.ts';

let ai: HttpEndpoint<MessageReceived>;
let open: OpenInbox;
let agent: AgentRecord;

beforeEach(async () => {
  ai = await httpEndpoint<MessageReceived>('/chat?tenant=7');
  open = await openInbox({ agents: [{ chatUrl: ai.url, secret: credentials.agentSecret, timeoutSeconds: 2, skills }] });
  agent = [...open.inbox.workspace.agents.values()][0] as AgentRecord;
});
afterEach(async () => {
  // In every test, requests are valid and have a valid, fresh signature, and no log entry contains a secret.
  for (const { headers, body, json } of ai.requests) {
    expect(validate(isPing(json) ? 'ping' : 'messageReceived', json)).toEqual([]);
    const [, t, v1] = /^t=(\d{10}),v1=([0-9a-f]{64})$/.exec(headers['x-svc-signature'] ?? '') ?? [];
    const hmac = createHmac('sha256', credentials.agentSecret).update(`${t}.`).update(body);
    expect(v1).toBe(hmac.digest('hex'));
    expect(headers).toMatchObject({
      'x-svc-event': json.type,
      'x-svc-delivery-id': json.id,
      'x-svc-agent-protocol': protocolRevision,
    });
  }
  const { inbox } = open;
  const shown = [inbox.events.kept, agent.lastError, [...inbox.workspace.projects.values()]];
  expect(JSON.stringify(shown)).not.toContain(credentials.agentSecret);
  await open[Symbol.asyncDispose]();
  await ai[Symbol.asyncDispose]();
});

const skills = [
  { id: 1, key: 'sales', name: 'Sales', kind: 'forward' as const, announcement: null },
  { id: 2, key: 'urgent', name: 'Urgent', kind: 'alert' as const, announcement: null },
];
const isPing = ({ type }: { type: string }) => type === 'ping';
type Channel = 'whatsapp' | 'webchat' | 'telegram' | 'chat' | 'sms' | 'email';
const writes = (text: string, channel: Channel = 'whatsapp') =>
  open.inbox.customers.write(open.erika, { channel, text });
const answers = (answer: HttpAnswer) => ai.answerWith(() => answer);
const toCustomer = () => open.reported('to-customer').map(({ data }) => data.text);
const team = () => open.reported('to-team').map(({ data }) => data.kind);
const notes = (project: ProjectRecord) => project.notes.map(({ text }) => text);
const stateOf = (project: ProjectRecord) => open.inbox.conversations.autoReply(project).state;

describe('a chat event', () => {
  it('service/chat-event-per-message: on the three chat channels, and on no other', async () => {
    for (const channel of ['whatsapp', 'webchat', 'telegram', 'sms', 'email'] as const) await writes(channel, channel);
    expect(ai.requests.map(({ json }) => json.data.message.text)).toEqual(['whatsapp', 'webchat', 'telegram']);
    expect(new Set(ai.requests.map(({ json }) => json.id)).size).toBe(3);
  });

  it('service/chat-event-names-the-channel', async () => {
    for (const channel of ['whatsapp', 'webchat', 'telegram', 'chat'] as const) await writes('Hello?', channel);
    expect(ai.requests.map(({ json }) => json.data.channel)).toEqual(['whatsapp', 'webchat', 'telegram', 'chat']);
  });

  it('contains the data that the assistant needs', async () => {
    answers({ status: 200, body: { text: 'Yes?' } });
    const project = await writes('Hello?');
    await open.clock.move(90_000);
    await writes('Are you open?');
    expect(ai.requests.map(({ path }) => path)).toEqual(['/chat?tenant=7', '/chat?tenant=7']);
    expect(ai.requests[1]?.json).toEqual({
      id: expect.stringMatching(/^evt_/),
      type: 'message.received',
      createdAt: '2026-10-11T09:31:30',
      protocol: protocolRevision,
      workspaceId: open.inbox.workspace.id,
      agentId: agent.agentId,
      data: {
        projectId: project.id,
        channel: 'whatsapp',
        contact: { id: open.erika.id, name: 'Erika Mustermann', phone: '+4915228817386', email: 'erika@example.com' },
        message: { id: expect.any(Number), text: 'Are you open?', receivedAt: '2026-10-11T09:31:30' },
        history: [
          { role: 'customer', text: 'Hello?', at: '2026-10-11T09:30:00' },
          { role: 'agent', text: 'Yes?', at: '2026-10-11T09:30:00' },
        ],
        replyUrl: `${open.baseUrl}/v1/projects/${project.id}/agent-replies`,
        skills,
        autoReply: { state: 'on' },
      },
    });
  });

  it('has at most thirty turns of history, the latest', async () => {
    const project = await writes('first');
    for (let nth = 1; nth <= 40; nth++) open.inbox.conversations.addTurn(project, 'customer', `turn ${nth}`);
    await writes('last');
    const texts = ai.requests[1]?.json.data.history.map(({ text }) => text) ?? [];
    expect(texts.length).toBe(limits.historyTurns);
    expect([texts[0], texts.at(-1)]).toEqual(['turn 11', 'turn 40']);
  });

  it('service/signature-time-is-of-sending: the real one, however far the time of the service was moved', async () => {
    await open.clock.move(40 * 86_400_000);
    const from = Math.floor(Date.now() / 1000);
    await writes('Hello?');
    const [seen] = ai.requests;
    const t = Number(/^t=(\d+)/.exec(seen?.headers['x-svc-signature'] ?? '')?.[1]);
    expect(t).toBeGreaterThanOrEqual(from);
    expect(t).toBeLessThanOrEqual(Date.now() / 1000);
    expect(seen?.json.createdAt).toBe('2026-11-20T09:30:00');
  });

  it('service/chat-starts-without-a-greeting', async () => {
    const project = await writes('Hello?', 'webchat');
    expect(toCustomer()).toEqual([]);
    expect(project.turns.map(({ role }) => role)).toEqual(['customer']);
  });

  it.each([
    ['service/chat-without-address-goes-to-the-team', { chatUrl: '' }, 'no chat address'],
    ['service/chat-without-secret-goes-to-the-team', { secret: undefined }, 'no secret'],
  ])('%s', async (_, without, why) => {
    Object.assign(agent, without);
    await writes('Hello?');
    await writes('Anyone there?');
    expect(ai.requests).toEqual([]);
    expect(open.reported('to-team').map(({ data }) => data)).toEqual(
      Array(2).fill({ kind: 'push', text: expect.stringContaining(why) }),
    );
    expect(toCustomer()).toEqual([]);
  });

  it('is also sent while the team handles the conversation, with the state and without skills', async () => {
    const project = await writes('Hello?');
    open.inbox.conversations.mute(project);
    await writes('Are you there?');
    open.inbox.conversations.takeOver(project);
    await writes('Still there?');
    expect(ai.requests.map(({ json }) => [json.data.autoReply, json.data.skills.length])).toEqual([
      [{ state: 'on' }, 2],
      [{ state: 'paused', pausedUntil: '2026-10-11T10:00:00' }, 0],
      [{ state: 'off' }, 0],
    ]);
  });
});

describe('an answer', () => {
  it('service/chat-sends-the-text-of-a-200: at once; an empty one sends nothing', async () => {
    answers({ status: 200, body: { text: 'We open at nine.' } });
    await writes('When?');
    for (const body of [{ text: '' }, { text: null }, {}]) {
      answers({ status: 200, body });
      await writes('And?');
    }
    expect(toCustomer()).toEqual(['We open at nine.']);
    expect(team()).toEqual([]);
  });

  it('service/chat-none-keeps-the-ai: as do a missing action and null', async () => {
    for (const action of ['none', null, undefined]) {
      answers({ status: 200, body: { text: 'Yes.', action } });
      expect(stateOf(await writes('Hello?'))).toBe('on');
    }
    expect(toCustomer()).toEqual(['Yes.', 'Yes.', 'Yes.']);
  });

  it('service/chat-note-is-for-the-team', async () => {
    answers({ status: 200, body: { text: 'Noted.', note: 'Wants a refund.' } });
    expect(notes(await writes('I want my money back'))).toEqual(['Wants a refund.']);
    expect(toCustomer()).toEqual(['Noted.']);
    await writes('Hello?');
    expect(JSON.stringify(ai.requests[1]?.json)).not.toContain('refund');
  });

  it.each<[string, HttpAnswer, string | undefined]>([
    ['202', { status: 202 }, undefined],
    ['204', { status: 204 }, undefined],
    ['200 without a body', { status: 200 }, undefined],
    ['202 with a body, which is lost', { status: 202, body: { text: 'lost' } }, 'the body of a 202 is not read'],
    ['201', { status: 201, body: { text: 'lost' } }, 'status 201 is not one of 200, 202 and 204'],
  ])('%s lets the service wait for a reply', async (_, answer, ignored) => {
    answers(answer);
    const project = await writes('Hello?');
    expect([stateOf(project), notes(project), team(), toCustomer()]).toEqual(['on', [], [], []]);
    expect(open.reported('delivery')).toMatchObject([{ data: { result: 'later', ...(ignored && { ignored }) } }]);
    expect(agent).toMatchObject({ lastSuccessAt: begin, consecutiveFailures: 0 });
  });

  it('that cannot be delivered is not a failure of the AI', async () => {
    answers({ status: 200, body: { text: 'Hello!' } });
    open.erika.undeliverable = true;
    const project = await writes('Hello?', 'webchat');
    const outcome = await open.inbox.chat.deliver(project, {
      id: 5,
      text: 'Hello?',
      receivedAt: '2026-10-11T09:30:00',
    });
    expect(outcome).toMatchObject({ outcome: 'answered', result: { refused: 'not_deliverable' } });
    expect([stateOf(project), agent.consecutiveFailures]).toEqual(['off', 0]);
  });

  it('that comes when the assistant no longer has the conversation is dropped', async () => {
    const project = await writes('Hello?');
    ai.answerWith(() => {
      open.inbox.conversations.answerWith(project, null);
      return { status: 200, body: { text: 'Too late.', action: 'handover' } };
    });
    await writes('Again?');
    expect([toCustomer(), stateOf(project)]).toEqual([[], 'on']);
    expect(open.reported('delivery').at(-1)).toMatchObject({ data: { result: 'dropped' } });
  });
});

const tooLong = { text: 'a'.repeat(limits.ownAiTextCharacters + 1) };
const padded = (bytes: number) => JSON.stringify({ text: 'Yes.' }).padEnd(bytes, ' ');

describe('a failure', () => {
  it.each<[string, HttpAnswer, RegExp]>([
    ['a status outside 2xx', { status: 500, body: { text: 'Yes.' } }, /^status 500/],
    ['a redirect', { status: 307, headers: { location: '/chat' } }, /^status 307/],
    ['no answer in time', 'silence', /^no complete answer within 2 s$/],
    ['a connection that is cut', 'cut', /closed/],
    ['more than 64 KB', { status: 200, body: padded(limits.ownAiAnswerBytes + 1) }, /more than 65536 bytes/],
    ['an endless body, up to the bound', { status: 200, body: padded(1_000_000) }, /more than 65536 bytes/],
    ['text that is not JSON', { status: 200, body: 'Yes.' }, /^text that is not JSON/],
    ['a list', { status: 200, body: ['Yes.'] }, /expected object|expected an object/],
    ['an unknown action', { status: 200, body: { text: 'Yes.', action: 'transfer' } }, /\/action/],
    ['text of more than 4000 characters', { status: 200, body: tooLong }, /\/text/],
    ['a number as text', { status: 200, body: { text: 5 } }, /\/text/],
  ])('%s hands the conversation to the team', async (_, answer, reason) => {
    answers(answer);
    const project = await writes('Hello?');
    expect(agent.lastError).toMatch(reason);
    expect([stateOf(project), toCustomer(), notes(project).length]).toEqual(['off', [], 1]);
    expect(notes(project)[0]).toContain(agent.lastError);
    expect(ai.requests.length).toBe(1);
    expect(open.reported('delivery')).toMatchObject([{ data: { result: 'failed', reason: agent.lastError } }]);
  });

  it('service/chat-failure-goes-to-the-team: which is notified, and has the message', async () => {
    answers({ status: 503 });
    const project = await writes('Hello?');
    expect(team()).toEqual(['note', 'push']);
    expect(project.turns.map(({ text }) => text)).toEqual(['Hello?']);
    await writes('Are you there?');
    expect(ai.requests.map(({ json }) => json.data.autoReply.state)).toEqual(['on', 'off']);
  });

  it.each([
    ['note', { note: { reason: 'Wants a person.' } }],
    ['announcement', { announcement: 5 }],
    ['executeSkills', { executeSkills: 'urgent' }],
    ['executeSkills', { executeSkills: [{ key: 'urgent' }] }],
  ])('does not occur if %s has another type: the rest is carried out', async (_, field) => {
    answers({ status: 200, body: { text: 'Yes.', ...field } });
    const project = await writes('Hello?');
    expect([toCustomer(), stateOf(project), agent.consecutiveFailures]).toEqual([['Yes.'], 'on', 0]);
  });

  it('does not occur at the limits', async () => {
    const longest = '😀'.repeat(limits.ownAiTextCharacters);
    for (const body of [padded(limits.ownAiAnswerBytes), { text: longest }]) {
      answers({ status: 200, body });
      await writes('Hello?');
    }
    expect(toCustomer()).toEqual(['Yes.', longest]);
    expect(agent.consecutiveFailures).toBe(0);
  });

  it('does not occur because of a sixth skill, which is refused', async () => {
    answers({ status: 200, body: { text: 'Yes.', executeSkills: ['a', 'b', 'c', 'd', 'e', 'urgent'] } });
    const project = await writes('Hello?');
    expect(toCustomer()).toEqual(['Yes.']);
    expect(project.turns.at(-1)?.text).toContain('[urgent] (not-allowed)');
  });

  it('service/chat-failure-is-silent-while-the-team-has-it: no note is written', async () => {
    const project = await writes('Hello?');
    open.inbox.conversations.takeOver(project);
    answers({ status: 500 });
    await writes('Hello?');
    expect([notes(project), agent.consecutiveFailures]).toEqual([[], 1]);
  });

  it('service/chat-failure-while-the-team-has-it-notifies-nobody', async () => {
    const project = await writes('Hello?');
    ai.answerWith(() => {
      // The team takes over before the answer arrives.
      open.inbox.conversations.takeOver(project);
      return 'cut';
    });
    await writes('Hello?');
    expect(team()).toEqual([]);
  });

  it('service/chat-failure-shows-in-the-status: a success ends the count', async () => {
    const status = () => {
      const { lastSuccessAt, lastFailureAt, lastError, consecutiveFailures } = open.inbox.agents.wire(agent);
      return [lastSuccessAt, lastFailureAt, lastError, consecutiveFailures];
    };
    expect(status()).toEqual([null, null, null, 0]);
    answers({ status: 500 });
    await writes('Hello?');
    await open.clock.move(60_000);
    await writes('Hello?');
    const reason = 'status 500 instead of a 2xx';
    expect(status()).toEqual([null, '2026-10-11T09:31:00', reason, 2]);
    await open.clock.move(60_000);
    answers({ status: 204 });
    await writes('Hello?');
    expect(status()).toEqual(['2026-10-11T09:32:00', '2026-10-11T09:31:00', reason, 0]);
  });

  it('shows no repeated secret', async () => {
    answers({ status: 200, body: { action: credentials.agentSecret } });
    await writes('Hello?');
    expect(agent.lastError).toContain('[redacted: agent secret]');
  });
});

describe('a ping', () => {
  it('passes with any 2xx, and changes no status', async () => {
    for (const status of [200, 202, 204, 299]) {
      answers({ status });
      expect(await open.inbox.chat.ping(agent)).toMatchObject({ ok: true, statusCode: status, error: null });
    }
    expect(ai.requests.every(({ json }) => isPing(json) && !('data' in json))).toBe(true);
    answers({ status: 404 });
    expect(await open.inbox.chat.ping(agent)).toMatchObject({ ok: false, statusCode: 404, error: 'status 404' });
    answers('cut');
    expect(await open.inbox.chat.ping(agent)).toMatchObject({ ok: false, statusCode: null });
    expect(agent).toMatchObject({ lastSuccessAt: null, lastFailureAt: null, consecutiveFailures: 0 });
  });

  it('is not sent without an address', async () => {
    agent.chatUrl = '';
    expect(await open.inbox.chat.ping(agent)).toMatchObject({ ok: false, error: 'the own AI has no chat address' });
  });
});
