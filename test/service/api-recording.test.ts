import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ApiExchangeRecord, ApiHooks, ApiTrouble, ArrivedRequest } from '../../service/api/install-recording.ts';
import { apiKey, begin, openService, type OpenService } from './open-service.ts';

const phone = '+4930901820';

/** Hooks that store their records. A record arrives after its answer was sent, so tests wait for it. */
function recorder(trouble?: ApiHooks['trouble']) {
  const records: ApiExchangeRecord[] = [];
  let wake = () => {};
  const hooks: ApiHooks = {
    onExchange: (record) => {
      records.push(record);
      wake();
    },
    ...(trouble && { trouble }),
  };
  const until = async (count: number) => {
    while (records.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return records;
  };
  return { hooks, records, until };
}

const socketTo = ({ service }: OpenService) => connect(Number(new URL(service.baseUrl).port), '127.0.0.1');

describe('the record of an exchange', () => {
  it('contains request and answer unchanged', async () => {
    const { hooks, until } = recorder();
    await using open = await openService({}, { apiHooks: hooks });
    const body = `{ "phone":"${phone}", "x": "ü😀" }`;
    const answer = await open.post('/v1/contacts?a=%2B', body, {
      headers: { 'X-Odd-Case': 'Yes', 'Idempotency-Key': 'k' },
    });
    const [record] = await until(1);
    expect(record).toMatchObject({
      method: 'POST',
      url: '/v1/contacts?a=%2B',
      operation: 'upsertContact',
      keyName: 'Tests',
      truncated: false,
      response: { status: 201, body: answer.text },
    });
    expect(Buffer.from(record?.body ?? '').toString()).toBe(body);
    expect(record?.headers).toContainEqual(['X-Odd-Case', 'Yes']);
    expect(record?.headers).toContainEqual(['X-Api-Key', apiKey]);
    if (!record || record.response === 'cut') throw new Error('expected an answer');
    const headers = Object.fromEntries(record.response.headers);
    expect(headers['content-type']).toBe(answer.headers.get('content-type'));
    expect(String(headers['content-length'])).toBe(answer.headers.get('content-length'));
    expect(record.endedAt).toBeGreaterThanOrEqual(record.at);
    expect(record).not.toHaveProperty('trouble');
    expect(record).not.toHaveProperty('abandoned');
  });

  it('has the time of the service, whose clock may be moved', async () => {
    const { hooks, until } = recorder();
    await using open = await openService({}, { apiHooks: hooks });
    await open.get('/v1/me');
    await open.clock.move(90_000);
    await open.get('/v1/me');
    const [first, second] = await until(2);
    expect((first?.serviceTimeMs ?? 0) - begin).toBeLessThan(60_000);
    expect((second?.serviceTimeMs ?? 0) - (first?.serviceTimeMs ?? 0)).toBeGreaterThanOrEqual(90_000);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeLessThan(60_000);
  });

  it('is made of every answer of the API, with any status, and of no other request', async () => {
    const { hooks, until } = recorder();
    await using open = await openService({}, { apiHooks: hooks, rateLimit: 3 });
    await open.get('/v1/openapi.json');
    await open.get('/v1/changelog');
    await open.post('/callbacks/x?ticket=1', {});
    await open.post('/v1/notes', '{"a":', { key: 'nobody' });
    await open.post('/v1/nothing', 'some text');
    await open.api('PUT', '/v1/notes', { body: { a: 1 } });
    await open.post('/v1/notes', 'not json');
    await open.post('/v1/notes', { phone, text: 5 });
    await open.get('/v1/agents/999');
    await open.post('/v1/notes', { phone, text: 'over the limit' });
    await open.post('/v1/notes', { text: 'x'.repeat(1_100_000) });
    const records = await until(8);
    const seen = records.map(({ operation, keyName, response, body, truncated }) => [
      response === 'cut' ? response : response.status,
      operation,
      keyName,
      Buffer.from(body).toString(),
      truncated,
    ]);
    expect(seen).toEqual([
      [401, 'addNote', undefined, '{"a":', false],
      [404, undefined, undefined, 'some text', false],
      [405, undefined, undefined, '{"a":1}', false],
      [400, 'addNote', 'Tests', 'not json', false],
      [400, 'addNote', 'Tests', JSON.stringify({ phone, text: 5 }), false],
      [404, 'getAgent', 'Tests', '', false],
      [429, 'addNote', 'Tests', JSON.stringify({ phone, text: 'over the limit' }), false],
      [413, 'addNote', undefined, '', true],
    ]);
  });

  it('reports a client that disconnected before its answer, and ignores one that never completed its request', async () => {
    const { hooks, until, records } = recorder(() => ({ kind: 'slow', ms: 60_000 }));
    await using open = await openService({}, { apiHooks: hooks });
    const text = JSON.stringify({ phone });
    const lines = ['POST /v1/contacts HTTP/1.1', 'Host: x', `X-Api-Key: ${apiKey}`, 'Content-Type: application/json'];
    const request = [...lines, `Content-Length: ${text.length}`, '', text].join('\r\n');
    const half = socketTo(open);
    half.write(request.slice(0, -5));
    await once(open.service.app.server, 'request');
    half.destroy();
    const gone = socketTo(open);
    gone.write(request);
    await open.event('api-request', ({ data }) => data.status === 201);
    gone.destroy();
    await until(1);
    expect(records).toMatchObject([{ operation: 'upsertContact', response: 'cut', abandoned: true, trouble: 'slow' }]);
  });
});

describe('troubles', () => {
  /** Causes this fault once. */
  function once(trouble: ApiTrouble) {
    const asked: ArrivedRequest[] = [];
    const made = recorder((request) => {
      asked.push({ ...request });
      return asked.length === 1 ? trouble : undefined;
    });
    return { ...made, asked };
  }
  const texts = ({ inbox }: OpenService) =>
    [...inbox.workspace.projects.values()].flatMap((project) => project.notes.map(({ text }) => text));

  it('cut-after: processed, and the connection ends without an answer', async () => {
    const { hooks, until } = once({ kind: 'cut-after' });
    await using open = await openService({}, { apiHooks: hooks });
    const send = () => open.post('/v1/notes', { phone, text: 'A note.' }, { headers: { 'Idempotency-Key': 'k' } });
    await expect(send()).rejects.toThrow('fetch failed');
    expect(texts(open)).toEqual(['A note.']);
    expect((await send()).status).toBe(201);
    expect(texts(open)).toEqual(['A note.']);
    const [cut, answered] = await until(2);
    expect(cut).toMatchObject({ response: 'cut', trouble: 'cut-after', operation: 'addNote' });
    expect(cut).not.toHaveProperty('abandoned');
    expect(answered).toMatchObject({ response: { status: 201 } });
  });

  it('slow: processed at once, answered later', async () => {
    const ms = 120;
    const { hooks, until } = once({ kind: 'slow', ms });
    await using open = await openService({}, { apiHooks: hooks });
    const answer = await open.post('/v1/notes', { phone, text: 'A note.' });
    expect(answer.status).toBe(201);
    const [record] = await until(1);
    // Timers may fire a little early.
    expect((record?.endedAt ?? 0) - (record?.at ?? 0)).toBeGreaterThan(ms - 10);
    expect(record).toMatchObject({ trouble: 'slow', response: { status: 201, body: answer.text } });
  });

  it.each([
    [{ kind: 'answer-instead', status: 503 }, 503, 'unavailable', null],
    [{ kind: 'answer-instead', status: 429, retryAfterSeconds: 2 }, 429, 'rate_limited', '2'],
    [{ kind: 'answer-instead', status: 409, code: 'project_not_with_agent' }, 409, 'project_not_with_agent', null],
    [{ kind: 'answer-instead', status: 403 }, 403, 'consent_missing', null],
  ] as const)('answer-instead: nothing is processed (row %#)', async (trouble, status, code, retryAfter) => {
    const { hooks, until, asked } = once(trouble);
    await using open = await openService({}, { apiHooks: hooks });
    const send = () => open.post('/v1/notes', { phone, text: 'A note.' }, { headers: { 'Idempotency-Key': 'k' } });
    const answer = await send();
    expect([answer.status, answer.json.title, answer.headers.get('retry-after')]).toEqual([status, code, retryAfter]);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(texts(open)).toEqual([]);
    expect(open.events('api-request')).toMatchObject([{ data: { status, title: code } }]);
    expect((await send()).status).toBe(201);
    const [record] = await until(2);
    expect(record).toMatchObject({ trouble: 'answer-instead', response: { status }, operation: 'addNote' });
    expect(asked).toMatchObject([{ operation: 'addNote', keyName: 'Tests', method: 'POST' }, { url: '/v1/notes' }]);
    expect(Buffer.from(asked[0]?.body ?? '').toString()).toContain('A note.');
  });

  it('apply only to requests that would be processed', async () => {
    const { hooks, asked } = once({ kind: 'answer-instead', status: 503 });
    await using open = await openService({}, { apiHooks: hooks, rateLimit: 2 });
    await open.get('/v1/me', { key: null });
    await open.post('/v1/notes', { text: 'no target' });
    await open.get('/v1/nothing');
    await open.api('PUT', '/v1/me');
    expect(asked).toEqual([]);
    expect((await open.get('/v1/me')).status).toBe(503);
    await open.get('/v1/me');
    expect(asked).toHaveLength(1);
  });

  it('do not keep a service from closing', async () => {
    const { hooks } = once({ kind: 'slow', ms: 3_600_000 });
    const open = await openService({}, { apiHooks: hooks });
    const answer = open.get('/v1/me');
    const failed = expect(answer).rejects.toThrow('fetch failed');
    await open.event('api-request');
    const began = performance.now();
    await open[Symbol.asyncDispose]();
    await failed;
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
