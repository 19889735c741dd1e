import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, describe, expect, test, vi } from 'vitest';

import { BackgroundWork } from '../../examples/integrator/background-work.ts';
import { SeenOnce } from '../../examples/integrator/seen-once.ts';
import { startIntegrator } from '../../examples/integrator/server.ts';
import type { IntegratorOptions } from '../../examples/integrator/integrator-options.ts';
import { isSigned } from '../../examples/integrator/signature.ts';

const CRM_TOKEN = 'token-for-the-crm';
const HOOK_SECRET = 'whsec_hooks';
const AGENT_SECRET = 'whsec_YWdlbnQ=';
const API_KEY = 'svc_sk_test';
const NOW_MS = Date.UTC(2026, 9, 11, 12);
const T = NOW_MS / 1000;

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(options: Partial<IntegratorOptions> = {}) {
  const log: string[] = [];
  const integrator = await startIntegrator({
    crmToken: CRM_TOKEN,
    hookSecret: HOOK_SECRET,
    agentSecret: AGENT_SECRET,
    apiKey: API_KEY,
    now: () => NOW_MS,
    log: (line) => log.push(line),
    ...options,
  });
  cleanUps.push(() => integrator.close());
  return { ...integrator, log };
}

interface Arrived {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

/** Plays the service: receives callbacks and agent replies, and answers with `status`, or never. */
async function startInbox(status: number | 'never' = 202) {
  const arrived: Arrived[] = [];
  const events = new EventEmitter();
  const server = createServer((incoming, response) => void take(incoming, response));
  const take = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
    arrived.push({
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    });
    if (status !== 'never') response.writeHead(status, { location: '/elsewhere' }).end('{}');
    events.emit('arrived');
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUps.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const until = async (count: number) => {
    while (arrived.length < count) await once(events, 'arrived', { signal: AbortSignal.timeout(4_000) });
    return arrived;
  };
  return { url, arrived, until };
}

const sign = (body: string | Uint8Array, secret: string, t: number | string = T) =>
  `t=${String(t)},v1=${createHmac('sha256', secret)
    .update(`${String(t)}.`)
    .update(body)
    .digest('hex')}`;

async function post(url: string, body: string, headers: Record<string, string>) {
  const response = await fetch(url, { method: 'POST', body, headers });
  const text = await response.text();
  return {
    status: response.status,
    text,
    body: text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>),
  };
}

const crmEvent = (eventType: unknown, callbackUrl: string, fields = {}) => ({
  eventType,
  timestampUtc: '2026-10-11T12:00:00Z',
  callbackUrl,
  contactData: { svcContactId: 7, phoneNumber: '+4930901820', crmContactId: null },
  projectData: { svcProjectId: 70, crmProjectId: null, projectName: 'Roof', currentSummary: 'Wants an offer.' },
  appointmentData: null,
  ...fields,
});

const postCrm = (url: string, event: unknown, authorization = `Bearer ${CRM_TOKEN}`) =>
  post(url, JSON.stringify(event), { authorization });

const hookEvent = (type: string, appointment = {}) =>
  JSON.stringify({
    id: 'hook-1',
    type,
    createdAt: '2026-10-11T12:00:00',
    workspaceId: 1,
    data: { id: 12, status: 'proposed', title: 'Visit', updatedAt: '2026-10-11T12:00:00', ...appointment },
  });

const postHook = (url: string, body: string, delivery: string, header = sign(body, HOOK_SECRET)) =>
  post(url, body, { 'x-svc-signature': header, 'x-svc-delivery-id': delivery });

const SALES = { id: 1, key: 'sales', name: 'Sales', kind: 'forward' };
const URGENT = { id: 2, key: 'urgent', name: 'Urgent', kind: 'alert' };

const chatEvent = (id: string, text: string, fields = {}) =>
  JSON.stringify({
    id,
    type: 'message.received',
    createdAt: '2026-10-11T12:00:00Z',
    protocol: '2026-10-11',
    workspaceId: 1,
    agentId: 2,
    data: {
      projectId: 70,
      channel: 'whatsapp',
      contact: { id: 7 },
      message: { id: 9, text, receivedAt: '2026-10-11T12:00:00Z' },
      history: [],
      replyUrl: 'http://127.0.0.1:9/unused',
      skills: [SALES, URGENT],
      autoReply: { state: 'on' },
      ...fields,
    },
  });

const postChat = (url: string, body: string, header = sign(body, AGENT_SECRET)) =>
  post(url, body, { 'x-svc-signature': header });

/** Polls GET /state until `ready` returns true; the journal is written just after a reply was answered. */
async function readState(url: string, ready: (state: State) => boolean = () => true): Promise<State> {
  for (;;) {
    const state = (await (await fetch(url)).json()) as State;
    if (ready(state)) return state;
  }
}

interface State {
  appointments: Record<string, unknown>[];
  cases: { svcProjectId: number; crmProjectId: string }[];
  notes: { crmProjectId: string; text: string }[];
  effects: { surface: string; delivery: string; did: string }[];
  replies: Record<string, unknown>[];
}

describe('signature', () => {
  const payload = Buffer.from([0x7b, 0x22, 0xc3, 0xa4, 0x22, 0x7d, 0x0a]);
  const holds = (header: string | string[] | undefined, nowMs = NOW_MS) =>
    isSigned({ header, payload, secret: AGENT_SECRET, nowMs });

  test('a fresh signature over the raw bytes with the secret as text is valid', () => {
    expect(holds(sign(payload, AGENT_SECRET))).toBe(true);
    // openssl dgst -sha256 -hmac whsec_YWdlbnQ= over "1791720000." and a call id, as the phone signs it
    const header = 't=1791720000,v1=c2d5fcde5326f5f9302d84e9c50c9148b6c3cdc76a6e0dbfb46a263a4af71eb9';
    expect(isSigned({ header, payload: 'call_1', secret: AGENT_SECRET, nowMs: 1_791_720_000_000 })).toBe(true);
  });

  test.each([-300, -299, 299, 300])('%i s off is accepted', (off) => {
    expect(holds(sign(payload, AGENT_SECRET, T + off))).toBe(true);
  });

  test.each([-301, 301, -86_400, 86_400])('%i s off is refused', (off) => {
    expect(holds(sign(payload, AGENT_SECRET, T + off))).toBe(false);
  });

  const good = sign(payload, AGENT_SECRET);
  const hex = good.slice(-64);
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['garbage', 'garbage'],
    ['two headers', [good, good]],
    ['two signatures in one', `${good}, ${good}`],
    ['only t', `t=${String(T)}`],
    ['only v1', `v1=${hex}`],
    ['an altered t', good.replace(`t=${String(T)}`, `t=${String(T + 1)}`)],
    ['a t that is not a number', `t=now,v1=${hex}`],
    ['a shortened v1', good.slice(0, -2)],
    ['a lengthened v1', `${good}00`],
    ['v1 that stops being hex', `${good.slice(0, -1)}g`],
    ['v1 that is not ASCII', `${good.slice(0, -1)}ä`],
    ['another secret', sign(payload, 'whsec_other')],
    ['the secret without its prefix', sign(payload, AGENT_SECRET.slice('whsec_'.length))],
    ['the body without t', `t=${String(T)},v1=${createHmac('sha256', AGENT_SECRET).update(payload).digest('hex')}`],
    ['another body', sign(payload.subarray(0, -1), AGENT_SECRET)],
  ])('%s is refused', (_, header) => {
    expect(holds(header)).toBe(false);
  });
});

describe('the memory of handled ids', () => {
  test('forgets by age and by number, and forgets failed ones', async () => {
    let now = 0;
    const seen = new SeenOnce<number>({ rememberMs: 100, maxEntries: 2, now: () => now });
    const first = (key: string) => seen.run(key, async () => 1).first;
    expect([first('a'), first('a')]).toEqual([true, false]);
    now = 100;
    expect(first('a')).toBe(true);
    expect([first('b'), first('c'), seen.size]).toEqual([true, true, 2]);
    expect([first('c'), first('a')]).toEqual([false, true]);
    await expect(seen.run('failing', () => Promise.reject(new Error('broken'))).outcome).rejects.toThrow('broken');
    expect(first('failing')).toBe(true);
  });
});

describe('CRM webhook', () => {
  test('answers a known caller with contact data and an unknown one with nothing', async () => {
    const { crmUrl } = await start();
    const known = await postCrm(crmUrl, crmEvent('IncomingCallLookup', 'http://127.0.0.1:9/cb-1'));
    expect(known).toMatchObject({ status: 200, body: { requestContactUpdate: true, requestProjectUpdate: false } });
    expect(known.body?.['contactData']).toMatchObject({ crmContactId: 'K-1001', firstName: 'Erika' });
    const stranger = crmEvent('NewConversation', 'http://127.0.0.1:9/cb-2', { contactData: { phoneNumber: '+1' } });
    expect(await postCrm(crmUrl, stranger)).toMatchObject({ status: 204, text: '' });
    const nobody = crmEvent('NewConversation', 'http://127.0.0.1:9/cb-3', { contactData: null });
    expect(await postCrm(crmUrl, nobody)).toMatchObject({ status: 204 });
  });

  test.each([
    [0, 200],
    [1, 200],
    [2, 200],
    [3, 200],
    [4, 204],
    [5, 204],
    [6, 204],
    [-1, 204],
    [0.5, 204],
    ['0', 204],
    ['Manual', 204],
    ['AppointmentCreated', 204],
    ['SomethingNew', 204],
    ['constructor', 204],
    [null, 204],
  ])('eventType %j is answered %i', async (eventType, status) => {
    const { crmUrl } = await start();
    expect(await postCrm(crmUrl, crmEvent(eventType, 'http://127.0.0.1:9/cb'))).toMatchObject({ status });
  });

  test('legacy numbers mean the same events', async () => {
    const { crmUrl } = await start();
    for (const [eventType, part] of [
      [0, 'contactData'],
      [1, 'projectData'],
      [2, 'contactData'],
      [3, 'projectData'],
    ] as const) {
      const { body } = await postCrm(crmUrl, crmEvent(eventType, `http://127.0.0.1:9/cb-${String(eventType)}`));
      expect(body).toHaveProperty(part);
    }
  });

  test.each([
    ['Bearer', 200],
    ['bearer', 200],
    ['BEARER', 200],
  ])('the scheme %s is fine', async (scheme, status) => {
    const { crmUrl } = await start();
    const event = crmEvent('IncomingCallLookup', 'http://127.0.0.1:9/cb');
    expect(await postCrm(crmUrl, event, `${scheme} ${CRM_TOKEN}`)).toMatchObject({ status });
  });

  test.each([
    '',
    'Bearer',
    CRM_TOKEN,
    `Basic ${CRM_TOKEN}`,
    `Bearer ${CRM_TOKEN.toUpperCase()}`,
    `Bearer ${CRM_TOKEN.slice(0, -1)}`,
    `Bearer x${CRM_TOKEN}`,
    `Bearer ${CRM_TOKEN} ${CRM_TOKEN}`,
    'Bearer \u00e4\u00ff',
  ])('Authorization "%s" is refused', async (authorization) => {
    const { crmUrl } = await start();
    expect(await postCrm(crmUrl, crmEvent('Manual', 'http://127.0.0.1:9/cb'), authorization)).toMatchObject({
      status: 401,
    });
  });

  test('files a call once, however often and however close together it is delivered', async () => {
    const { crmUrl, stateUrl } = await start();
    const event = crmEvent('FinishedCall', 'http://127.0.0.1:9/cb');
    const together = await Promise.all([postCrm(crmUrl, event), postCrm(crmUrl, event)]);
    const answers = [...together, await postCrm(crmUrl, event)];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 200, body: { projectData: { crmProjectId: 'C-5001' } } });
    }
    const state = await readState(stateUrl);
    expect(state.notes).toEqual([{ crmProjectId: 'C-5001', text: 'Wants an offer.' }]);
    expect(state.effects).toHaveLength(1);
    // The same conversation in a new event keeps its case.
    const again = await postCrm(crmUrl, crmEvent('ConversationPaused', 'http://127.0.0.1:9/other'));
    expect(again.body?.['projectData']).toEqual({ crmProjectId: 'C-5001' });
  });

  test('answering later: 202 each time, one callback, no token in it', async () => {
    const inbox = await startInbox(200);
    const integrator = await start({ answer: 'later' });
    const event = crmEvent('IncomingCallLookup', `${inbox.url}/cb/known`);
    const answers = await Promise.all([postCrm(integrator.crmUrl, event), postCrm(integrator.crmUrl, event)]);
    expect(answers).toMatchObject([
      { status: 202, text: '' },
      { status: 202, text: '' },
    ]);
    const stranger = { contactData: { phoneNumber: '+1' } };
    await postCrm(integrator.crmUrl, crmEvent('IncomingCallLookup', `${inbox.url}/cb/unknown`, stranger));
    await inbox.until(2);
    // Closing waits for pending replies, so all of them have arrived.
    await integrator.close();
    expect(inbox.arrived.map(({ path }) => path).sort()).toEqual(['/cb/known', '/cb/unknown']);
    for (const { path, headers, body } of inbox.arrived) {
      expect(headers.authorization).toBeUndefined();
      expect(headers['x-api-key']).toBeUndefined();
      expect(body).toMatchObject({ requestContactUpdate: path === '/cb/known', requestProjectUpdate: false });
    }
  });

  test('a failed callback is not repeated', async () => {
    const inbox = await startInbox(500);
    const integrator = await start({ answer: 'later' });
    await postCrm(integrator.crmUrl, crmEvent('FinishedCall', `${inbox.url}/cb`));
    await inbox.until(1);
    await integrator.close();
    expect(inbox.arrived).toHaveLength(1);
    expect(integrator.log).toEqual(['CRM callback: answered 500']);
  });
});

describe('API webhooks', () => {
  test('a cancelled appointment is noted once, by a request that can be repeated', async () => {
    const inbox = await startInbox(201);
    const { hooksUrl } = await start({ baseUrl: inbox.url });
    const body = hookEvent('appointment.cancelled', { projectId: 70 });
    await Promise.all([postHook(hooksUrl, body, 'd-1'), postHook(hooksUrl, body, 'd-1')]);
    await postHook(hooksUrl, hookEvent('appointment.created', { projectId: 70 }), 'd-2');
    await postHook(hooksUrl, body, 'd-3', sign(body, 'another secret'));
    await postHook(hooksUrl, body, 'd-4');
    expect(await inbox.until(2)).toMatchObject([
      { path: '/v1/notes', headers: { 'x-api-key': API_KEY, 'idempotency-key': 'd-1' }, body: { projectId: 70 } },
      { path: '/v1/notes', headers: { 'idempotency-key': 'd-4' } },
    ]);
    expect(inbox.arrived).toHaveLength(2);
  });

  test('a note that fails is logged, and the event counts as handled', async () => {
    const inbox = await startInbox(404);
    const { hooksUrl, log } = await start({ baseUrl: inbox.url });
    expect(await postHook(hooksUrl, hookEvent('appointment.cancelled', { projectId: 70 }), 'd-1')).toMatchObject({
      status: 200,
    });
    await vi.waitFor(() => expect(log).toEqual(['note for appointment 12: refused: POST /v1/notes was answered 404']));
  });

  test('keeps the newest state of an appointment, in whatever order events arrive', async () => {
    const { hooksUrl, stateUrl } = await start();
    const newer = hookEvent('appointment.confirmed', { status: 'confirmed', updatedAt: '2026-10-11T12:00:00.5' });
    const older = hookEvent('appointment.created', { updatedAt: '2026-10-11T14:00:00+02:00' });
    expect(await postHook(hooksUrl, newer, 'd-1')).toMatchObject({ status: 200 });
    expect(await postHook(hooksUrl, older, 'd-2')).toMatchObject({ status: 200 });
    expect((await readState(stateUrl)).appointments).toMatchObject([{ id: 12, status: 'confirmed' }]);
    const newest = hookEvent('appointment.cancelled', { status: 'cancelled', updatedAt: '2026-10-11T14:00:01+02:00' });
    await postHook(hooksUrl, newest, 'd-3');
    expect((await readState(stateUrl)).appointments).toMatchObject([{ id: 12, status: 'cancelled' }]);
  });

  test('a delivery that comes twice has one effect', async () => {
    const { hooksUrl, stateUrl } = await start();
    const body = hookEvent('appointment.created');
    await Promise.all([postHook(hooksUrl, body, 'd-1'), postHook(hooksUrl, body, 'd-1')]);
    expect(await postHook(hooksUrl, body, 'd-1')).toMatchObject({ status: 200 });
    const { effects } = await readState(stateUrl);
    expect(effects).toEqual([{ surface: 'api-webhooks', delivery: 'd-1', did: 'appointment.created 12: kept' }]);
  });

  test('an unknown event type is accepted and ignored', async () => {
    const { hooksUrl, stateUrl } = await start();
    expect(await postHook(hooksUrl, hookEvent('appointment.archived'), 'd-1')).toMatchObject({ status: 200 });
    expect(await readState(stateUrl)).toMatchObject({ appointments: [], effects: [] });
  });

  test('a bad signature is refused with 401 before the body is read', async () => {
    const { hooksUrl } = await start();
    const body = hookEvent('appointment.created');
    for (const header of [
      '',
      'garbage',
      't=,v1=',
      'v1=\u00e4',
      sign(body, 'other'),
      sign(body, HOOK_SECRET, T - 301),
    ]) {
      expect(await postHook(hooksUrl, body, 'd', header)).toMatchObject({ status: 401 });
    }
    expect(await post(hooksUrl, 'not json', {})).toMatchObject({ status: 401 });
  });

  test.each(['', 'not json', '[]', 'null', '"text"', '{"type":"appointment.created"}'])(
    'signed but unusable: %s is answered 400',
    async (body) => {
      const { hooksUrl } = await start();
      expect(await postHook(hooksUrl, body, 'd')).toMatchObject({ status: 400 });
    },
  );
});

describe('own-AI chat', () => {
  test('answers a ping, and unknown types', async () => {
    const { chatUrl } = await start();
    for (const type of ['ping', 'message.deleted']) {
      const event = JSON.stringify({ id: 'evt_1', type, createdAt: '2026-10-11T12:00:00Z', protocol: '2030-01-01' });
      expect(await postChat(chatUrl, event)).toMatchObject({ status: 204, text: '' });
    }
  });

  const sentences = [
    ['What can you do?', { action: 'none' }],
    ['I want to speak to a person', { action: 'handover' }],
    ['That is all, thank you', { action: 'end' }],
    ['This is urgent', { action: 'none', executeSkills: ['urgent'] }],
    ['Please put me through to sales', { action: 'none', executeSkills: ['sales'] }],
  ] as const;

  test.each(sentences)('"%s" is answered at once', async (text, expected) => {
    const { chatUrl } = await start();
    const answer = await postChat(chatUrl, chatEvent('evt_1', text));
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ text: expect.stringMatching(/./), ...expected });
  });

  test.each(sentences)('"%s" is answered later when so configured', async (text, expected) => {
    const inbox = await startInbox();
    const { chatUrl } = await start({ answer: 'later' });
    const replyUrl = `${inbox.url}/p/%7Bx%7D/agent-replies?a=1&a=2`;
    expect(await postChat(chatUrl, chatEvent('evt_1', text, { replyUrl }))).toMatchObject({ status: 202, text: '' });
    const [reply] = await inbox.until(1);
    expect(reply).toMatchObject({ path: new URL(replyUrl).pathname + new URL(replyUrl).search, body: expected });
    expect(reply?.headers['x-api-key']).toBe(API_KEY);
  });

  test('a skill that is not offered is not used', async () => {
    const { chatUrl } = await start();
    for (const text of ['This is urgent', 'Please put me through to sales']) {
      const { status, body } = await postChat(chatUrl, chatEvent(`evt_${text}`, text, { skills: [] }));
      expect(status).toBe(200);
      expect(body).not.toHaveProperty('executeSkills');
    }
  });

  test.each(['off', 'paused', 'something-new'])('is quiet while auto-reply is %s', async (state) => {
    const { chatUrl, stateUrl } = await start({ answer: 'later' });
    expect(await postChat(chatUrl, chatEvent('evt_1', 'Hello', { autoReply: { state } }))).toMatchObject({
      status: 204,
    });
    expect((await readState(stateUrl)).replies).toEqual([]);
  });

  test('two conversations with later replies do not get each other’s reply', async () => {
    const inbox = await startInbox();
    const { chatUrl } = await start({ answer: 'later' });
    const send = (name: string) =>
      postChat(chatUrl, chatEvent(`evt_${name}`, `It is ${name}`, { replyUrl: `${inbox.url}/${name}` }));
    await Promise.all([send('one'), send('two')]);
    for (const { path, body } of await inbox.until(2)) {
      expect(body).toMatchObject({ text: expect.stringContaining(`It is ${path.slice(1)}`) });
    }
  });

  test.each([
    [202, 'sent', 0],
    [409, 'dropped', 1],
    [404, 'failed', 1],
    [422, 'failed', 1],
    [307, 'failed', 1],
  ])('a later reply that is answered %i is %s and never sent again', async (status, outcome, logged) => {
    const inbox = await startInbox(status);
    const integrator = await start();
    const event = chatEvent('evt_1', 'Please check and come back to me', { replyUrl: `${inbox.url}/r` });
    expect(await postChat(integrator.chatUrl, event)).toMatchObject({ status: 202 });
    const { replies } = await readState(integrator.stateUrl, (state) => state.replies.length > 0);
    expect(replies).toMatchObject([{ delivery: 'evt_1', how: 'agent-reply', outcome, status }]);
    expect(await postChat(integrator.chatUrl, event)).toMatchObject({ status: 202 });
    await integrator.close();
    expect(inbox.arrived).toHaveLength(1);
    expect(integrator.log).toHaveLength(logged);
  });

  test('a reply that is never answered ends at its own time limit, and one without a usable address has no effect', async () => {
    const inbox = await startInbox('never');
    const { chatUrl, stateUrl, log } = await start({ postTimeoutMs: 50, answer: 'later' });
    await postChat(chatUrl, chatEvent('evt_1', 'Hello', { replyUrl: `${inbox.url}/r` }));
    await postChat(chatUrl, chatEvent('evt_2', 'Hello', { replyUrl: 'not an address' }));
    const { replies } = await readState(stateUrl, (state) => state.replies.length === 2);
    expect(replies.map(({ outcome, status }) => [outcome, status])).toEqual([
      ['failed', null],
      ['failed', null],
    ]);
    expect(log).toHaveLength(2);
  });

  test('long and astral text is echoed within the limits, never cut inside a character', async () => {
    const { chatUrl } = await start();
    const { body } = await postChat(chatUrl, chatEvent('evt_1', `a${'😀'.repeat(5_000)} I want to speak to a person`));
    const note = String(body?.['note']);
    expect(note.length).toBeLessThanOrEqual(500);
    expect(note.isWellFormed()).toBe(true);
  });

  test('a bad signature is refused, a signed event without its fields is answered 400', async () => {
    const { chatUrl } = await start();
    const body = chatEvent('evt_1', 'Hello');
    expect(await postChat(chatUrl, body, sign(body, AGENT_SECRET.slice(6)))).toMatchObject({ status: 401 });
    expect(await postChat(chatUrl, `${body} `, sign(body, AGENT_SECRET))).toMatchObject({ status: 401 });
    expect(await postChat(chatUrl, '{')).toMatchObject({ status: 400 });
    expect(await postChat(chatUrl, '{"type":"message.received"}')).toMatchObject({ status: 400 });
  });
});

describe('the server', () => {
  test('work after an answer starts when the answer is sent, also if its reader has disconnected', async () => {
    const background = new BackgroundWork(() => {});
    const started: string[] = [];
    const startedBeforeEnd: string[][] = [];
    const server = createServer((_, response) => {
      background.startAfter(response, async () => void started.push('answered'));
      startedBeforeEnd.push([...started]);
      response.end();
      response.once('close', () => {
        background.startAfter(response, async () => void started.push('gone'));
        server.close();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    await Promise.all([once(server, 'close'), fetch(url, { headers: { connection: 'close' } })]);
    await background.idle();
    expect({ startedBeforeEnd, started }).toEqual({ startedBeforeEnd: [[]], started: ['answered', 'gone'] });
  });

  test('wrong method 405, unknown path 404, body over the bound 413, and it continues', async () => {
    const { url, crmUrl, stateUrl } = await start({ maxBodyBytes: 100 });
    for (const path of ['/crm', '/hooks', '/chat']) {
      const response = await fetch(url + path);
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
    }
    expect((await fetch(stateUrl, { method: 'DELETE' })).status).toBe(405);
    expect((await fetch(`${url}/nothing`)).status).toBe(404);
    const authorization = `Bearer ${CRM_TOKEN}`;
    expect((await fetch(crmUrl, { method: 'POST', body: 'x'.repeat(101), headers: { authorization } })).status).toBe(
      413,
    );
    expect((await fetch(crmUrl, { method: 'POST', body: 'x'.repeat(100), headers: { authorization } })).status).toBe(
      400,
    );
  });

  test('a sender that disconnects in the middle of its body has no effect', async () => {
    const integrator = await start();
    const outgoing = request(integrator.hooksUrl, {
      method: 'POST',
      headers: { 'content-length': 100, expect: '100-continue' },
    });
    outgoing.on('error', () => {});
    outgoing.flushHeaders();
    await once(outgoing, 'continue');
    outgoing.destroy();
    expect(await readState(integrator.stateUrl)).toMatchObject({ effects: [] });
    await integrator.close();
    expect(integrator.log).toEqual([]);
  });
});

describe('as a program', () => {
  const program = fileURLToPath(new URL('../../examples/integrator/server.ts', import.meta.url));
  const environment = { CRM_TOKEN, HOOK_SECRET, AGENT_SECRET, SVC_API_KEY: API_KEY, PORT: '0' };

  async function run(env: Record<string, string>, whenStarted?: (url: string) => Promise<unknown>) {
    const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    let ready: Promise<unknown> | undefined;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const state = /state +(\S+)\n/.exec(output)?.[1];
      if (state !== undefined)
        ready ??= (whenStarted?.(state) ?? Promise.resolve()).finally(() => child.kill('SIGTERM'));
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    const [code] = (await once(child, 'close')) as [number | null];
    await ready;
    return { code, output, errors };
  }

  test('prints its addresses, answers, and ends with 0 on SIGTERM', async () => {
    let status = 0;
    const { code, output, errors } = await run(environment, async (url) => {
      status = (await fetch(url)).status;
    });
    expect({ status, code, errors }).toEqual({ status: 200, code: 0, errors: '' });
    for (const path of ['/crm', '/hooks', '/chat', '/voice', '/state']) expect(output).toContain(path);
  });

  test.each([
    ['CRM_TOKEN', undefined],
    ['HOOK_SECRET', ''],
    ['AGENT_SECRET', undefined],
    ['SVC_API_KEY', undefined],
    ['PORT', '70000'],
    ['ANSWER', 'soon'],
  ])('%s = %s: one sentence, exit code 2', async (name, value) => {
    const { [name]: _, ...others } = environment as Record<string, string>;
    const { code, errors, output } = await run(value === undefined ? others : { ...others, [name]: value });
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toMatch(new RegExp(`^${name} is not .*\\.\\n$`));
  });
});

test('the example configuration matches its schema', async () => {
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8'));
  const ajv = new Ajv2020({ formats: { date: true } });
  ajv.addSchema((await read('specs/schemas/skill.schema.json')) as object);
  const validate = ajv.compile((await read('specs/schemas/config.schema.json')) as object);
  validate(await read('examples/svc-conform.config.json'));
  expect(validate.errors).toBeNull();
});
