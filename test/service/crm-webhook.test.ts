import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Clock } from '../../service/clock.ts';
import { callbackRefusals } from '../../service/crm-callbacks.ts';
import { limits } from '../../specs/limits.ts';
import type { CrmEvent } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { credentials } from '../harness/settings-for-tests.ts';
import { httpEndpoint, type HttpEndpoint } from './http-endpoint.ts';
import { caller, openInbox, type OpenInbox } from './open-inbox.ts';
import { apiKey, begin, openService } from './open-service.ts';

let crm: HttpEndpoint<CrmEvent>;
let open: OpenInbox;

beforeEach(async () => {
  crm = await httpEndpoint<CrmEvent>('/crm?tenant=7');
  open = await openInbox({ crmWebhook: { url: crm.url, token: credentials.token } });
});
afterEach(async () => {
  // In every test, each request is a valid event with the token, and no log entry contains a secret.
  for (const { method, headers, json } of crm.requests) {
    expect([method, headers.authorization]).toEqual(['POST', `Bearer ${credentials.token}`]);
    expect(validate('crmEvent', json)).toEqual([]);
  }
  expect(JSON.stringify(open.inbox.events.kept)).not.toContain(credentials.token);
  await open[Symbol.asyncDispose]();
  await crm[Symbol.asyncDispose]();
});

const minuteMs = 60_000;

/** The integrator's answer, both parts flagged by default. */
const answerOf = (contactData: object, projectData: object = {}, flags: object = {}) => ({
  requestContactUpdate: true,
  contactData,
  requestProjectUpdate: true,
  projectData,
  ...flags,
});
const post = async (url: string, body: object | string, headers: Record<string, string> = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, { method: 'POST', body: text, headers });
  return { status: response.status, text: await response.text() };
};
const manual = () => {
  const { inbox, erika } = open;
  return inbox.crmWebhook.send('Manual', { contact: erika, project: inbox.conversations.current(erika) });
};
const lastCallbackUrl = () => String(crm.requests.at(-1)?.json.callbackUrl);
const typesOf = () => crm.requests.map(({ json }) => json.eventType);

describe('an event to the CRM', () => {
  it('service/crm-lookup-when-a-call-comes-in: with the contact and the conversation of the call', async () => {
    const call = await open.inbox.phone.call({ from: '+49 152 288-17386' });
    expect(crm.requests.map(({ json }) => json)).toMatchObject([
      {
        eventType: 'IncomingCallLookup',
        timestampUtc: '2026-10-11T09:30:00',
        contactData: { svcContactId: open.erika.id, phoneNumber: caller, firstName: 'Erika' },
        projectData: { svcProjectId: call.project.id },
        appointmentData: null,
      },
    ]);
    expect(Object.keys(crm.requests[0]?.json ?? {})).toEqual([
      'eventType',
      'timestampUtc',
      'callbackUrl',
      'contactData',
      'projectData',
      'appointmentData',
    ]);
    await call.hangUp();
  });

  it('service/crm-tells-a-new-conversation: once, and not again with its second message', async () => {
    const { inbox, erika } = open;
    await inbox.customers.write(erika, { channel: 'webchat', text: 'Hello?' });
    await inbox.customers.write(erika, { channel: 'webchat', text: 'Is anyone there?' });
    expect(typesOf()).toEqual(['NewConversation']);
    expect(crm.requests[0]?.json.projectData.inquirySummary).toBe('Hello?');
  });

  it('service/crm-tells-a-finished-call: about a minute after the caller hung up', async () => {
    const call = await open.inbox.phone.call({ from: caller });
    await open.clock.move(10_000);
    await call.hangUp();
    await open.clock.move(limits.crmFinishedCallDelayMs - 10_000);
    expect(typesOf()).toEqual(['IncomingCallLookup']);
    await open.clock.move(10_000);
    expect(typesOf()).toEqual(['IncomingCallLookup', 'FinishedCall']);
    expect(crm.requests[1]?.json).toMatchObject({
      timestampUtc: '2026-10-11T09:31:10',
      projectData: { svcProjectId: call.project.id },
    });
  });

  it('service/crm-summary-is-of-the-whole-project: the later event summarises the later turns as well', async () => {
    const { inbox, erika } = open;
    await manual();
    await inbox.customers.write(erika, { channel: 'webchat', text: 'My bicycle squeaks.' });
    await manual();
    await inbox.customers.write(erika, { channel: 'webchat', text: 'It is the brakes.' });
    await manual();
    const summaries = crm.requests.flatMap(({ json }) =>
      json.eventType === 'Manual' ? [json.projectData.currentSummary] : [],
    );
    expect(summaries).toEqual([
      null,
      expect.stringContaining('My bicycle squeaks.'),
      expect.stringMatching(/My bicycle squeaks\.[\s\S]*It is the brakes\./),
    ]);
  });

  it('service/crm-tells-a-paused-conversation', async () => {
    const project = open.inbox.conversations.current(open.erika);
    await open.inbox.crmWebhook.conversationPaused(project);
    expect(crm.requests).toMatchObject([
      { json: { eventType: 'ConversationPaused', projectData: { svcProjectId: project.id } } },
    ]);
  });

  it('service/crm-can-be-sent-by-hand', async () => {
    expect(await manual()).toEqual({ outcome: 'nothing-to-add', tries: 1 });
    expect(typesOf()).toEqual(['Manual']);
  });

  it('service/crm-tells-a-submitted-form', async () => {
    const { inbox, erika } = open;
    const project = inbox.conversations.current(erika);
    await inbox.crmWebhook.send('FormSubmitted', { contact: erika, project });
    expect(crm.requests).toMatchObject([{ json: { eventType: 'FormSubmitted', appointmentData: null } }]);
  });

  it('service/crm-events-go-to-one-address: all of an inbox, query and all, each with its own callbackUrl', async () => {
    const { inbox, erika } = open;
    await inbox.customers.write(erika, { channel: 'webchat', text: 'Hello?' });
    await inbox.crmWebhook.conversationPaused(inbox.conversations.current(erika));
    await manual();
    expect(crm.requests.map(({ path }) => path)).toEqual(Array(3).fill('/crm?tenant=7'));
    const addresses = crm.requests.map(({ json }) => json.callbackUrl);
    expect(new Set(addresses).size).toBe(3);
    for (const address of addresses) expect(address.startsWith(`${open.baseUrl}/callbacks/`)).toBe(true);
    const address = crm.url.replace('?tenant=7', '');
    expect(open.reported('delivery').map(({ data }) => data.url)).toEqual(Array(3).fill(address));
    // A query may contain a secret.
    expect(JSON.stringify(open.reported('delivery'))).not.toContain('tenant');
  });

  it('nothing is sent without a CRM webhook', async () => {
    open.inbox.workspace.crmWebhook = undefined;
    expect(await manual()).toEqual({ outcome: 'not-configured' });
    expect(open.reported('delivery')).toEqual([]);
  });
});

describe('an answer of the CRM', () => {
  it('service/crm-applies-only-flagged-parts: of an answer and of a callback', async () => {
    const flags = { requestProjectUpdate: false };
    crm.answerWith(() => ({ status: 200, body: answerOf({ firstName: 'Rika' }, { crmProjectId: 'P-1' }, flags) }));
    expect(await manual()).toEqual({ outcome: 'applied', contact: true, project: false, tries: 1 });
    const project = open.inbox.conversations.current(open.erika);
    expect(open.inbox.contacts.contactData(open.erika)).toMatchObject({ firstName: 'Rika', lastName: 'Mustermann' });
    expect(open.inbox.conversations.projectData(project).crmProjectId).toBeNull();
    crm.answerWith(() => ({ status: 202 }));
    await manual();
    const body = {
      contactData: { firstName: 'Nobody' },
      requestProjectUpdate: true,
      projectData: { crmProjectId: 'P-2' },
    };
    expect(await post(lastCallbackUrl(), body)).toEqual({ status: 200, text: '' });
    expect(open.inbox.contacts.contactData(open.erika).firstName).toBe('Rika');
    expect(open.inbox.conversations.projectData(project).crmProjectId).toBe('P-2');
  });

  it('service/crm-204-changes-nothing: and a callback after it is refused', async () => {
    const before = open.inbox.contacts.contactData(open.erika);
    await manual();
    const { status, text } = await post(lastCallbackUrl(), answerOf({ firstName: 'Late' }));
    expect([status, JSON.parse(text)]).toEqual([404, expect.objectContaining({ title: 'not_found', status: 404 })]);
    expect(open.inbox.contacts.contactData(open.erika)).toEqual(before);
    expect(open.reported('callback')).toMatchObject([{ data: { eventType: 'Manual', taken: false } }]);
  });

  it.each([
    ['an unknown status', { status: 201, body: answerOf({ firstName: 'X' }) }, 'failed'],
    ['text that is not JSON', { status: 200, body: '<html>' }, 'invalid'],
    ['an empty body', { status: 200 }, 'invalid'],
    ['a list', { status: 200, body: [] }, 'invalid'],
    [
      'an invalid flag',
      { status: 200, body: answerOf({ firstName: 'X' }, {}, { requestContactUpdate: 'yes' }) },
      'invalid',
    ],
    ['a flagged part that is missing', { status: 200, body: { requestContactUpdate: true } }, 'invalid'],
    ['an id that is a number', { status: 200, body: answerOf({ firstName: 'X', crmContactId: 5 }) }, 'invalid'],
    ['one part that is wrong', { status: 200, body: answerOf({ firstName: 'X' }, { crmProjectId: 7 }) }, 'invalid'],
  ])('changes nothing with %s', async (_, answer, outcome) => {
    const before = open.inbox.contacts.contactData(open.erika);
    crm.answerWith(() => answer);
    expect((await manual()).outcome).toBe(outcome);
    expect(open.inbox.contacts.contactData(open.erika)).toEqual(before);
    expect(open.reported('crm-data')).toEqual([]);
    expect(open.reported('delivery').at(-1)).toMatchObject({ data: { result: outcome, reason: expect.any(String) } });
  });

  it('service/crm-ids-are-texts: in events, and a number is not taken from an answer', async () => {
    crm.answerWith(() => ({ status: 200, body: answerOf({ crmContactId: '0017' }, { crmProjectId: '42' }) }));
    await manual();
    crm.answerWith(() => ({ status: 200, body: answerOf({ crmContactId: 17 }) }));
    expect(await manual()).toMatchObject({
      outcome: 'invalid',
      reason: expect.stringContaining('/contactData/crmContactId'),
    });
    crm.answerWith(() => ({ status: 204 }));
    await manual();
    expect(crm.requests.at(-1)?.json).toMatchObject({
      contactData: { crmContactId: '0017' },
      projectData: { crmProjectId: '42' },
    });
  });

  it('service/crm-contact-id-stays', async () => {
    const { id } = open.erika;
    crm.answerWith(() => ({
      status: 200,
      body: answerOf({ svcContactId: 1, lastName: 'Muster' }, { svcProjectId: 2 }),
    }));
    await manual();
    await manual();
    expect(crm.requests[1]?.json).toMatchObject({
      contactData: { svcContactId: id, lastName: 'Muster' },
      projectData: { svcProjectId: open.inbox.conversations.current(open.erika).id },
    });
  });

  it('service/crm-ai-info-stays-within-5000: counted in characters; a longer one is not applied', async () => {
    const longest = '😀'.repeat(limits.crmAiInfoCharacters);
    crm.answerWith(() => ({ status: 200, body: answerOf({ crmAiInfo: longest }, { crmAiInfo: longest }) }));
    await manual();
    crm.answerWith(() => ({ status: 200, body: answerOf({ crmAiInfo: `${longest}!` }, { crmAiInfo: `${longest}!` }) }));
    expect((await manual()).outcome).toBe('invalid');
    expect(crm.requests[1]?.json).toMatchObject({
      contactData: { crmAiInfo: longest },
      projectData: { crmAiInfo: longest },
    });
    await manual();
    expect(crm.requests[2]?.json.contactData.crmAiInfo).toBe(longest);
  });

  it('service/crm-binds-the-case-number: with the answer to FinishedCall', async () => {
    crm.answerWith(({ json }) =>
      json.eventType === 'FinishedCall'
        ? { status: 200, body: { requestProjectUpdate: true, projectData: { crmProjectId: 'CASE/7' } } }
        : { status: 204 },
    );
    const call = await open.inbox.phone.call({ from: caller });
    await call.hangUp();
    await open.clock.move(limits.crmFinishedCallDelayMs);
    await open.inbox.crmWebhook.conversationPaused(call.project);
    expect(crm.requests.map(({ json }) => [json.eventType, json.projectData.crmProjectId])).toEqual([
      ['IncomingCallLookup', null],
      ['FinishedCall', null],
      ['ConversationPaused', 'CASE/7'],
    ]);
  });
});

describe('a lookup', () => {
  const known = { crmContactId: 'C-9', firstName: 'Nora', lastName: 'Neu', crmAiInfo: 'Prefers mornings.' };
  const greetings = () => open.reported('to-customer').filter(({ data }) => data.kind === 'greeting');

  it('service/crm-lookup-fills-the-contact: of an unknown caller, for all later events', async () => {
    crm.answerWith(() => ({ status: 200, body: answerOf(known) }));
    const call = await open.inbox.phone.call({ from: '+4915228899999' });
    await call.hangUp();
    await open.clock.move(limits.crmFinishedCallDelayMs);
    expect(crm.requests[1]?.json).toMatchObject({ eventType: 'FinishedCall', contactData: known });
  });

  it('service/crm-lookup-informs-the-greeting', async () => {
    crm.answerWith(() => ({ status: 200, body: answerOf(known) }));
    const call = await open.inbox.phone.call({ from: '+4915228899999' });
    expect(greetings()).toMatchObject([{ data: { text: expect.stringContaining('Nora Neu') } }]);
    await call.hangUp();
  });

  it('service/crm-lookup-waits-two-seconds: then the caller is greeted, and a later answer is still applied', async () => {
    let answerNow = () => {};
    const held = new Promise<void>((resolve) => (answerNow = resolve));
    crm.answerWith(async () => {
      await held;
      return { status: 200, body: answerOf(known) };
    });
    const from = performance.now();
    const call = await open.inbox.phone.call({ from: '+4915228899999' });
    const waited = performance.now() - from;
    expect(waited).toBeGreaterThanOrEqual(limits.crmLookupAnswerMs - 1);
    // Half of the second wait, because the machine may be busy.
    expect(waited).toBeLessThan(limits.crmLookupAnswerMs * 1.5);
    expect(greetings()).toMatchObject([{ data: { text: expect.not.stringContaining('Nora') } }]);
    answerNow();
    await open.inbox.phone.settled();
    expect(call.contact.firstName).toBe('Nora');
    await call.hangUp();
  });
});

describe('a repetition', () => {
  it('service/crm-repeats-once: the same event with the same callbackUrl, after an answer that failed or came too late', async () => {
    crm.answerWith((_, nth) => (nth === 1 ? { status: 500 } : { status: 204 }));
    expect(await manual()).toEqual({ outcome: 'nothing-to-add', tries: 2 });
    crm.answerWith((_, nth) => (nth === 3 ? 'cut' : { status: 302, headers: { location: crm.url } }));
    expect(await manual()).toEqual({
      outcome: 'failed',
      reason: 'status 302 instead of 200, 202 or 204',
      tries: 2,
    });
    crm.answerWith((_, nth) => (nth === 5 ? 'silence' : { status: 200, body: answerOf({ firstName: 'Slow' }) }));
    await open.inbox.customers.write(open.inbox.contacts.forPhone('+4915228812345'), {
      channel: 'whatsapp',
      text: 'Hello?',
    });
    expect(crm.requests.length).toBe(6);
    for (const at of [0, 2, 4]) {
      expect(crm.requests[at + 1]?.body.toString()).toBe(crm.requests[at]?.body.toString());
    }
    expect(new Set(crm.requests.map(({ json }) => json.callbackUrl)).size).toBe(3);
    const [, , , , slow] = open.reported('delivery');
    expect(slow?.data.reason).toBe('no complete answer within 2 s');
    expect(open.reported('delivery').map(({ data }) => [data.attempt, data.outcome, data.result])).toEqual([
      [1, 'answered', 'failed'],
      [2, 'answered', 'nothing-to-add'],
      [1, 'closed', 'failed'],
      [2, 'answered', 'failed'],
      [1, 'no-answer', 'failed'],
      [2, 'answered', 'applied'],
    ]);
  });

  it.each([200, 202, 204])('does not follow a %i', async (status) => {
    crm.answerWith(() => ({ status, ...(status === 200 && { body: {} }) }));
    await manual();
    expect(crm.requests.length).toBe(1);
  });

  it('is attempted at an unreachable address, without further effects', async () => {
    open.inbox.workspace.crmWebhook = { url: 'http://127.0.0.1:1/crm', token: credentials.token };
    expect(await manual()).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('ECONNREFUSED') });
    open.inbox.workspace.crmWebhook = { url: 'not an address', token: credentials.token };
    expect(await manual()).toMatchObject({ outcome: 'failed', tries: 2 });
  });
});

describe('a callback', () => {
  beforeEach(() => crm.answerWith(() => ({ status: 202 })));
  const nora = answerOf({ firstName: 'Nora' });

  it('service/crm-takes-a-callback-within-five-minutes: and refuses one that comes later', async () => {
    expect(await manual()).toEqual({ outcome: 'later', tries: 1 });
    await open.clock.move(5 * minuteMs - 1_000);
    expect(await post(lastCallbackUrl(), nora)).toEqual({ status: 200, text: '' });
    expect(open.erika.firstName).toBe('Nora');
    await manual();
    await open.clock.move(5 * minuteMs);
    expect((await post(lastCallbackUrl(), answerOf({ firstName: 'Late' }))).status).toBe(404);
    expect(open.erika.firstName).toBe('Nora');
    expect(open.reported('callback').map(({ data, at }) => [at, data.taken, data.reason])).toEqual([
      ['2026-10-11T09:34:59', true, undefined],
      ['2026-10-11T09:39:59', false, 'none came'],
      ['2026-10-11T09:39:59', false, 'A callback must arrive within 5 minutes of the 202.'],
    ]);
  });

  it('service/crm-takes-a-callback-once: without authentication; the second is reported and not applied', async () => {
    await manual();
    expect((await post(lastCallbackUrl(), nora)).status).toBe(200);
    expect((await post(lastCallbackUrl(), answerOf({ firstName: 'Twice' }))).status).toBe(404);
    expect(open.erika.firstName).toBe('Nora');
    expect(open.reported('callback')).toMatchObject([
      { text: 'callback to Manual: applied to contact and project', data: { taken: true, valid: true } },
      { data: { taken: false, reason: 'This event already had its callback; exactly one is accepted.' } },
    ]);
    // At the end of the five minutes, nothing more is reported.
    await open.clock.move(5 * minuteMs);
    expect(open.reported('callback').length).toBe(2);
  });

  it('that is invalid is refused, changes nothing, and counts as the only one', async () => {
    await manual();
    const { status, text } = await post(lastCallbackUrl(), answerOf({ firstName: 5 }));
    expect([status, JSON.parse(text).title]).toEqual([400, 'invalid_request']);
    expect((await post(lastCallbackUrl(), nora)).status).toBe(404);
    expect(open.erika.firstName).toBe('Erika');
    expect(open.reported('callback')[0]).toMatchObject({ data: { taken: true, valid: false } });
  });

  it('that arrives before the answer to the event is applied after it, unless that answer is final', async () => {
    crm.answerWith(async ({ json }) => {
      await post(json.callbackUrl, nora);
      await post(json.callbackUrl, answerOf({ firstName: 'Twice' }));
      return { status: 202 };
    });
    await manual();
    expect(open.erika.firstName).toBe('Nora');
    crm.answerWith(async ({ json }) => {
      await post(json.callbackUrl, answerOf({ firstName: 'Early' }));
      return { status: 204 };
    });
    await manual();
    expect(open.erika.firstName).toBe('Nora');
    expect(open.reported('callback').map(({ data }) => data.taken)).toEqual([false, true, false]);
  });

  it('is found by its whole address', async () => {
    await manual();
    const { origin, pathname, search } = new URL(lastCallbackUrl());
    const others = [pathname, `${pathname}${search}0`, `${pathname}?ticket=`, `/callbacks/other${search}`];
    for (const other of others) expect((await post(origin + other, nora)).status, other).toBe(404);
    expect(open.reported('callback')).toEqual([]);
    expect((await post(lastCallbackUrl(), nora)).status).toBe(200);
  });

  it('is accepted as well when every answer was too late', async () => {
    crm.answerWith(() => ({ status: 503 }));
    expect((await manual()).outcome).toBe('failed');
    expect((await post(lastCallbackUrl(), nora)).status).toBe(200);
    expect(open.erika.firstName).toBe('Nora');
  });
});

it('does not show a token that it repeats', async () => {
  const body = answerOf({ crmContactId: { echo: credentials.token } });
  crm.answerWith(() => ({ status: 200, body }));
  expect(await manual()).toMatchObject({ outcome: 'invalid', reason: expect.not.stringContaining(credentials.token) });
});

it('a refused callback gets the reason, for an address of any inbox', async () => {
  const url = 'https://crm.example/events';
  const token = credentials.token;
  await using two = await openService(
    {},
    { inboxes: [{ apiKeys: { [apiKey]: 'Tests' }, crmWebhook: { url, token } }, { crmWebhook: { url, token } }] },
  );
  for (const inbox of two.service.inboxes) {
    await inbox.crmWebhook.send('Manual', {
      contact: inbox.contacts.forPhone(caller),
      project: inbox.conversations.current(inbox.contacts.forPhone(caller)),
    });
    const { callbackUrl } = two.outbound.sent.at(-1)?.json;
    const refused = await post(callbackUrl, answerOf({}));
    expect([refused.status, JSON.parse(refused.text).detail]).toEqual([404, callbackRefusals.answered]);
  }
  expect((await post(`${two.service.baseUrl}/callbacks/nope?ticket=1`, '{}')).status).toBe(404);
});

describe('a service that has ended', () => {
  const crmWebhook = { url: 'https://crm.example/events', token: credentials.token };
  const refTimers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

  it('neither repeats failed deliveries nor sends tasks that become due on a running clock', async () => {
    const clock = new Clock(begin, () => begin);
    const ended = await openService(
      { crmWebhook, subscriptions: [{ url: 'https://a.example/hooks', secret: 'whk_of_an_ended_service' }] },
      { clock },
    );
    const { inbox, outbound } = ended;
    const held = Promise.withResolvers<void>();
    outbound.answer = async () => {
      await held.promise;
      return { status: 500 };
    };
    inbox.appointments.create({ phone: caller, start: '2026-10-20T10:00:00Z' });
    const contact = inbox.contacts.forPhone(caller);
    const sending = inbox.crmWebhook.send('Manual', { contact, project: inbox.conversations.current(contact) });
    await ended[Symbol.asyncDispose]();
    const before = outbound.sent.length;
    held.resolve();
    expect(await sending).toMatchObject({ outcome: 'failed', tries: 1 });
    await inbox.appointments.settled();
    let isRun = false;
    clock.schedule(begin + minuteMs, () => void (isRun = true));
    await clock.move(20 * 24 * 60 * minuteMs);
    await inbox.appointments.settled();
    expect({ isRun, sent: outbound.sent.length }).toEqual({ isRun: true, sent: before });
    clock.stop();
  });

  it('does not keep the process alive while it waits for the CRM', async () => {
    await using waits = await openService({ crmWebhook });
    const { inbox, outbound } = waits;
    const held = Promise.withResolvers<void>();
    outbound.answer = async () => void (await held.promise);
    const before = refTimers();
    const call = inbox.phone.call({ from: caller });
    const written = inbox.customers.write(inbox.contacts.forPhone('+4915228890002'), {
      channel: 'webchat',
      text: 'Hello?',
    });
    expect(refTimers()).toBe(before);
    held.resolve();
    await written;
    await (await call).hangUp();
  });
});
