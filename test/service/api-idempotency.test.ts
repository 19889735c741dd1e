import { describe, expect, it } from 'vitest';
import { Idempotency, type KeyedRequest } from '../../service/api/idempotency.ts';
import type { Problem } from '../../service/problem.ts';
import { limits } from '../../specs/limits.ts';
import { apiKey, openService, type OpenService } from './open-service.ts';

const hour = 3_600_000;
const phone = '+4930901820';
const second = 'svc_sk_of_the_same_inbox';

const messages = ({ inbox }: OpenService) =>
  [...inbox.workspace.projects.values()].flatMap(({ turns }) => turns.map(({ text }) => text));
const notes = ({ inbox }: OpenService) =>
  [...inbox.workspace.projects.values()].flatMap((project) => project.notes.map(({ text }) => text));

/** Sends a request twice with one key; returns both answers. */
async function twice(open: OpenService, path: string, body: unknown, again: unknown = body) {
  const headers = { 'Idempotency-Key': 'order-77' };
  const first = await open.post(path, body, { headers });
  return [first, await open.post(path, again, { headers })] as const;
}

describe('Idempotency-Key', () => {
  it('service/api-idempotency-on-messages: one message, whatever the layout of the repetition', async () => {
    await using open = await openService();
    const again = `{ "text": "Ready.",\n "email": null, "phone": "${phone}" }`;
    const [first, repeated] = await twice(open, '/v1/messages', { phone, text: 'Ready.' }, again);
    expect([first.status, repeated.status]).toEqual([202, 202]);
    expect(repeated.json).toEqual(first.json);
    expect(messages(open)).toEqual(['Ready.']);
    expect(open.events('to-customer')).toHaveLength(1);
  });

  it('service/api-idempotency-on-notes: one note', async () => {
    await using open = await openService();
    const [first, repeated] = await twice(open, '/v1/notes', { phone, text: 'Wants an invoice.' });
    expect([first.status, repeated.status]).toEqual([201, 201]);
    expect(repeated.json).toEqual(first.json);
    expect(notes(open)).toEqual(['Wants an invoice.']);
  });

  it('service/api-idempotency-on-skills: one run', async () => {
    await using open = await openService();
    const { contacts, conversations } = open.inbox;
    const project = conversations.open(contacts.forPhone(phone), 'webchat');
    const [first, repeated] = await twice(open, `/v1/projects/${project.id}/skills/urgent`, { note: 'Now.' });
    expect([first.status, first.json]).toEqual([200, { key: 'urgent', ok: true }]);
    expect([repeated.status, repeated.json]).toEqual([200, first.json]);
    expect(open.events('to-team').filter(({ data }) => data.kind === 'alert')).toHaveLength(1);
  });

  it('service/api-idempotency-lasts-a-day: on the clock of the service', async () => {
    await using open = await openService();
    const send = () => open.post('/v1/messages', { phone, text: 'Ready.' }, { headers: { 'Idempotency-Key': 'k' } });
    const first = await send();
    await open.clock.move(limits.idempotencyKeyHours * hour - 60_000);
    expect((await send()).json).toEqual(first.json);
    await open.clock.move(60_000);
    const anew = await send();
    expect(anew.status).toBe(202);
    expect(anew.json.messageId).not.toBe(first.json.messageId);
    expect(messages(open)).toHaveLength(2);
    expect(limits.idempotencyKeyHours).toBe(24);
  });

  it('service/api-idempotency-is-optional: without it each request counts', async () => {
    await using open = await openService();
    const sent = [1, 2].map(() => open.post('/v1/messages', { phone, text: 'Ready.' }));
    const [first, next] = await Promise.all(sent);
    expect(first?.json.messageId).not.toBe(next?.json.messageId);
    await open.post('/v1/notes', { phone, text: 'A note.' });
    await open.post('/v1/notes', { phone, text: 'A note.' });
    expect(messages(open)).toHaveLength(2);
    expect(notes(open)).toHaveLength(2);
    const { contacts, conversations } = open.inbox;
    const project = conversations.open(contacts.forPhone('+4930901821'), 'webchat');
    for (const _ of [1, 2]) await open.post(`/v1/projects/${project.id}/skills/urgent`);
    expect(open.events('to-team').filter(({ data }) => data.kind === 'alert')).toHaveLength(2);
  });

  it('refuses the same key for another request, without an effect', async () => {
    await using open = await openService();
    const [, text] = await twice(open, '/v1/messages', { phone, text: 'One.' }, { phone, text: 'Two.' });
    expect([text.status, text.json.title]).toEqual([422, 'idempotency_key_reused']);
    const other = await open.post('/v1/notes', { phone, text: 'One.' }, { headers: { 'Idempotency-Key': 'order-77' } });
    expect([other.status, other.json.title]).toEqual([422, 'idempotency_key_reused']);
    expect([messages(open), notes(open)]).toEqual([['One.'], []]);
  });

  it('keeps requests that were answered with an error, and forgets those that were not processed', async () => {
    await using open = await openService();
    const headers = { 'Idempotency-Key': 'k' };
    const send = (body: unknown) => open.post('/v1/messages', body, { headers });
    expect((await send({ phone, text: '' })).status).toBe(400);
    const marketing = { phone, text: 'Sale!', purpose: 'marketing' };
    expect((await send(marketing)).status).toBe(403);
    open.inbox.contacts.forPhone(phone).marketingConsent = true;
    expect((await send(marketing)).status).toBe(403);
    expect((await open.post('/v1/messages', marketing)).status).toBe(202);
  });

  it('belongs to one API key', async () => {
    await using open = await openService({ apiKeys: { [apiKey]: 'A', [second]: 'B' } });
    const headers = { 'Idempotency-Key': 'k' };
    await open.post('/v1/messages', { phone, text: 'One.' }, { headers });
    expect((await open.post('/v1/messages', { phone, text: 'Two.' }, { headers, key: second })).status).toBe(202);
  });

  it('is ignored if the operation does not accept it', async () => {
    await using open = await openService();
    const [first, again] = await twice(open, '/v1/contacts', { phone }, { phone, firstName: 'Erika' });
    expect([first.status, again.status]).toEqual([201, 200]);
  });

  it.each(['', 'x'.repeat(256)])('is refused when it is not 1 to 255 characters (row %#)', async (key) => {
    await using open = await openService();
    const answer = await open.post('/v1/notes', { phone, text: 'x' }, { headers: { 'Idempotency-Key': key } });
    expect([answer.status, answer.json.title]).toEqual([400, 'invalid_request']);
    expect(answer.json.detail).toContain(`received one of ${key.length}`);
    const longest = { 'Idempotency-Key': 'x'.repeat(255) };
    expect((await open.post('/v1/notes', { phone, text: 'x' }, { headers: longest })).status).toBe(201);
  });

  it('compares a body of any depth that is accepted', async () => {
    await using open = await openService();
    const body = `{"phone":"${phone}","text":"x","more":${'['.repeat(198)}${']'.repeat(198)}}`;
    const send = () => open.post('/v1/messages', body, { headers: { 'Idempotency-Key': 'k' } });
    const first = await send();
    expect(first.status).toBe(202);
    expect((await send()).json).toEqual(first.json);
  });

  it('is not needed to refuse a body of more than 200 levels', async () => {
    await using open = await openService();
    const body = `{"phone":"${phone}","text":"x","more":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const { status, json } = await open.post('/v1/messages', body);
    expect([status, json.title]).toEqual([400, 'invalid_request']);
    expect(json.detail).toContain('more than 200 levels');
  });
});

describe('the store of Idempotency-Keys', () => {
  const request: KeyedRequest = { apiKey: 'a', idempotencyKey: 'k', method: 'POST', path: '/v1/notes', body: {} };
  const done = { status: 201, body: { noteId: 1 } };

  it('reports that a request is being processed, and answers it when it is done', async () => {
    const keeper = new Idempotency(() => 0);
    const { promise, resolve } = Promise.withResolvers<typeof done>();
    const first = keeper.run(request, () => promise);
    expect(() => keeper.run(request, () => done)).toThrow(
      expect.objectContaining({ code: 'idempotency_key_in_use' }) as Problem,
    );
    resolve(done);
    expect(await first).toBe(done);
    expect(keeper.run(request, () => expect.unreachable())).toBe(done);
  });

  it('forgets a request that failed by a defect', async () => {
    const keeper = new Idempotency(() => 0);
    const failing = keeper.run(request, () => Promise.reject(new Error('a defect')));
    await expect(failing).rejects.toThrow('a defect');
    expect(() =>
      keeper.run(request, () => {
        throw new TypeError('another');
      }),
    ).toThrow('another');
    expect(keeper.run(request, () => done)).toBe(done);
  });
});
