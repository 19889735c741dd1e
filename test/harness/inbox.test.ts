import { until } from './call-server.ts';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { agentReplies, type ReplyBehaviour } from '../../harness/wire/agent-replies.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { Inbox, type InboxAddress } from '../../harness/wire/inbox.ts';
import { Mailbox } from '../../harness/wire/mailbox.ts';
import type { Arrival } from '../../harness/wire/observation.ts';

const opened: Inbox[] = [];
afterEach(async () => {
  for (const inbox of opened.splice(0)) await inbox[Symbol.asyncDispose]();
});

async function open(address: Partial<InboxAddress> = {}): Promise<Inbox> {
  const inbox = await Inbox.open({ host: '127.0.0.1', port: 0, ...address });
  opened.push(inbox);
  return inbox;
}

const takes = () => ({ status: 200 });
const post = (url: string, body = '{}', headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });

describe('an address of the inbox', () => {
  it('is absolute, unguessable and of one case alone', async () => {
    const inbox = await open();
    const urls = Array.from({ length: 50 }, (_, at) => [
      inbox.callbackBox('callback', takes).url,
      inbox.replyBox('reply', at, takes).url,
    ]).flat();
    expect(new Set(urls).size).toBe(urls.length);
    for (const url of urls) {
      expect(new URL(url).origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      // 128 bits for the inbox and 128 for the case.
      expect(new URL(url).pathname.match(/[0-9a-f]{32}/g)).toHaveLength(2);
    }
    const own = urls.map((url) => url.match(/[0-9a-f]{32}/g)?.[1]);
    expect(new Set(own).size).toBe(urls.length);
    const other = (await open()).callbackBox('callback', takes).url;
    expect(new URL(other).pathname.split('/')[1]).not.toBe(new URL(urls[0] ?? '').pathname.split('/')[1]);
  });

  it('of a callback has a query, and of a reply ends as the interface says', async () => {
    const inbox = await open();
    expect(new URL(inbox.callbackBox('callback', takes).url).search).toMatch(/^\?ticket=[0-9a-f]{32}$/);
    expect(inbox.replyBox('reply', 4711, takes).url).toMatch(/\/v1\/projects\/4711\/agent-replies$/);
  });

  it('begins with publicUrl and its path, and works behind a proxy that keeps or removes that path', async () => {
    const inbox = await open({ publicUrl: 'https://tunnel.example/some/path/' });
    const box = inbox.callbackBox('callback', takes);
    expect(box.url).toMatch(/^https:\/\/tunnel\.example\/some\/path\/[0-9a-f]{32}\/callbacks\//);
    // The inbox does not reveal its local address; a second one on the same port does.
    const direct = await open();
    const { port } = new URL(direct.callbackBox('x', takes).url);
    await direct[Symbol.asyncDispose]();
    opened.splice(opened.indexOf(direct), 1);
    const proxied = await open({ port: Number(port), publicUrl: 'https://tunnel.example/some/path' });
    const behind = proxied.callbackBox('callback', takes);
    const { pathname, search } = new URL(behind.url);
    await post(`http://127.0.0.1:${port}${pathname}${search}`);
    await post(`http://127.0.0.1:${port}${pathname.replace('/some/path', '')}${search}`);
    expect(behind.arrivals).toHaveLength(2);
    expect(behind.arrivals[0]?.request.url).toBe(behind.url);
    expect(proxied.strays).toEqual([]);
  });

  it('that is in use is reported as a fault of the set-up', async () => {
    const inbox = await open();
    const port = Number(new URL(inbox.callbackBox('x', takes).url).port);
    const fault = await Inbox.open({ host: '127.0.0.1', port }).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(HarnessFault);
    expect(fault).toMatchObject({
      code: 'inbox-not-started',
      message: expect.stringContaining(`127.0.0.1:${port}`) as string,
    });
  });

  it('can be on IPv6', async () => {
    const inbox = await open({ host: '::1' });
    const box = inbox.callbackBox('callback', takes);
    expect(new URL(box.url).hostname).toBe('[::1]');
    await post(box.url);
    expect(box.arrivals).toHaveLength(1);
  });
});

describe('an arrival', () => {
  it('is recorded as received, and answered as the box defines', async () => {
    const inbox = await open();
    const box = inbox.callbackBox('callback of x', () => ({
      status: 409,
      body: { type: 'about:blank', title: 'nope' },
    }));
    const from = performance.now();
    const answer = await post(box.url, '{"a": "ü"}', { 'X-Some-Name': 'one' });
    expect(answer.status).toBe(409);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toEqual({ type: 'about:blank', title: 'nope' });
    const [arrival] = box.arrivals;
    expect(arrival).toMatchObject({
      kind: 'callback',
      label: 'callback of x',
      truncated: false,
      request: { method: 'POST', url: box.url },
    });
    expect(arrival?.request.headers).toContainEqual(['X-Some-Name', 'one']);
    expect(Buffer.from(arrival?.request.body ?? []).toString()).toBe('{"a": "ü"}');
    expect(arrival?.response).toMatchObject({ status: 409, body: '{"type":"about:blank","title":"nope"}' });
    expect(arrival?.at).toBeGreaterThan(from);
  });

  it('may have any method, and is answered without a body if none is defined', async () => {
    const inbox = await open();
    const box = inbox.replyBox('reply', 7, () => ({ status: 204 }));
    expect((await fetch(box.url, { method: 'PUT', body: 'x' })).status).toBe(204);
    expect(await (await fetch(box.url)).text()).toBe('');
    expect(box.arrivals.map(({ request, kind }) => [request.method, kind])).toEqual([
      ['PUT', 'api'],
      ['GET', 'api'],
    ]);
  });

  it('at an unknown address is a stray and answered 404', async () => {
    const inbox = await open();
    const box = inbox.callbackBox('callback', takes);
    const reply = inbox.replyBox('reply', 7, takes);
    const url = new URL(box.url);
    const wrong = [
      `${url.origin}/`,
      `${url.origin}/callbacks`,
      box.url.replace(url.search, ''),
      `${box.url}0`,
      box.url.replace('/callbacks/', '/callbacks//'),
      reply.url.replace('/7/', '/8/'),
    ];
    for (const address of wrong) expect((await post(address)).status, address).toBe(404);
    expect(inbox.strays).toHaveLength(wrong.length);
    expect([...box.arrivals, ...reply.arrivals]).toEqual([]);
    expect(inbox.strays.at(-1)).toMatchObject({ kind: 'api', response: { status: 404 } });
  });

  it('is kept up to a bound when it is too large', async () => {
    const inbox = await open();
    const box = inbox.callbackBox('callback', takes);
    expect((await post(box.url, 'x'.repeat(1_000_000))).status).toBe(200);
    expect(box.arrivals[0]).toMatchObject({ truncated: true, bodyBytes: 1_000_000 });
    expect(box.arrivals[0]?.request.body.length).toBeLessThanOrEqual(262_144);
  });

  it('is counted and has not arrived while its body does not end', async () => {
    const inbox = await open();
    const box = inbox.callbackBox('callback', takes);
    const { port, pathname, search } = new URL(box.url);
    const socket = connect(Number(port), '127.0.0.1');
    const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    socket.on('error', () => undefined);
    socket.write(`POST ${pathname}${search} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n`);
    const chunk = `10000\r\n${'y'.repeat(65_536)}\r\n`;
    const more = () => {
      if (!socket.destroyed) socket.write(chunk, () => setImmediate(more));
    };
    more();
    await until(() => [...box.unfinished].some(({ bodyBytes }) => bodyBytes > 5_000_000));
    expect(box.arrivals).toEqual([]);
    expect(box.isArriving).toBe(true);
    // Longer than the test may take: the abort ends the wait.
    const changed = box.nextChange({ withinMs: 600_000 });
    socket.destroy();
    await ended;
    await changed;
    expect(box.isArriving).toBe(false);
  });

  it('is recorded before it is answered, and other arrivals do not wait for a slow answer', async () => {
    const inbox = await open();
    const held = Promise.withResolvers<void>();
    const box = inbox.callbackBox('slow', () => ({ status: 200, after: held.promise }));
    const order: string[] = [];
    const slow = post(box.url).then(() => order.push('answered'));
    await box.atLeast(1, { withinMs: 30_000 });
    order.push('recorded');
    const quick = inbox.callbackBox('quick', takes);
    await post(quick.url).then(() => order.push('other'));
    held.resolve();
    await slow;
    expect(order).toEqual(['recorded', 'other', 'answered']);
  });

  it('that stops in the middle has not arrived', async () => {
    const inbox = await open();
    const box = inbox.callbackBox('callback', takes);
    const { port, pathname, search } = new URL(box.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`POST ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf`, () =>
      setTimeout(() => socket.destroy(), 20),
    );
    await new Promise((resolve) => socket.once('close', resolve));
    await post(box.url);
    await box.atLeast(1, { withinMs: 30_000 });
    expect(box.arrivals.map(({ truncated }) => truncated)).toEqual([false]);
  });

  it('is kept in bounded number', async () => {
    const inbox = await open();
    const box = inbox.callbackBox('callback', takes);
    for (let count = 0; count < 55; count++) await post(box.url);
    expect(box.arrivals).toHaveLength(50);
  });
});

describe('disposal', () => {
  it('ends although an answer is held back, and nothing is accepted any more', async () => {
    const inbox = await Inbox.open({ host: '127.0.0.1', port: 0 });
    const box = inbox.callbackBox('slow', () => ({ status: 200, after: new Promise(() => undefined) }));
    const held = post(box.url).catch(() => 'cut');
    await box.atLeast(1, { withinMs: 30_000 });
    await inbox[Symbol.asyncDispose]();
    expect(await held).toBe('cut');
    await expect(post(box.url)).rejects.toThrow();
  });
});

describe('a mailbox', () => {
  const arrival = {} as Arrival;
  const box = () => new Mailbox('x', 'http://127.0.0.1/x', takes);

  it('returns available arrivals at once', async () => {
    const one = box();
    one.book(arrival);
    expect(await one.atLeast(1, { withinMs: 0 })).toHaveLength(1);
    expect(await box().atLeast(0, { withinMs: 600_000 })).toEqual([]);
  });

  it('resolves every wait when enough has arrived', async () => {
    const one = box();
    const both = [one.atLeast(1, { withinMs: 600_000 }), one.atLeast(2, { withinMs: 600_000 })];
    let early = false;
    void both[1]?.then(() => (early = true));
    one.book(arrival);
    await both[0];
    await new Promise((wake) => setImmediate(wake));
    expect(early).toBe(false);
    one.book(arrival);
    expect(await both[1]).toHaveLength(2);
  });

  it('returns available arrivals when the time is over', async () => {
    const one = box();
    one.book(arrival);
    expect(await one.atLeast(2, { withinMs: 20 })).toHaveLength(1);
  });
});

describe('the answer to agent replies', () => {
  const replies = (inbox: Inbox, known: string | undefined, behaviour?: ReplyBehaviour) =>
    agentReplies(inbox.service.inbox, { projectId: 12, agentId: 34, skills: [] }, known, behaviour);
  const apiKey = 'svc_sk_0123456789';
  const ask = async (
    behaviour: ReplyBehaviour,
    body: unknown = { text: 'Hello' },
    headers: Record<string, string> = { 'x-api-key': apiKey },
    known: string | undefined = apiKey,
    method = 'POST',
  ) => {
    const inbox = await open();
    const box = inbox.replyBox('reply', 12, replies(inbox, known, behaviour));
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(box.url, { method, headers, ...(method === 'GET' ? {} : { body: text }) });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: await response.json(),
    };
  };
  const outcome = (over: object) => ({
    projectId: 12,
    messageId: expect.any(Number) as number,
    status: 'sent',
    autoReply: { state: 'on' },
    ...over,
  });

  it.each([
    ['text', { text: 'Hello' }, {}],
    ['text with the action none', { text: 'Hello', action: 'none' }, {}],
    ['text at the end', { text: 'Bye', action: 'end' }, {}],
    ['a long note', { text: 'Hello', note: 'n'.repeat(501) }, {}],
    ['text of 4000 astral characters', { text: '😀'.repeat(4000) }, {}],
    [
      'a handover with text',
      { text: 'One moment', action: 'handover' },
      { status: 'handed_over', autoReply: { state: 'off' } },
    ],
    [
      'a handover alone',
      { action: 'handover' },
      { messageId: null, status: 'handed_over', autoReply: { state: 'off' } },
    ],
    ['nothing', {}, { messageId: null, status: 'noop' }],
    ['an empty text', { text: '' }, { messageId: null, status: 'noop' }],
    ['null fields', { text: null, action: null, note: null }, { messageId: null, status: 'noop' }],
  ])('to %s is 202', async (_, body, over) => {
    expect(await ask({}, body)).toEqual({ status: 202, type: 'application/json', body: outcome(over) });
  });

  it('distinguishes the messages of a project', async () => {
    const inbox = await open();
    const box = inbox.replyBox('reply', 12, replies(inbox, undefined));
    const ids: unknown[] = [];
    for (const text of ['one', '', 'two']) {
      const response = await post(box.url, JSON.stringify({ text }), { 'x-api-key': 'any' });
      ids.push(((await response.json()) as { messageId: unknown }).messageId);
    }
    expect(ids).toEqual([expect.any(Number), null, expect.any(Number)]);
    expect(ids[0]).not.toBe(ids[2]);
  });

  it.each([
    ['X-Api-Key', { 'X-Api-Key': apiKey }],
    ['a bearer token', { Authorization: `Bearer ${apiKey}` }],
    ['a bearer token in other letters', { authorization: `bearer ${apiKey}` }],
  ])('takes the key as %s', async (_, headers) => {
    expect((await ask({}, {}, headers)).status).toBe(202);
    expect((await ask({}, {}, headers, undefined)).status).toBe(202);
  });

  it.each([
    ['no key', {}, apiKey],
    ['no key where any is accepted', {}, undefined],
    ['another key', { 'x-api-key': `${apiKey}0` }, apiKey],
    ['another bearer token', { authorization: 'Bearer other' }, apiKey],
    ['another scheme', { authorization: `Basic ${apiKey}` }, apiKey],
  ])('refuses %s', async (_, headers, known) => {
    expect(await ask({}, {}, headers as Record<string, string>, known)).toMatchObject({
      status: 401,
      type: 'application/problem+json',
    });
  });

  it.each([
    ['text over the limit', { text: 'x'.repeat(4001) }],
    ['an unknown action', { action: 'hangup' }],
    ['a body that is not JSON', '{"text":'],
    ['a body that is not an object', '"text"'],
    ['an empty body', ''],
  ])('to %s is 400', async (_, body) => {
    expect(await ask({}, body)).toMatchObject({ status: 400, body: { title: 'invalid_reply', status: 400 } });
  });

  it.each([
    [404, 'project_not_found'],
    [409, 'project_not_with_agent'],
    [422, 'not_deliverable'],
  ] as const)('can be %i %s', async (refuse, title) => {
    expect(await ask({ refuse })).toEqual({
      status: refuse,
      type: 'application/problem+json',
      body: { type: 'about:blank', title, status: refuse, detail: expect.any(String) as string },
    });
  });

  it('can be slow, and applies only to POST', async () => {
    const after = Promise.resolve();
    const inbox = await open();
    const request = { method: 'POST', url: '', headers: [], body: Buffer.from('{}') };
    expect(replies(inbox, apiKey, { after: () => after })({ request, truncated: false })).toMatchObject({
      status: 401,
      after,
    });
    expect((await ask({}, {}, { 'x-api-key': apiKey }, apiKey, 'GET')).status).toBe(405);
  });
});

describe('a disturbance', () => {
  const during = async (inbox: Inbox, cause: () => Promise<unknown>) => {
    const from = performance.now();
    await cause();
    return inbox.wasDisturbed(from, performance.now());
  };

  it('is a request that is refused or kept waiting, at our addresses and at API v1', async () => {
    const inbox = await open();
    const refusing = inbox.replyBox('reply', 1, () => ({ status: 409 }));
    const slow = inbox.callbackBox('callback', () => ({ status: 200, after: Promise.resolve() }));
    const quick = inbox.callbackBox('callback', takes);
    expect(await during(inbox, () => post(quick.url))).toBe(false);
    expect(await during(inbox, () => post(refusing.url))).toBe(true);
    expect(await during(inbox, () => post(slow.url))).toBe(true);
    expect(await during(inbox, () => post(`${inbox.service.baseUrl}/v1/notes`))).toBe(true);
    await new Promise((wake) => setTimeout(wake, 120));
    expect(await during(inbox, () => post(quick.url))).toBe(false);
  });

  it('may have been before the earliest that is kept', async () => {
    const inbox = await open();
    const { url } = inbox.replyBox('reply', 1, () => ({ status: 409 }));
    const from = performance.now();
    for (let sent = 0; sent < 1_000; sent += 50) await Promise.all(Array.from({ length: 50 }, () => post(url)));
    expect(inbox.wasDisturbed(from - 2, from - 1)).toBe(true);
  });
});
