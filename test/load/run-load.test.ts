import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { LoadPlan } from '../../load/load-plan.ts';
import { runLoad } from '../../load/run-load.ts';
import { withoutTraffic } from '../../harness/wire/traffic-counts.ts';
import type { ConfiguredLimits, LoadReport } from '../../specs/generated/types.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import { validate } from '../../specs/validators.ts';
import { configOf, credentials, type Addresses } from '../harness/settings-for-tests.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** The fields of CRM and chat events that the endpoints of these tests use. */
interface Sent {
  contactData: { svcContactId: number };
  callbackUrl: string;
  data: { contact: { name: string } };
}

/** A webhook that answers with what `answer` returns. */
async function endpoint(answer: (event: Sent) => Promise<{ status: number; body?: unknown }>): Promise<string> {
  const server = createServer((request, response) => {
    void readJson(request).then(async (event) => {
      const { status, body } = await answer(event);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/crm`;
}

async function readJson(request: IncomingMessage): Promise<Sent> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return JSON.parse(Buffer.concat(parts).toString('utf8')) as Sent;
}

const plan: LoadPlan = {
  surfaces: ['crm-webhook'],
  seed: 1,
  firstRate: 10,
  mostRate: 40,
  mostCalls: 4,
  thinkMs: 20,
  stepSeconds: 0.5,
  mostSeconds: 60,
  // A busy machine may delay the process of the tests: only the test about it judges the delay.
  ownLagMs: Infinity,
};
function load(
  addresses: string | Addresses,
  over: Partial<LoadPlan> = {},
  limits: ConfiguredLimits = {},
): Promise<LoadReport> {
  const named = typeof addresses === 'string' ? { crm: addresses } : addresses;
  const config = configOf(named, { limits: withoutTraffic(limits) });
  return runLoad(config, { ...plan, ...over }, { version: '0', redact: configRedactor(config) });
}

const contactAnswer = ({ svcContactId }: { svcContactId: number }) => ({
  status: 200,
  body: { requestContactUpdate: true, contactData: { svcContactId, crmContactId: 'C-1', firstName: 'Erika' } },
});

describe('load', () => {
  it('finds the planted capacity of an endpoint that handles one event at a time', async () => {
    let queue: Promise<unknown> = Promise.resolve();
    const url = await endpoint(async () => {
      await (queue = queue.then(() => delay(25)));
      return { status: 204 };
    });
    const report = await load(url, { firstRate: 5, mostRate: 320, deadlineMs: 200 });
    const [surface] = report.surfaces;
    expect(validate('loadReport', report)).toEqual([]);
    // One event in 25 ms is 40 in a second; in steps of half a second a queue shows late.
    expect(surface).toMatchObject({ ended: 'edge', findings: [] });
    expect(surface?.meets).toBeGreaterThanOrEqual(10);
    expect(surface?.misses).toBeGreaterThan(20);
    expect(surface?.misses).toBeLessThanOrEqual(90);
    expect(surface?.steps.find(({ outcome }) => outcome === 'missed')?.late).toBeGreaterThan(0);
    expect(report.verdict).toBe('conformant');
  });

  it('reports that a quick and correct endpoint meets the maximum', async () => {
    const url = await endpoint(({ contactData }) => Promise.resolve(contactAnswer(contactData)));
    const report = await load(url);
    expect(report.surfaces[0]).toMatchObject({ meets: 40, misses: null, ended: 'maximum-load', findings: [] });
    expect(report.surfaces[0]?.steps.map(({ load: rate }) => rate)).toEqual([10, 20, 40]);
    expect(report.verdict).toBe('conformant');
  });

  it('finds an answer that belongs to another event, and a needless callback, by the rules of the checks', async () => {
    let before: Sent | undefined;
    const url = await endpoint(async (event) => {
      const { contactData } = before ?? event;
      before = event;
      for (const _ of [1, 2]) await fetch(event.callbackUrl, { method: 'POST', body: '{}' });
      return contactAnswer(contactData);
    });
    const report = await load(url, { mostRate: 10 });
    expect(report.surfaces[0]?.findings.map(({ requirement }) => requirement).toSorted()).toEqual([
      'crm-webhook/answers-now-or-by-callback',
      'crm-webhook/svc-contact-id-unaltered',
    ]);
    expect(report.verdict).toBe('non-conformant');
  });

  it('is incomplete, and shows no missed deadline, while this process itself is too slow', async () => {
    const url = await endpoint(() => Promise.resolve({ status: 204 }));
    const busy = setInterval(() => {
      for (const from = performance.now(); performance.now() - from < 60;);
    }, 20);
    closing.push(() => clearInterval(busy));
    const report = await load(url, { ownLagMs: 20, deadlineMs: 10 });
    expect(report.surfaces[0]).toMatchObject({ meets: null, misses: null, ended: 'own-lag' });
    expect(report.verdict).toBe('incomplete');
    // The delay of each event counts by itself, from its intended start until its answer is read.
    const eventByEvent = await load(url, { ownLagMs: Infinity, deadlineMs: 40 });
    expect(eventByEvent.surfaces[0]?.steps.map(({ late }) => late)).toEqual([0, 0]);
    expect(eventByEvent.surfaces[0]?.steps.some(({ uncertain }) => uncertain > 0)).toBe(true);
  });

  it('is incomplete if the endpoint has no success at the first load, and non-conformant if it is late there', async () => {
    const report = await load(
      await endpoint(() => Promise.resolve({ status: 500, body: `unknown token ${credentials.token}` })),
    );
    expect(report.surfaces[0]).toMatchObject({ meets: null, misses: 10, ended: 'first-load', findings: [] });
    expect(report.surfaces[0]?.steps[0]?.failure).toMatch(/status 500.*unknown token \[redacted/);
    expect(JSON.stringify(report)).not.toContain(credentials.token);
    expect(report.verdict).toBe('incomplete');
    const slow = await endpoint(() => delay(200, { status: 204 }));
    expect(await load(slow, { deadlineMs: 30 })).toMatchObject({
      verdict: 'non-conformant',
      surfaces: [{ meets: null, misses: 10, ended: 'first-load' }],
    });
  });

  it('finds a chat answer to another customer, and a message refused with a valid signature', async () => {
    let before = '';
    let count = 0;
    const url = await endpoint(({ data }) => {
      const text = `Good day, ${before}!`;
      before = data.contact.name;
      return Promise.resolve(count++ === 3 ? { status: 401 } : { status: 200, body: { text, action: 'none' } });
    });
    const report = await load({ chat: url }, { surfaces: ['own-ai-chat'], mostRate: 20 });
    expect(report.surfaces[0]?.findings.map(({ requirement }) => requirement).toSorted()).toEqual([
      'own-ai-chat/accepts-valid-signature',
      'own-ai-chat/keeps-conversations-apart',
    ]);
    expect(JSON.stringify(report)).not.toContain(credentials.agentSecret);
  });

  it('reports that a correct chat meets the maximum, and sends no more messages than the config permits', async () => {
    let count = 0;
    const url = await endpoint(({ data }) => {
      count++;
      return Promise.resolve({ status: 200, body: { text: `Good day, ${data.contact.name}!`, action: 'none' } });
    });
    const chat = { surfaces: ['own-ai-chat'] as const };
    const met = await load({ chat: url }, chat);
    expect(met.surfaces[0]).toMatchObject({ meets: 40, ended: 'maximum-load', findings: [] });
    count = 0;
    const limited = await load({ chat: url }, chat, { messages: 7 });
    expect(count).toBe(7);
    expect(limited).toMatchObject({ verdict: 'incomplete', surfaces: [{ ended: 'limit', findings: [] }] });
  });

  it('sends appointment events, for which the interface has no deadline', async () => {
    const statuses = [200, 401];
    const url = await endpoint(() => Promise.resolve({ status: statuses[0] ?? 200 }));
    const hooks = { surfaces: ['api-webhooks'], mostRate: 20 } as const;
    const met = await load({ hooks: url }, hooks);
    expect(met).toMatchObject({ verdict: 'conformant', surfaces: [{ deadline: null, meets: 20, findings: [] }] });
    statuses.shift();
    const refused = await load({ hooks: url }, hooks);
    expect(refused.surfaces[0]?.findings[0]?.requirement).toBe('api-webhooks/accepts-valid-signature');
  });

  it('reports a second callback that comes in a later step with the load of its event', async () => {
    let count = 0;
    let first = '';
    const url = await endpoint(async ({ callbackUrl }) => {
      if (count === 0) first = callbackUrl;
      // The first step has five events.
      if (count === 7) for (const _ of [1, 2]) await fetch(first, { method: 'POST', body: '{}' });
      return { status: count++ === 0 ? 202 : 204 };
    });
    const { surfaces } = await load(url, { mostRate: 20 });
    expect(surfaces[0]?.findings).toMatchObject([{ requirement: 'crm-webhook/calls-back-once', load: 10 }]);
  });

  it('finds a second callback after a 202', async () => {
    const url = await endpoint(({ callbackUrl }) => {
      void (async () => {
        for (const _ of [1, 2]) await fetch(callbackUrl, { method: 'POST', body: '{}' }).catch(() => undefined);
      })();
      return Promise.resolve({ status: 202 });
    });
    const report = await load(url, { mostRate: 10 });
    expect(report.surfaces[0]?.findings.map(({ requirement }) => requirement)).toEqual(['crm-webhook/calls-back-once']);
  });
});
