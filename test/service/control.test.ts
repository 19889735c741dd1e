import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startIntegrator, type Integrator } from '../../examples/integrator/server.ts';
import { HarnessOutbound, StandaloneTransport } from '../../harness/wire/harness-outbound.ts';
import { Clock } from '../../service/clock.ts';
import { ControlledService } from '../../service/controlled-service.ts';
import type { SeedOptions } from '../../service/seed.ts';
import type { ServiceEvent } from '../../service/service-events.ts';
import { stepNames } from '../../service/step.ts';
import { validate } from '../../specs/validators.ts';

const apiKey = 'svc_sk_of_the_control_tests';
const secrets = { webhookToken: 'token-of-the-control-tests', webhookSecret: 'whk_of-the-control-tests' };
const agentSecret = 'whsec_of-the-control-tests';
/** Milliseconds for closing on a busy machine; the pending waits would take minutes. */
const closesWithinMs = 5_000;
/** The number of the first contact in a seeded inbox, and an unknown number. */
const [erika, stranger] = ['+4915228817386', '+4915228890001'];

let integrator: Integrator;
let running: ControlledService;
let stop: () => Promise<void>;

beforeEach(async () => {
  integrator = await startIntegrator({
    crmToken: secrets.webhookToken,
    hookSecret: secrets.webhookSecret,
    agentSecret,
    apiKey,
    log: () => undefined,
  });
  const wire = new StandaloneTransport();
  const outbound = new HarnessOutbound(wire);
  const skills = [
    { id: 1, key: 'sales', name: 'Sales', kind: 'forward' as const, announcement: null },
    { id: 2, key: 'urgent', name: 'Urgent', kind: 'alert' as const, announcement: null },
  ];
  running = await ControlledService.open({
    outbound,
    secrets,
    inboxes: [{ apiKeys: { [apiKey]: 'Tests' }, agents: [{ secret: agentSecret, skills }] }],
  });
  stop = async () => {
    await outbound[Symbol.asyncDispose]();
    await running[Symbol.asyncDispose]();
    await wire[Symbol.asyncDispose]();
    await integrator.close();
  };
});
afterEach(async () => {
  const shown = [(await get('/state')).text, (await get('/events')).text].join('\n');
  for (const secret of [apiKey, agentSecret, ...Object.values(secrets)]) expect(shown).not.toContain(secret);
  await stop();
});

/** Untyped JSON: each test knows its shape. */
type Json = ReturnType<typeof JSON.parse>;

interface Answered {
  status: number;
  text: string;
  headers: Headers;
  json: Json;
}

async function request(url: string, init: RequestInit = {}): Promise<Answered> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, text, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) };
}

const get = async (path: string) => await request(running.controlUrl + path);
const post = async (step: string, body: unknown = {}) =>
  await request(`${running.controlUrl}/${step}`, { method: 'POST', body: JSON.stringify(body) });

/** Plays a step that must succeed. */
async function play(step: string, body: unknown = {}): Promise<Answered['json']> {
  const { status, json } = await post(step, body);
  expect({ step, status, json }).toMatchObject({ status: 200, json: { step } });
  return json;
}

const api = async (method: string, path: string, body?: unknown) =>
  await request(running.service.baseUrl + path, {
    method,
    headers: { 'X-Api-Key': apiKey, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Types and messages of the events that a step caused. */
const describeEvents = ({ events }: { events: ServiceEvent[] }, ...types: string[]) =>
  events.filter(({ type }) => types.length === 0 || types.includes(type)).map(({ type, text }) => `${type}: ${text}`);

const project = async (id: number) => (await get('/state')).json.projects.find((one: Json) => one.id === id);

const connectAll = async () =>
  await play('connect', {
    crmWebhook: integrator.crmUrl,
    apiWebhooks: integrator.hooksUrl,
    chat: integrator.chatUrl,
    phone: integrator.voiceUrl,
  });

describe('conversations', () => {
  it('a customer writes: the step ends when CRM and own AI have answered, and reports what happened', async () => {
    await connectAll();
    const { since, seq, projectId, contactId, events, ...rest } = await play('customer-writes', { text: 'Hello' });
    expect({ since, seq, rest }).toEqual({ since: 0, seq: undefined, rest: { step: 'customer-writes' } });
    expect(describeEvents({ events }, 'customer', 'delivery').map((text) => text.replaceAll(/http:\S+/g, '…'))).toEqual(
      [
        'customer: writes on whatsapp: Hello',
        expect.stringMatching(/^delivery: NewConversation to … 20/),
        expect.stringMatching(/^delivery: message.received to … 200, text “/),
      ],
    );
    const { turns, autoReply, channel } = await project(projectId);
    expect(turns.map(({ role }: { role: string }) => role)).toEqual(['customer', 'agent']);
    expect({ autoReply, channel }).toEqual({ autoReply: { state: 'on' }, channel: 'whatsapp' });
    expect((await get('/state')).json.contacts[0]).toMatchObject({ id: contactId, phone: erika });
    // The next one is about the same conversation, on another channel.
    expect(await play('customer-writes', { text: 'And now?', channel: 'telegram' })).toMatchObject({ projectId });
    expect((await project(projectId)).channel).toBe('telegram');
    expect((await api('POST', '/v1/contacts', { phone: stranger })).status).toBe(201);
    expect((await play('customer-writes', { text: 'Hi', from: stranger })).projectId).not.toBe(projectId);
  });

  it.each([
    ['customer-writes', { text: 'Hi' }],
    ['customer-calls', {}],
    ['customer-taps', {}],
    ['consent', { marketing: true }],
    ['customer-unreachable', {}],
    ['team-takes-over', {}],
    ['manual', {}],
  ])('%s from a number that no contact has is an error, and no contact is made', async (step, body) => {
    const before = (await get('/state')).json.contacts;
    expect((await post(step, { ...body, from: stranger })).json).toMatchObject({
      status: 404,
      title: 'not_found',
      detail: expect.stringContaining(`No contact has the phone number ${stranger}; known are ${erika}`),
    });
    expect((await get('/state')).json.contacts).toEqual(before);
  });

  it('concerns the same contact for every form of the number', async () => {
    const { contactId } = await play('consent', { marketing: true });
    const written = '+49 (0)152\u00a028817386';
    expect(await play('consent', { marketing: false, from: written })).toMatchObject({ contactId });
  });

  it('another assistant answers: replies and skills are answered 409 until the own AI has the project again', async () => {
    await play('connect', { chat: integrator.chatUrl });
    const { projectId } = await play('customer-writes', { text: 'Hello' });
    const reply = async () => await api('POST', `/v1/projects/${projectId}/agent-replies`, { text: 'Good morning.' });
    const skill = async () => await api('POST', `/v1/projects/${projectId}/skills/urgent`);
    expect((await reply()).status).toBe(202);
    await play('assistant-changes', { to: 'service', projectId });
    const gone = { status: 409, json: { title: 'project_not_with_agent' } };
    expect(await reply()).toMatchObject(gone);
    expect(await skill()).toMatchObject(gone);
    expect(describeEvents(await play('customer-writes', { text: 'And now?' }), 'delivery')).toEqual([]);
    await play('assistant-changes', { to: 'own-ai' });
    expect((await reply()).status).toBe(202);
    expect((await skill()).status).toBe(200);
  });

  it('the team replies, takes over, mutes, switches off and hands back', async () => {
    await play('connect', { chat: integrator.chatUrl });
    const { projectId } = await play('customer-writes', { text: 'Hello' });
    const states: unknown[] = [];
    for (const [step, body] of [
      ['team-takes-over', {}],
      ['hand-back', { projectId }],
      ['team-mutes', { minutes: 45 }],
      ['time-passes', { minutes: 46 }],
      ['team-switches-off', { from: erika }],
      ['hand-back', {}],
      ['team-replies', { text: 'I am here.', projectId }],
    ] as const) {
      await play(step, body);
      states.push((await project(projectId)).autoReply.state);
    }
    expect(states).toEqual(['off', 'on', 'paused', 'on', 'off', 'on', 'off']);
    expect((await project(projectId)).turns.at(-1)).toMatchObject({ role: 'team', text: 'I am here.' });
  });

  it('with a closed window a message waits until the customer taps the button', async () => {
    await play('connect', { chat: integrator.chatUrl });
    const { projectId } = await play('customer-writes', { text: 'Hello' });
    await play('time-passes', { hours: 24, minutes: 1 });
    await play('team-replies', { text: 'Are you there?' });
    expect((await project(projectId)).waiting).toMatchObject([{ text: 'Are you there?' }]);
    expect(describeEvents(await play('customer-taps'), 'to-customer')).toEqual([
      'to-customer: Are you there? (whatsapp, had waited)',
    ]);
    expect((await project(projectId)).waiting).toEqual([]);
  });

  it('nothing reaches an unreachable customer until that changes', async () => {
    const { projectId } = await play('customer-writes', { text: 'Hello' });
    const reply = async () => await api('POST', `/v1/projects/${projectId}/agent-replies`, { text: 'Hm' });
    await play('customer-unreachable');
    expect(await reply()).toMatchObject({ status: 422, json: { title: 'not_deliverable' } });
    await play('customer-unreachable', { unreachable: false });
    expect((await reply()).status).toBe(202);
  });

  it('a skill is refused for the configured reason, and runs again afterwards', async () => {
    const { projectId } = await play('customer-writes', { text: 'Hello' });
    const run = async () => (await api('POST', `/v1/projects/${projectId}/skills/urgent`, {})).json;
    const outcomes: unknown[] = [];
    for (const reason of ['outside-hours', 'no-recipient', 'pending-approval', null]) {
      await play('skill-refuses', { key: 'urgent', reason });
      outcomes.push(await run());
    }
    expect(outcomes).toEqual([
      { key: 'urgent', ok: false, reason: 'outside-hours' },
      { key: 'urgent', ok: false, reason: 'no-recipient' },
      { key: 'urgent', ok: true, reason: 'pending-approval' },
      { key: 'urgent', ok: true },
    ]);
  });

  it('the CRM gets events about a pause, a form, and events sent by hand', async () => {
    await play('connect', { crmWebhook: integrator.crmUrl });
    await play('customer-writes', { text: 'Hello' });
    for (const [step, eventType] of [
      ['conversation-pauses', 'ConversationPaused'],
      ['form-submitted', 'FormSubmitted'],
      ['manual', 'Manual'],
    ] as const) {
      const { events } = await play(step);
      expect(events.filter(({ type }: ServiceEvent) => type === 'delivery')).toMatchObject([{ data: { eventType } }]);
    }
    await play('connect', { crmWebhook: '' });
    expect(describeEvents(await play('manual'))).toEqual([]);
  });

  it('marketing depends on consent', async () => {
    const send = async () =>
      (await api('POST', '/v1/messages', { phone: stranger, text: 'An offer', purpose: 'marketing' })).status;
    expect(await send()).toBe(403);
    await api('POST', '/v1/contacts', { phone: stranger });
    await play('consent', { from: stranger, marketing: true });
    expect(await send()).toBe(202);
    await play('consent', { from: stranger, marketing: false });
    expect(await send()).toBe(403);
  });
});

describe('appointments', () => {
  const make = async (externalId: string) => {
    const start = new Date(Date.now() + 3 * 86_400_000).toISOString();
    const body = { phone: erika, start, durationMinutes: 30, title: 'Talk', kind: 'in_person', externalId };
    const { status, json } = await api('POST', '/v1/appointments', body);
    expect({ status, json }).toMatchObject({ status: 201 });
    return json.id as number;
  };
  const statuses = async () => (await get('/state')).json.appointments.map(({ status }: Json) => status);

  it('the customer declines one twice and accepts another, of which the subscription hears', async () => {
    await play('connect', { apiWebhooks: integrator.hooksUrl });
    const [first, second] = [await make('a-1'), await make('a-2')];
    await play('customer-declines', { appointmentId: first });
    expect(await statuses()).toEqual(['proposed', 'proposed']);
    const { events } = await play('customer-declines', { externalId: 'a-1' });
    expect(events.find(({ type }: ServiceEvent) => type === 'delivery')).toMatchObject({
      data: { eventType: 'appointment.cancelled', status: 200 },
    });
    expect(await play('customer-accepts')).toMatchObject({ appointmentId: second });
    expect(await statuses()).toEqual(['cancelled', 'confirmed']);
    const { events: later } = await play('time-passes', { days: 4 });
    const sent = later.filter(({ type }: ServiceEvent) => type === 'delivery').map(({ data }: Json) => data.eventType);
    expect(sent).toEqual(['appointment.reminder_sent', 'appointment.reminder_sent', 'appointment.finished']);
    expect((await post('customer-accepts')).json.detail).toBe(
      'There is no appointment with status proposed, which the customer could answer.',
    );
    expect((await post('customer-accepts', { externalId: 'a-9' })).status).toBe(404);
  });
});

describe('calls', () => {
  it('are held to their end: sentences, keys, interruptions, an unanswered takeover', async () => {
    await play('connect', { phone: integrator.voiceUrl, crmWebhook: integrator.crmUrl });
    await api('POST', '/v1/contacts', { phone: stranger });
    const { events, projectId } = await play('customer-calls', {
      from: stranger,
      language: 'en-US',
      say: [
        'When are you open?',
        { press: '1' },
        { interrupt: 'Tell me everything' },
        { 'team-picks-up': false },
        'Bye',
      ],
    });
    const frames = events
      .filter(({ type, data }: ServiceEvent) => type === 'call' && data['from'] === 'service')
      .map(({ data }: Json) => JSON.parse(data.frame));
    expect(frames.map(({ type }: { type: string }) => type)).toEqual([
      'session.started', 'prompt', 'dtmf', 'prompt', 'interrupt', 'session.ended',
      'session.started', 'prompt', 'session.ended',
    ]); // prettier-ignore
    expect(frames[0]).toMatchObject({ from: stranger, language: 'en-US' });
    expect(frames[6]).toMatchObject({ resumed: 'handover_failed' });
    expect(validate('sessionStarted', frames[6])).toEqual([]);
    const said = (await project(projectId)).turns.filter(({ role }: { role: string }) => role === 'customer');
    expect(said.map(({ text }: { text: string }) => text)).toEqual(['When are you open?', 'Tell me everything', 'Bye']);
    const { events: later } = await play('time-passes', { minutes: 2 });
    expect(describeEvents({ events: later }, 'delivery')).toEqual([expect.stringMatching(/^delivery: FinishedCall /)]);
  });

  it('are taken over by the team', async () => {
    await play('connect', { phone: integrator.voiceUrl });
    const { events, projectId } = await play('customer-calls', {
      say: ['Hello', { 'team-picks-up': true }, 'Who is it?'],
    });
    const prompts = events.filter(({ data }: Json) => data.frame?.includes('"prompt"'));
    expect(prompts).toHaveLength(1);
    expect((await project(projectId)).autoReply.state).toBe('off');
  });

  it('end with a message where the inbox has no assistant', async () => {
    await stop();
    await reopen({ agents: [] });
    const { projectId } = await play('customer-calls', { say: ['Please call me back.'] });
    expect((await project(projectId)).turns).toMatchObject([{ role: 'customer', text: 'Please call me back.' }]);
    expect(describeEvents((await get('/events')).json, 'to-team').at(-1)).toBe(
      'to-team: push: A caller has left a message: Please call me back.',
    );
  });
});

describe('time', () => {
  it('does not pass beyond the year 9999', async () => {
    await stop();
    await reopen({}, new Clock(Date.UTC(9999, 11, 1)));
    expect(await post('time-passes', { days: 31 })).toMatchObject({
      status: 409,
      json: { title: 'not_possible', detail: expect.stringMatching(/^expected a span that ends by the year 9999/) },
    });
    await play('time-passes', { days: 1 });
  });
});

describe('a secret that is repeated', () => {
  it('appears in no event and in no state, in any field and at any cut', async () => {
    const known = [apiKey, agentSecret, secrets.webhookToken, secrets.webhookSecret];
    await play('connect', { crmWebhook: integrator.crmUrl, apiWebhooks: integrator.hooksUrl });
    const { projectId } = await play('customer-writes', { text: `Is it ${known.join(' or ')}?` });
    for (const text of [...known, `${'x'.repeat(60)} ${apiKey}`]) {
      await play('team-replies', { text });
      await play('hand-back');
      await api('POST', '/v1/messages', { phone: erika, text });
      await api('POST', '/v1/notes', { phone: erika, title: text, text });
      await play('hand-back');
      await api('POST', `/v1/projects/${projectId}/skills/urgent`, { note: text });
      await api('POST', `/v1/projects/${projectId}/skills/${encodeURIComponent(text)}`, {});
      const at = { start: '2030-01-01T10:00:00Z', durationMinutes: 30, kind: 'in_person' };
      const appointment = { externalId: text, title: text, metadata: { [text]: text } };
      const made = await api('POST', '/v1/appointments', { phone: erika, ...at, ...appointment });
      expect({ status: made.status, json: made.json }).toMatchObject({ status: 201 });
    }
    const { turns, notes } = await project(projectId);
    expect(turns[0].text).toBe(
      'Is it [redacted: API key] or [redacted: agent secret] or [redacted: webhook token] or [redacted: webhook secret]?',
    );
    expect(notes[0]).toMatchObject({ title: '[redacted: API key]', text: '[redacted: API key]' });
    expect((await get('/state')).json.appointments[0]).toMatchObject({
      title: '[redacted: API key]',
      metadata: { '[redacted: API key]': '[redacted: API key]' },
    });
    const { events } = (await get('/events')).json;
    expect(describeEvents({ events }, 'to-customer')).toContain('to-customer: [redacted: API key] (whatsapp)');
    expect(events.some(({ data }: Json) => data.text === `${'x'.repeat(60)} [redacted: API key]`)).toBe(true);
    // The first half of the key is not shown either.
    expect(JSON.stringify(events)).not.toContain(apiKey.slice(0, -8));
  });
});

describe('trouble', () => {
  it('applies to the requested number of requests, and is reported', async () => {
    await play('api-trouble', { kind: 'unavailable', operation: 'addNote', times: 2, seconds: 0.5 });
    const note = async () => await api('POST', '/v1/notes', { phone: erika, text: 'x' });
    expect((await api('GET', '/v1/me')).status).toBe(200);
    const first = await note();
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await note()).status).toBe(503);
    expect((await note()).status).toBe(201);
    const { events } = (await get('/events')).json;
    expect(describeEvents({ events }, 'api-request').filter((text) => text.includes('ordered failure'))).toEqual([
      'api-request: addNote meets the ordered failure: answered 503, and not processed',
      'api-request: addNote meets the ordered failure: answered 503, and not processed',
    ]);
  });

  it('can be of every kind', async () => {
    await play('api-trouble', { kind: 'rate-limited' });
    const refused = await api('GET', '/v1/me');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    await play('api-trouble', { kind: 'slow', seconds: 0.3 });
    const from = performance.now();
    expect((await api('GET', '/v1/me')).status).toBe(200);
    expect(performance.now() - from).toBeGreaterThan(290);
    await play('api-trouble', { kind: 'cut' });
    const body = { phone: erika, text: 'cut off' };
    await expect(api('POST', '/v1/notes', body)).rejects.toThrow('fetch failed');
    // It was processed nevertheless.
    const { projects } = (await get('/state')).json;
    expect(projects.flatMap(({ notes }: Json) => notes).map(({ text }: Json) => text)).toContain('cut off');
  });
});

describe('waiting', () => {
  it('detects new events, and those since the given one', async () => {
    const coming = post('wait-for', {
      event: 'api-request',
      where: { operation: 'getMe', status: 200 },
      since: 0,
    });
    await api('GET', '/v1/senders');
    await api('GET', '/v1/me');
    expect((await coming).json.event).toMatchObject({ type: 'api-request', data: { path: '/v1/me' } });
    const { event } = await play('wait-for', { event: 'api-request', since: 0 });
    expect(event.data.path).toBe('/v1/senders');
    const { json } = await get(`/events?since=${event.seq}`);
    expect(json.events.map(({ seq }: ServiceEvent) => seq)).toEqual([event.seq + 1]);
    expect(json.seq).toBe(event.seq + 1);
    // Earlier events do not count.
    for (const body of [{ since: json.seq }, {}]) {
      expect((await post('wait-for', { event: 'api-request', withinSeconds: 0.05, ...body })).status).toBe(408);
    }
  });

  it('ends with the events that occurred instead', async () => {
    await api('GET', '/v1/me');
    const wait = { event: 'api-request', where: { operation: 'addNote' }, since: 0, withinSeconds: 0.05 };
    expect(await post('wait-for', wait)).toMatchObject({
      status: 408,
      json: {
        title: 'not_seen',
        detail:
          'expected an event api-request with {"operation":"addNote"} within 0.05 s, received others: GET /v1/me 200',
      },
    });
    expect((await post('wait-for', { event: 'call', withinSeconds: 0 })).json.detail).toMatch(/received none$/);
  });

  it('does not keep the process alive', () => {
    const refTimers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    const before = refTimers();
    const waiting = running.player.play({ name: 'wait-for', body: { event: 'call', withinSeconds: 200 } });
    // Prevents an unhandled rejection: the wait times out during another test of this process.
    waiting.catch(() => undefined);
    expect(refTimers()).toBe(before);
  });

  it('reports its condition briefly, however deep that is', async () => {
    // The maximum depth of an event below its body.
    const depth = 199;
    const where = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const body = `{"event":"call","withinSeconds":0.01,"where":${where}}`;
    expect(await request(`${running.controlUrl}/wait-for`, { method: 'POST', body })).toMatchObject({
      status: 408,
      json: {
        detail: expect.stringMatching(
          /^expected an event call with (\{"a":){9}.{0,100}… within 0\.01 s, received none$/,
        ) as string,
      },
    });
    let deeper: Record<string, unknown> = {};
    for (let level = 0; level < 100_000; level++) deeper = { a: deeper };
    const step = { name: 'wait-for', body: { event: 'call', withinSeconds: 0.01, where: deeper } } as const;
    await expect(running.player.play(step)).rejects.toThrow(
      'expected an event call with {…} within 0.01 s, received none',
    );
  });
});

describe('requests to the control API', () => {
  it('are answered with the steps there are, and need no media type or body', async () => {
    const { json } = await get('');
    expect(Object.keys(json.steps)).toEqual([...stepNames]);
    expect((await get('/')).json).toEqual(json);
    for (const init of [
      {},
      { body: '' },
      { body: '{}', headers: { 'content-type': 'text/plain' } },
      { body: 'null' },
    ]) {
      expect((await request(`${running.controlUrl}/hand-back`, { method: 'POST', ...init })).status).toBe(200);
    }
  });

  it('list what each step accepts', async () => {
    const { steps, stop: address } = (await get('')).json;
    expect(steps['customer-writes']).toMatchObject({
      does: expect.stringMatching(/\.$/),
      required: ['text'],
      fields: {
        from: { type: 'string', format: 'svc-phone', description: expect.stringMatching(/^In international form/) },
        text: { type: 'string', minLength: 1 },
        channel: { enum: expect.arrayContaining(['whatsapp', 'sms']), description: 'Default whatsapp.' },
      },
    });
    expect(steps['customer-calls'].fields.say.items.properties).toHaveProperty('press');
    expect(JSON.stringify(steps)).not.toContain('$ref');
    // No scenario has defined a condition for the end.
    expect(address).toBeUndefined();
    expect((await post('stop')).status).toBe(404);
  });

  it('may end the service, once they are answered', async () => {
    let stopped = () => {};
    const stops = new Promise<void>((resolve) => (stopped = resolve));
    const wire = new StandaloneTransport();
    const other = await ControlledService.open({ outbound: new HarnessOutbound(wire), secrets, onStop: stopped });
    const listed = await request(other.controlUrl);
    expect(listed.json.stop).toBe('POST /stop');
    expect((await request(`${other.controlUrl}/stop`)).headers.get('allow')).toBe('POST');
    expect(await request(`${other.controlUrl}/stop`, { method: 'POST' })).toMatchObject({ status: 200 });
    await stops;
    await other[Symbol.asyncDispose]();
    await wire[Symbol.asyncDispose]();
  });

  it.each([
    ['POST', '/customer-writes', '{"txt":"Hi"}', 400, 'invalid_step', 'customer-writes.text: expected a field text, received (missing); customer-writes.txt: expected only the fields from, text, channel, received the field txt'],
    ['POST', '/customer-writes', '{"text":', 400, 'invalid_step', /^The body is not JSON: /],
    ['POST', '/customer-writes', `{"text":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400, 'invalid_step', 'expected a step, received JSON nested more than 200 levels deep.'],
    ['POST', '/customer-writes', '"Hi"', 400, 'invalid_step', 'customer-writes: expected an object, received "Hi"'],
    ['POST', '/team-replies', '{"text":"Hi","projectId":99999}', 404, 'project_not_found', /./],
    ['POST', '/skill-refuses', '{"key":"nope","reason":null}', 404, 'not_found', 'The assistant has no skill nope; it has sales, urgent.'],
    ['POST', '/api-trouble', '{"kind":"cut","operation":"addNotes"}', 400, 'invalid_step', /^api-trouble\.operation: expected one of the operations getMe, .*, received "addNotes"\. Did you mean addNote\?$/],
    ['POST', '/assistant-changes', '{"to":"unknown"}', 400, 'invalid_step', 'assistant-changes.to: expected one of own-ai, service, received "unknown"'],
    ['POST', '/customer-writes/x', '{}', 404, 'not_found', /the control API has POST \/<step>/],
    ['POST', '/nope', '{}', 404, 'not_found', /^There is no step nope; there are connect, /],
    ['DELETE', '/nope', undefined, 404, 'not_found', /^There is no step nope; /],
    ['POST', '/custmer-writes', '{}', 404, 'not_found', /\. Did you mean customer-writes\b/],
    ['GET', '/hand-back', undefined, 405, 'method_not_allowed', 'Use POST here.'],
    ['POST', '/state', '{}', 405, 'method_not_allowed', 'Use GET here.'],
    ['DELETE', '/', undefined, 405, 'method_not_allowed', 'Use GET here.'],
    ['GET', '/events?since=yesterday', undefined, 400, 'invalid_query', 'since: expected a whole number, received "yesterday"'],
    ['GET', '/events?from=1', undefined, 400, 'invalid_query', 'expected only the parameter since, received from'],
    ['POST', '/hand-back', `{"from":"${'x'.repeat(1_100_000)}"}`, 413, 'payload_too_large', /^The body is larger/],
  ] as const)('%s %s is refused in words (%#)', async (method, path, body, status, title, detail) => {
    const answered = await request(running.controlUrl + path, { method, ...(body !== undefined && { body }) });
    expect(answered).toMatchObject({ status, json: { title, status } });
    expect(answered.headers.get('content-type')).toMatch(/^application\/problem\+json(;|$)/);
    expect(validate('problemDetails', answered.json)).toEqual([]);
    if (typeof detail === 'string') expect(answered.json.detail).toBe(detail);
    else expect(answered.json.detail).toMatch(detail);
    if (status === 405) expect(answered.headers.get('allow')).toBe(path === '/hand-back' ? 'POST' : 'GET');
  }); // prettier-ignore

  it('without its unguessable path do not reach it', async () => {
    expect(running.controlUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/control\/[0-9a-f]{32}$/);
    const { origin } = new URL(running.controlUrl);
    for (const path of [
      '/control',
      '/control/',
      `/control/${'0'.repeat(32)}/state`,
      '/state',
      `${running.controlUrl.slice(origin.length)}0/state`,
    ]) {
      expect((await request(origin + path, { headers: { 'X-Api-Key': apiKey } })).status, path).toBe(404);
    }
  });

  it('that never end do not keep the service alive', async () => {
    const { port } = new URL(running.controlUrl);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    const path = new URL(running.controlUrl).pathname;
    await new Promise<void>((resolve) => {
      socket.write(`POST ${path}/hand-back HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{`, () => resolve());
    });
    const waiting = post('wait-for', { event: 'call', withinSeconds: 200 }).catch(() => 'ended');
    await api('GET', '/v1/me');
    const from = performance.now();
    await running[Symbol.asyncDispose]();
    expect(performance.now() - from).toBeLessThan(closesWithinMs);
    expect(await waiting).toBe('ended');
    await stop();
    await reopen();
  });
});

/** Replaces the running service, which every test checks at its end. */
async function reopen(seed: SeedOptions = {}, clock = new Clock()): Promise<void> {
  const wire = new StandaloneTransport();
  const outbound = new HarnessOutbound(wire);
  running = await ControlledService.open({ outbound, secrets, inboxes: [seed], clock });
  stop = async () => {
    await running[Symbol.asyncDispose]();
    await wire[Symbol.asyncDispose]();
  };
}
