import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SnippetTopic } from '../../../diagnosis/cause.ts';
import { limits } from '../../../specs/limits.ts';
import { deliver, signature, wrongSignatures } from './deliver.ts';
import { ownSystem } from './own-system.ts';
import { frameworks, type Served } from './served-snippets.ts';

const topics: SnippetTopic[] = [
  'verify-signature',
  'check-token',
  'answer-in-time',
  'call-back-once',
  'deduplicate',
  'take-any-event',
  'answer-json',
];
const secret = 'whsec_c2VjcmV0IG9mIGEgdGVzdA==';
const token = 'token-of-a-test';
/** Milliseconds after an answer in which a second callback would come. */
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

const system = await ownSystem();
const env = { AGENT_SECRET: secret, WEBHOOK_TOKEN: token, CRM_URL: system.url };
vi.spyOn(console, 'log').mockImplementation(() => undefined);
afterAll(async () => system[Symbol.asyncDispose]());

const title = (name: string, missing: string | undefined) =>
  missing === undefined ? name : `${name} (not here: ${missing})`;

for (const [name, framework] of Object.entries(frameworks)) {
  const missing = await framework.missing(topics);
  // All start at once: compiling takes its time.
  const starting = missing === undefined ? framework.serve(topics, env) : undefined;
  describe.skipIf(missing !== undefined)(title(name, missing), { concurrent: true }, () => {
    let served: Served;
    /** Callbacks of one test are told from those of others, and marks on the disk from those of other runs. */
    const address = (of: string) => `${system.url}/back/${of}-${process.pid}-${name}?x=a%2Fb&y=%C3%A9`;

    beforeAll(async () => {
      if (starting) served = await starting;
    });
    afterAll(async () => served?.[Symbol.asyncDispose]());

    it('verify-signature takes what is signed, over the bytes as they came', async () => {
      const url = `${served.url('verify-signature')}/chat`;
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
      const url = `${served.url('verify-signature')}/chat`;
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

    it('check-token takes the token and refuses everything else with 401', async () => {
      const url = `${served.url('check-token')}/crm`;
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
      const { status, body, type } = await deliver(`${served.url('answer-in-time')}/crm`, JSON.stringify(event));
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
      // Nothing is found before this answer is here.
      const { status } = await deliver(`${served.url('answer-in-time')}/crm`, JSON.stringify(event));
      system.release(`held-${name}`);
      // PHP has nobody who could call back later, and says so in its snippet.
      expect(status).toBe(name === 'PHP' ? 204 : 202);
      if (status !== 202) return;
      const back = await system.next(({ path }) => url.endsWith(path), 5000);
      expect(JSON.parse(back?.body ?? '')).toMatchObject({ contactData: { crmContactId: 'K-77' } });
      expect(back?.headers['content-type']).toContain('application/json');
      expect(back?.headers.authorization).toBeUndefined();
    });

    it('call-back-once answers at once and calls back one time, to exactly the address that came', async () => {
      const url = address('once');
      const body = JSON.stringify(lookup(url));
      const answers = await Promise.all([1, 2, 3].map(() => deliver(`${served.url('call-back-once')}/crm`, body)));
      expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
      const back = await system.next(({ path }) => url.endsWith(path), 5000);
      expect(JSON.parse(back?.body ?? '')).toEqual({
        requestContactUpdate: false,
        requestProjectUpdate: true,
        projectData: { crmProjectId: 'case-12' },
      });
      expect(back?.headers['content-type']).toContain('application/json');
      expect(back?.headers.authorization).toBeUndefined();
      await deliver(`${served.url('call-back-once')}/crm`, body);
      await new Promise((wake) => setTimeout(wake, quietMs));
      expect(system.received.filter(({ path }) => url.endsWith(path))).toHaveLength(1);
    });

    it('deduplicate lets a delivery have one effect, and its failure none', async () => {
      const url = `${served.url('deduplicate')}/hooks`;
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
      // The same body under another id is another delivery.
      expect(await send('2', same)).toBe(200);
      expect(effects(same)).toBe(2);
      expect(await send('3', failing)).toBe(500);
      expect(await send('3', failing)).toBe(200);
      expect(await send('3', failing)).toBe(200);
      expect(effects(failing)).toBe(2);
    });

    it('take-any-event takes both forms of eventType, what is unknown, null or missing', async () => {
      const url = `${served.url('take-any-event')}/crm`;
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

    it('answer-json answers JSON that keeps to the limits, and stays quiet when the team has the conversation', async () => {
      const url = `${served.url('answer-json')}/chat`;
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
      for (const event of [chatEvent('x', 'off'), chatEvent('x', 'paused'), { id: 'evt_2', type: 'ping' }])
        expect((await deliver(url, JSON.stringify(event))).status).toBe(204);
    });
  });
}
