import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { runLoad, type LoadPlan } from '../../load/run-load.ts';
import type { LoadReport } from '../../specs/generated/types.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import { validate } from '../../specs/validators.ts';
import { configOf } from '../harness/settings-for-tests.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Sent {
  contactData: { svcContactId: number };
  callbackUrl: string;
}

/** A CRM webhook that answers with what `answer` returns. */
async function crmEndpoint(answer: (event: Sent) => Promise<{ status: number; body?: unknown }>): Promise<string> {
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
  stepSeconds: 0.5,
  mostSeconds: 60,
  // A busy machine may delay the process of the tests: only the test about it judges the delay.
  ownLagMs: Infinity,
};
function load(crm: string, over: Partial<LoadPlan> = {}): Promise<LoadReport> {
  const config = configOf({ crm });
  return runLoad(config, { ...plan, ...over }, { version: '0', redact: configRedactor(config) });
}

const contactAnswer = ({ svcContactId }: { svcContactId: number }) => ({
  status: 200,
  body: { requestContactUpdate: true, contactData: { svcContactId, crmContactId: 'C-1', firstName: 'Erika' } },
});

describe('load', () => {
  it('finds the planted capacity of an endpoint that handles one event at a time', async () => {
    let queue: Promise<unknown> = Promise.resolve();
    const url = await crmEndpoint(async () => {
      await (queue = queue.then(() => delay(25)));
      return { status: 204 };
    });
    const report = await load(url, { firstRate: 5, mostRate: 320, deadlineMs: 200 });
    const [surface] = report.surfaces;
    expect(validate('loadReport', report)).toEqual([]);
    // One event in 25 ms is 40 in a second; in steps of half a second a queue shows late.
    expect(surface).toMatchObject({ ended: 'edge', findings: [] });
    expect(surface?.meets).toBeGreaterThanOrEqual(5);
    expect(surface?.misses).toBeGreaterThan(20);
    expect(surface?.misses).toBeLessThanOrEqual(320);
    expect(surface?.steps.find(({ outcome }) => outcome === 'missed')?.late).toBeGreaterThan(0);
    expect(report.verdict).toBe('conformant');
  });

  it('reports that a quick and correct endpoint meets the maximum', async () => {
    const url = await crmEndpoint(({ contactData }) => Promise.resolve(contactAnswer(contactData)));
    const report = await load(url);
    expect(report.surfaces[0]).toMatchObject({ meets: 40, misses: null, ended: 'maximum-load', findings: [] });
    expect(report.surfaces[0]?.steps.map(({ load: rate }) => rate)).toEqual([10, 20, 40]);
    expect(report.verdict).toBe('conformant');
  });

  it('finds an answer that belongs to another event, and a second callback, by the rules of the checks', async () => {
    let before: Sent | undefined;
    const url = await crmEndpoint(async (event) => {
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
    const url = await crmEndpoint(() => Promise.resolve({ status: 204 }));
    const busy = setInterval(() => {
      for (const from = performance.now(); performance.now() - from < 60;);
    }, 20);
    closing.push(() => clearInterval(busy));
    const report = await load(url, { ownLagMs: 20, deadlineMs: 10 });
    expect(report.surfaces[0]).toMatchObject({ meets: null, misses: null, ended: 'own-lag' });
    expect(report.verdict).toBe('incomplete');
  });

  it('misses the deadline at the first load if the endpoint never answers with a success', async () => {
    const report = await load(await crmEndpoint(() => Promise.resolve({ status: 500 })));
    expect(report.surfaces[0]).toMatchObject({ meets: null, misses: 10, ended: 'first-load', findings: [] });
    expect(report.surfaces[0]?.steps[0]?.failure).toContain('status 500');
    expect(report.verdict).toBe('non-conformant');
  });
});
