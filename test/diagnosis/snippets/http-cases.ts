import { expect, it } from 'vitest';
import type { SnippetTopic } from '../../../diagnosis/cause.ts';
import { limits } from '../../../specs/limits.ts';
import { deliver, signature, wrongSignatures } from './deliver.ts';
import { apiKey, secret, token } from './keys.ts';
import type { OwnSystem } from './own-system.ts';
import type { Served } from './served-snippets.ts';

/** Topics of snippets that are called over HTTP. */
export const httpTopics: readonly SnippetTopic[] = [
  'verify-signature',
  'check-token',
  'answer-in-time',
  'call-back-once',
  'reply-later',
  'deduplicate',
  'accept-any-event',
  'answer-json',
];
/** Milliseconds after an answer in which a second callback would arrive. */
const quietMs = 300;

const chatEvent = (text: string, state = 'on') => ({
  id: 'evt_1',
  type: 'message.received',
  data: { projectId: 7, contact: { id: 1 }, message: { id: 2, text }, history: [], autoReply: { state } },
});
const lookup = (callbackUrl: string, more: object = {}) => ({
  eventType: 'IncomingCallLookup',
  timestampUtc: '2026-11-01T10:00:00',
  callbackUrl,
  contactData: { svcContactId: 4, phoneNumber: '+4930 901820', language: 'de', firstName: null },
  projectData: { svcProjectId: 12, crmProjectId: null, projectName: 'Call' },
  appointmentData: null,
  ...more,
});

/** Checks that the snippets of one framework do what their documentation says. */
export function httpCases(name: string, the: { served: Served }, system: OwnSystem): void {
  /** Unique, so that callbacks of other tests and files of other runs are not confused with those of this test. */
  const address = (of: string) => `${system.url}/back/${of}-${process.pid}-${name}?x=a%2Fb&y=%C3%A9`;
  const backTo = (url: string) => system.received.filter(({ path }) => url.endsWith(path));

  it('verify-signature accepts a signature over the received bytes', async () => {
    const url = `${the.served.url('verify-signature')}/chat`;
    for (const body of [
      JSON.stringify(chatEvent('hello')),
      JSON.stringify(chatEvent('Grüße, 😀 \u2028')),
      `${JSON.stringify(chatEvent('spaced'), undefined, 2)}\r\n`,
      '{"type":"\\u0070ing","z":1.0,"a":"\\/","id":"evt_2"}',
    ]) {
      for (const off of [0, -290, 290]) {
        const answer = await deliver(url, body, [['X-Svc-Signature', signature(secret, body, { off })]]);
        expect(answer.status, `${body} ${off}`).toBe(204);
      }
    }
  });

  it('verify-signature refuses everything else with 401', async () => {
    const url = `${the.served.url('verify-signature')}/chat`;
    const body = JSON.stringify(chatEvent('hello'));
    const statuses: Record<string, number> = {};
    for (const [what, headers] of Object.entries(wrongSignatures(secret, body))) {
      const { status } = await deliver(
        url,
        body,
        headers.map((header) => ['X-Svc-Signature', header]),
      );
      statuses[what] = status;
    }
    const empty = await deliver(url, '', [['X-Svc-Signature', signature(secret, body)]]);
    expect({ ...statuses, 'no body': empty.status }).toEqual(
      Object.fromEntries([...Object.keys(statuses), 'no body'].map((what) => [what, 401])),
    );
  });

  it('check-token accepts the token and refuses everything else with 401', async () => {
    const url = `${the.served.url('check-token')}/crm`;
    const body = JSON.stringify(lookup(address('token')));
    const status = async (value: string | undefined) =>
      (await deliver(url, body, value === undefined ? [] : [['Authorization', value]])).status;
    expect(await status(`Bearer ${token}`)).toBe(204);
    for (const wrong of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer undefined',
      `Bearer ${token}x`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer ${'x'.repeat(token.length)}`,
      `Basic ${token}`,
      token,
      `Bearer \u00e9${token}`,
    ]) {
      expect(await status(wrong), String(wrong)).toBe(401);
    }
  });

  it('answer-in-time answers a lookup that is quick', async () => {
    const contactData = { phoneNumber: `+4930 ${name}` };
    const event = lookup(address('quick'), { contactData });
    const { status, body, type } = await deliver(`${the.served.url('answer-in-time')}/crm`, JSON.stringify(event));
    expect(status).toBe(200);
    expect(type).toContain('application/json');
    expect(JSON.parse(body)).toEqual({
      requestContactUpdate: true,
      contactData: { crmContactId: 'K-77' },
      requestProjectUpdate: false,
    });
    const asked = system.received.map(({ path }) => path.replace('+', '%20'));
    expect(asked).toContain(`/customer-number?phone=%2B4930%20${name}`);
  });

  it('answer-in-time does not let a caller wait for a slow system', async () => {
    const url = address('held');
    const event = lookup(url, { contactData: { phoneNumber: `held-${name}` } });
    // The lookup finishes only after this answer.
    const { status } = await deliver(`${the.served.url('answer-in-time')}/crm`, JSON.stringify(event));
    system.release(`held-${name}`);
    // PHP has no process that could call back later, as its snippet explains.
    expect(status).toBe(name === 'PHP' ? 204 : 202);
    if (status !== 202) return;
    const back = await system.next(({ path }) => url.endsWith(path), 5000);
    expect(JSON.parse(back?.body ?? '')).toMatchObject({ contactData: { crmContactId: 'K-77' } });
    expect(back?.headers['content-type']).toContain('application/json');
    expect(back?.headers.authorization).toBeUndefined();
  });

  it('answer-in-time sends one callback for a repeated event, also if its system never answers', async () => {
    const url = address('endless');
    const body = JSON.stringify(lookup(url, { contactData: { phoneNumber: `held-endlessly-${name}` } }));
    const twice = [1, 2].map(() => deliver(`${the.served.url('answer-in-time')}/crm`, body));
    const statuses = (await Promise.all(twice)).map(({ status }) => status);
    // PHP repeats the lookup, which has no effect.
    expect(statuses).toEqual(name === 'PHP' ? [204, 204] : [202, 202]);
    if (name === 'PHP') return;
    const back = await system.next(({ path }) => url.endsWith(path), 10_000);
    expect(JSON.parse(back?.body ?? '')).toEqual({ requestContactUpdate: false, requestProjectUpdate: false });
    await deliver(`${the.served.url('answer-in-time')}/crm`, body);
    await new Promise((wake) => setTimeout(wake, quietMs));
    expect(backTo(url)).toHaveLength(1);
  });

  it('answer-in-time answers a repeated event like the first one', async () => {
    const body = JSON.stringify(lookup(address('again'), { contactData: { phoneNumber: `again-${name}` } }));
    const send = () => deliver(`${the.served.url('answer-in-time')}/crm`, body);
    const first = await send();
    const second = await send();
    expect(first.status).toBe(200);
    expect(JSON.parse(second.body)).toEqual(JSON.parse(first.body));
    const asked = system.received.filter(({ path }) => path.includes(`again-${name}`) && path.includes('customer'));
    expect(asked).toHaveLength(name === 'PHP' ? 2 : 1);
  });

  it('reply-later replies once, to exactly the received address, with the API key', async () => {
    const url = address('reply');
    const event = chatEvent('Grüße 😀');
    const message = JSON.stringify({ ...event, id: `evt_${name}`, data: { ...event.data, replyUrl: url } });
    const send = (body: string) => deliver(`${the.served.url('reply-later')}/chat`, body);
    const answers = await Promise.all([1, 2, 3].map(() => send(message)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const back = await system.next(({ path }) => url.endsWith(path), 5000);
    expect(JSON.parse(back?.body ?? '')).toEqual({ text: 'You wrote: Grüße 😀', action: 'none' });
    expect(back?.headers['content-type']).toContain('application/json');
    expect(back?.headers['x-api-key']).toBe(apiKey);
    for (const quiet of [chatEvent('x', 'off'), chatEvent('x', 'paused'), { id: 'evt_2', type: 'ping' }])
      expect((await send(JSON.stringify(quiet))).status).toBe(204);
    await new Promise((wake) => setTimeout(wake, quietMs));
    expect(backTo(url)).toHaveLength(1);
  });

  it('call-back-once binds no case if the event has no project', async () => {
    for (const [at, projectData] of [null, undefined, {}, { svcProjectId: null }].entries()) {
      const url = address(`no-project-${at}`);
      await deliver(`${the.served.url('call-back-once')}/crm`, JSON.stringify(lookup(url, { projectData })));
      const back = await system.next(({ path }) => url.endsWith(path), 5000);
      expect(JSON.parse(back?.body ?? '')).toEqual({ requestContactUpdate: false, requestProjectUpdate: false });
    }
  });

  it('call-back-once answers at once and calls back once, to exactly the received address', async () => {
    const url = address('once');
    const body = JSON.stringify(lookup(url));
    const answers = await Promise.all([1, 2, 3].map(() => deliver(`${the.served.url('call-back-once')}/crm`, body)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    const back = await system.next(({ path }) => url.endsWith(path), 5000);
    expect(JSON.parse(back?.body ?? '')).toEqual({
      requestContactUpdate: false,
      requestProjectUpdate: true,
      projectData: { crmProjectId: 'case-12' },
    });
    expect(back?.headers['content-type']).toContain('application/json');
    expect(back?.headers.authorization).toBeUndefined();
    await deliver(`${the.served.url('call-back-once')}/crm`, body);
    await new Promise((wake) => setTimeout(wake, quietMs));
    expect(backTo(url)).toHaveLength(1);
  });

  it('deduplicate gives a delivery one effect, and a failed one none', async () => {
    const url = `${the.served.url('deduplicate')}/hooks`;
    const send = async (id: string, title: string) => {
      const body = JSON.stringify({ id: 'x', type: 'appointment.created', data: { id: 5, title } });
      return (await deliver(url, body, [['X-Svc-Delivery-Id', `${name} ${process.pid} ${id}`]])).status;
    };
    const effects = (title: string) => system.received.filter(({ body }) => body.includes(title)).length;
    const same = `of ${name}`;
    const failing = `fails once: ${name}`;
    expect(await Promise.all([send('1', same), send('1', same), send('1', same)])).toEqual([200, 200, 200]);
    expect(await send('1', same)).toBe(200);
    expect(effects(same)).toBe(1);
    // The same body with another id is another delivery.
    expect(await send('2', same)).toBe(200);
    expect(effects(same)).toBe(2);
    expect(await send('3', failing)).toBe(500);
    expect(await send('3', failing)).toBe(200);
    expect(await send('3', failing)).toBe(200);
    expect(effects(failing)).toBe(2);
  });

  it('accept-any-event accepts both forms of eventType, and unknown, null or missing fields', async () => {
    const url = `${the.served.url('accept-any-event')}/crm`;
    const send = async (more: object) => {
      const { status, body } = await deliver(url, JSON.stringify(lookup(address('any'), more)));
      return status === 200 ? `200 ${JSON.parse(body).contactData.crmContactId}` : String(status);
    };
    const known = '200 customer-+4930 901820';
    expect(await send({})).toBe(known);
    expect(await send({ eventType: 0 })).toBe(known);
    expect(await send({ eventType: 2, added: { later: [1] } })).toBe(known);
    expect(await send({ eventType: 'NewConversation', timestampUtc: undefined })).toBe(known);
    for (const more of [
      { eventType: 'FinishedCall' },
      { eventType: 1 },
      { eventType: 99 },
      { eventType: -1 },
      { eventType: 'SomethingNew' },
      { eventType: '0' },
      { eventType: null },
      { eventType: {} },
      { eventType: undefined },
      { contactData: null },
      { contactData: undefined },
      { contactData: {} },
      { contactData: { phoneNumber: null } },
    ]) {
      expect(await send(more), JSON.stringify(more)).toBe('204');
    }
  });

  it('answer-json answers JSON within the limits, and stays quiet while the team handles the conversation', async () => {
    const url = `${the.served.url('answer-json')}/chat`;
    for (const text of ['"quoted"\n\u2028\\', '😀'.repeat(5000), 'é'.repeat(3989), 'x'.repeat(3990), '']) {
      const answer = await deliver(url, JSON.stringify(chatEvent(text)));
      expect(answer.status).toBe(200);
      expect(answer.type).toContain('application/json');
      expect(Buffer.byteLength(answer.body)).toBeLessThanOrEqual(limits.ownAiAnswerBytes);
      const parsed = JSON.parse(answer.body) as { text: string; action: string; note: string };
      const whole = [...`You wrote: ${text}`];
      expect(parsed.text).toBe(whole.slice(0, limits.ownAiTextCharacters).join(''));
      expect([...parsed.note].length).toBeLessThanOrEqual(limits.ownAiNoteCharacters);
      expect(parsed.action).toBe('none');
    }
    const wordless = { ...chatEvent('').data, message: null, added: [{ later: true }] };
    for (const data of [wordless, { ...wordless, message: {} }, { ...wordless, message: { text: null } }]) {
      const answer = await deliver(url, JSON.stringify({ ...chatEvent(''), data }));
      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.body)).toMatchObject({ text: 'You wrote: ', action: 'none' });
    }
    for (const event of [
      chatEvent('x', 'off'),
      chatEvent('x', 'paused'),
      { id: 'evt_2', type: 'ping' },
      { id: 'evt_3', type: 'message.received' },
      { id: 'evt_4', type: 'message.received', data: { ...chatEvent('x').data, autoReply: null } },
      { id: 'evt_5', type: 'a.later.type', data: { any: 1 } },
    ])
      expect((await deliver(url, JSON.stringify(event))).status).toBe(204);
  });
}
