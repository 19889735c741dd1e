import type { IncomingMessage } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { html } from '../../reports/write/html/markup.ts';
import { isLocalVisit } from '../../simulate/serve/page/is-local-visit.ts';
import { KeyedLists, type ListChange } from '../../simulate/serve/page/keyed-lists.ts';
import { listNames } from '../../simulate/serve/page/page-lists.ts';
import { stepNames } from '../../service/step.ts';
import { parseHtml, type Element } from '../reports/parse-html.ts';
import { agentSecret, apiKey, openCall, openServicePage } from './open-service-page.ts';
import { smallEndpoint } from './small-endpoint.ts';

const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const image = '<img src=x onerror=alert(1)>';
const hostile = `${image}"'</li></script>\u202e&amp;`;

interface View {
  revision: number;
  now: number;
  lists: Record<string, ListChange>;
}

type Open = Awaited<ReturnType<typeof openServicePage>>;
const viewOf = async ({ visit, controlPath }: Open, since = 0): Promise<View> =>
  JSON.parse((await visit(`${controlPath}/page/view?since=${since}`)).text);
const textOf = (node: Element | string): string =>
  typeof node === 'string' ? node : node.children.map(textOf).join('');
const shownIn = (view: View, list: string) =>
  Object.values(view.lists[list]?.changed ?? {}).map((markup) => textOf(parseHtml(markup)).replaceAll(/\s+/g, ' '));

describe('the address of serve', () => {
  it('is a page for a browser on this machine, and stays the API for everything else', async () => {
    await using open = await openServicePage();
    const { visit, controlPath, service } = open;
    const page = await visit('/', asBrowser);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^ ;]+'; script-src 'sha256-[^ ;]+'; connect-src 'self'/,
    );
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.text).toContain(`data-control="${controlPath}"`);
    parseHtml(page.text);
    for (const name of listNames) expect(page.text).toContain(`data-list="${name}"`);
    for (const name of stepNames) expect(page.text).toContain(`>${name}</option>`);

    for (const headers of [
      {},
      { accept: 'application/json' },
      // A host name of another site that resolves to this machine, and requests through a proxy or tunnel.
      { ...asBrowser, host: 'evil.example' },
      { ...asBrowser, 'x-forwarded-for': '203.0.113.7' },
      { ...asBrowser, forwarded: 'for=203.0.113.7' },
    ]) {
      const { status, text } = await visit('/', headers);
      expect({ headers, status, title: JSON.parse(text).title }).toMatchObject({ status: 404, title: 'not_found' });
    }
    expect((await visit('/v1/me', { ...asBrowser, 'x-api-key': apiKey })).headers['content-type']).toMatch(/json/);
    expect((await visit('/', { ...asBrowser, host: `localhost:${new URL(service.baseUrl).port}` })).status).toBe(200);
  });

  it('also serves the page at the address of the control API', async () => {
    await using open = await openServicePage();
    const page = await open.visit(open.controlPath, { ...asBrowser, 'x-forwarded-for': '203.0.113.7' });
    expect([page.status, page.headers['referrer-policy']]).toEqual([200, 'no-referrer']);
    expect(page.text).not.toContain(open.controlPath);
    expect(JSON.parse((await open.visit(open.controlPath)).text)).toHaveProperty('steps');
    expect((await open.visit('/control/0123/page/view')).status).toBe(404);
  });

  it('is not for other machines', () => {
    const visitor = (remoteAddress: string, host: string) =>
      isLocalVisit({ headers: { host }, socket: { remoteAddress } } as IncomingMessage);
    expect(visitor('127.0.0.1', '127.0.0.1:4010')).toBe(true);
    expect(visitor('::1', '[::1]:4010')).toBe(true);
    expect(visitor('::ffff:127.0.0.1', 'localhost:4010')).toBe(true);
    expect(visitor('192.168.0.7', 'localhost:4010')).toBe(false);
    expect(visitor('127.0.0.1', '192.168.0.7:4010')).toBe(false);
    expect(visitor('127.0.0.1', 'localhost.evil.example')).toBe(false);
  });

  it('is not there behind a public URL, where anyone can name this machine as the host', async () => {
    await using open = await openServicePage({ publicUrl: 'https://service.example' });
    const { controlUrl, controlPath, page, visit } = open;
    const host = `localhost:${new URL(controlUrl).port}`;
    expect((await visit('/', { ...asBrowser, host })).status).toBe(404);
    expect(page.url).toBe(controlUrl);
    expect((await visit(controlPath, { ...asBrowser, host })).status).toBe(200);
  });

  it.each<[string, Record<string, string>, { page: number; step: number; again: number }]>([
    ['a frame', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, { page: 403, step: 403, again: 403 }],
    ['a script', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' }, { page: 403, step: 403, again: 403 }],
    ['a foreign origin', { origin: 'https://evil.example' }, { page: 403, step: 403, again: 403 }],
    ['a sandboxed frame', { origin: 'null' }, { page: 403, step: 403, again: 403 }],
    ['a link', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, { page: 200, step: 403, again: 403 }],
    ['the address bar', { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, { page: 200, step: 200, again: 404 }],
  ])('shows the page to %s or refuses it, and lets only the user act', async (_, headers, expected) => {
    await using open = await openServicePage();
    const page = await open.visit('/', { ...asBrowser, ...headers });
    const step = await open.visit(`${open.controlPath}/manual`, headers, 'POST');
    const again = await open.visit(`${open.controlPath}/page/again/ex-1`, headers, 'POST');
    expect({ page: page.status, step: step.status, again: again.status }).toEqual(expected);
  }); // prettier-ignore
});

describe('the content of the page', () => {
  it('shows messages, and deliveries with bodies and a verdict; an update contains only changes', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 200, body: '{"text":"Good day"}' }));
    await using open = await openServicePage({ chat: endpoint.url });
    await open.play('customer-writes', { text: 'Are you open?' });
    const first = await viewOf(open);
    const [conversation = ''] = shownIn(first, 'conversations');
    expect(conversation).toMatch(/Customer .*Are you open\? Your AI .*Good day .*Team takes over/);
    const [delivery = ''] = shownIn(first, 'deliveries');
    expect(delivery).toMatch(/✓ usable message\.received Send again .*"text": "Are you open\?".*"text": "Good day"/);
    expect(shownIn(first, 'endpoints')).toEqual([expect.stringContaining('chat messages')]);

    const none = await viewOf(open, first.revision);
    expect(none.revision).toBe(first.revision);
    for (const { changed } of Object.values(none.lists)) expect(changed).toEqual({});
    await open.play('time-passes', { hours: 1 });
    const moved = await viewOf(open, first.revision);
    expect(moved.now - first.now).toBeGreaterThanOrEqual(3_600_000);
    expect(Object.keys(moved.lists['events']?.changed ?? {})).toHaveLength(1);
    expect(moved.lists['deliveries']).toEqual({ order: ['ex-1'], changed: {} });
  });

  it('shows requests of the client, and appointments with the answers of the customer', async () => {
    await using open = await openServicePage();
    const { service, play } = open;
    const made = await fetch(`${service.baseUrl}/v1/appointments`, {
      method: 'POST',
      headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ phone: '+4930901820', start: '2099-01-01T10:00:00Z', title: 'Inspection' }),
    });
    expect(made.status).toBe(201);
    await expect.poll(() => open.traffic.kept.length, { timeout: 30_000 }).toBe(1);
    const proposed = await viewOf(open);
    expect(shownIn(proposed, 'requests')).toEqual([expect.stringContaining('✓ accepted createAppointment')]);
    const [markup = ''] = Object.values(proposed.lists['appointments']?.changed ?? {});
    expect(markup).toContain('data-step="customer-accepts"');
    await play('customer-accepts');
    expect(shownIn(await viewOf(open, proposed.revision), 'appointments')).toEqual([
      expect.not.stringContaining('accepts'),
    ]);
  });

  it('shows callbacks with their bodies', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 202 }));
    await using open = await openServicePage({ crm: endpoint.url });
    await open.play('manual');
    const { callbackUrl } = JSON.parse(endpoint.requests[0]?.body ?? '');
    const body = JSON.stringify({ requestContactUpdate: false, requestProjectUpdate: false });
    const headers = { 'Content-Type': 'application/json' };
    for (const status of [200, 404]) {
      expect((await fetch(callbackUrl, { method: 'POST', headers, body })).status).toBe(status);
    }
    await expect.poll(() => open.traffic.kept.length, { timeout: 30_000 }).toBe(3);
    const view = await viewOf(open);
    expect(shownIn(view, 'deliveries')).toEqual([expect.stringContaining('✓ usable Manual a callback is awaited')]);
    expect(shownIn(view, 'requests')).toEqual([
      expect.stringContaining('✗ rejected a callback'),
      expect.stringMatching(/✓ accepted a callback .*"requestContactUpdate": false/),
    ]);
  });

  it('shows every string of the other side as text', async () => {
    await using endpoint = await smallEndpoint(() => ({
      status: 200,
      headers: { 'x-hostile': image },
      body: JSON.stringify({ text: hostile, note: hostile, action: 'handover' }),
    }));
    await using open = await openServicePage({ chat: `${endpoint.url}${image}` });
    const { service, play } = open;
    await fetch(`${service.baseUrl}/v1/contacts`, {
      method: 'POST',
      headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ phone: '+4930901821', firstName: hostile, lastName: hostile }),
    });
    await fetch(`${service.baseUrl}/v1/appointments`, {
      method: 'POST',
      headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ phone: '+4930901821', start: '2099-01-01T10:00:00Z', title: hostile }),
    });
    await play('customer-writes', { text: hostile, from: '+4930901821' });
    const text = JSON.stringify({ type: 'text', text: hostile, last: true });
    open.traffic.add(openCall([{ from: 'ai', atMs: 1, text, bytes: text.length, value: {} }]));
    const view = await viewOf(open);
    const seen = new Set<string>();
    const walk = (node: Element | string): void => {
      if (typeof node === 'string') return;
      seen.add(node.name);
      for (const name of node.attributes.keys()) expect(name).not.toMatch(/^on/);
      node.children.forEach(walk);
    };
    for (const [name, { changed }] of Object.entries(view.lists)) {
      for (const markup of Object.values(changed)) walk(parseHtml(markup));
      expect(shownIn(view, name).join(' '), name).toContain(name === 'endpoints' ? encodeURI(image) : image);
    }
    for (const name of ['img', 'script', 'style', 'a', 'iframe']) expect([...seen]).not.toContain(name);
    expect(JSON.stringify(view)).not.toContain('\u202e');
  });

  it('contains no secret, even one that the endpoint repeats', async () => {
    const body = JSON.stringify({ text: `The secret is ${agentSecret}.`, note: apiKey });
    await using endpoint = await smallEndpoint(() => ({ status: 200, headers: { 'x-echo': agentSecret }, body }));
    const inAddress = 'token-in-an-address';
    await using open = await openServicePage({ chat: `${endpoint.url}?token=${inAddress}` });
    await open.play('customer-writes', { text: `Is ${apiKey} valid?` });
    const shown = JSON.stringify(await viewOf(open));
    expect(shown).toContain('[redacted: agent secret]');
    for (const secret of [agentSecret, apiKey, inAddress]) expect(shown).not.toContain(secret);

    // A secret that becomes known only after it was shown.
    const later = 'svc-token-that-is-issued-later';
    await open.play('customer-writes', { text: later });
    expect(JSON.stringify(await viewOf(open))).toContain(later);
    open.service.inbox.workspace.keys.set(later, 'Later');
    expect(JSON.stringify(await viewOf(open))).not.toContain(later);
  });

  it('announces changes to those who watch, and keeps the connection from being idle', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    await using open = await openServicePage();
    const watching = new AbortController();
    const { body, headers } = await fetch(`${open.controlUrl}/page/changes`, { signal: watching.signal });
    expect(headers.get('content-type')).toBe('text/event-stream');
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let stream = '';
    const streamWith = async (text: string) => {
      while (!stream.includes(text)) {
        const { done, value } = (await reader?.read()) ?? { done: true };
        if (done) throw new Error(`expected ${JSON.stringify(text)}, received ${JSON.stringify(stream)}`);
        stream += value;
      }
      stream = '';
    };
    await streamWith(':\n\n');
    await open.play('time-passes', { minutes: 1 });
    await streamWith('data: changed\n\n');
    vi.advanceTimersByTime(20_000);
    await streamWith(':\n\n');
    await reader?.cancel();
    watching.abort();
  });
});

describe('a resent delivery', () => {
  it('has the same body and a new signature, and changes nothing in the service', async () => {
    let answer: { status: number; body?: string } = { status: 500 };
    await using endpoint = await smallEndpoint(() => answer);
    await using open = await openServicePage({ chat: endpoint.url });
    await open.play('customer-writes', { text: 'Hello' });
    expect(shownIn(await viewOf(open), 'deliveries')).toEqual([
      expect.stringContaining('✗ not usable message.received status 500 instead of a 2xx'),
    ]);
    const turns = () => [...open.service.inbox.workspace.projects.values()].flatMap((project) => project.turns.length);
    const before = turns();
    answer = { status: 200, body: '{"text":"Fixed"}' };
    const again = await open.visit(`${open.controlPath}/page/again/ex-1`, {}, 'POST');
    expect([again.status, JSON.parse(again.text)]).toEqual([200, { again: 'ex-1' }]);
    const [first, second] = endpoint.requests;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['x-svc-delivery-id']).toBe(first?.headers['x-svc-delivery-id']);
    expect(second?.headers['x-svc-signature']).toMatch(/^t=\d+,v1=/);
    expect(turns()).toEqual(before);
    const view = await viewOf(open);
    expect(view.lists['deliveries']?.order).toEqual(['ex-2', 'ex-1']);
    expect(shownIn(view, 'deliveries')[0]).toContain('✓ usable message.received, sent again');
    const unknown = await open.visit(`${open.controlPath}/page/again/ex-9`, {}, 'POST');
    expect([unknown.status, JSON.parse(unknown.text).detail]).toEqual([404, 'This delivery is not kept any more.']);
  });

  it('reports why it could not be sent, without secrets', async () => {
    await using open = await openServicePage();
    open.traffic.add(openCall([]), { repeat: () => Promise.reject(new Error(`no connection with ${agentSecret}`)) });
    const { status, text } = await open.visit(`${open.controlPath}/page/again/ex-1`, {}, 'POST');
    expect([status, JSON.parse(text).detail]).toEqual([409, 'no connection with [redacted: agent secret]']);
  });
});

it('keyed lists send an item again only when it has changed', () => {
  const lists = new KeyedLists();
  const set = (...texts: string[]) =>
    lists.update('all', texts.map((text) => ({ key: text.slice(0, 1), item: html`<li>${text}</li>` }))); // prettier-ignore
  set('a', 'b');
  const { revision } = lists;
  set('c', 'a', 'b2');
  expect(lists.changesSince(revision)).toEqual({
    all: { order: ['c', 'a', 'b'], changed: { c: '<li>c</li>', b: '<li>b2</li>' } },
  });
  set('a');
  expect(lists.changesSince(lists.revision)).toEqual({ all: { order: ['a'], changed: {} } });
});
