import { EventEmitter } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { LoadEngine, type ScenarioEvents } from '../../entry/artillery.ts';
import { configOf, credentials } from '../harness/settings-for-tests.ts';
import { loadScript, type LoadPhase, type LoadScript } from '../../load/artillery/load-script.ts';
import type { Config } from '../../specs/generated/types.ts';

const environment = { LOAD_TOKEN: credentials.token, LOAD_SECRET: credentials.agentSecret };
const closing: (() => void)[] = [];
const printed: string[] = [];

beforeAll(() => {
  Object.assign(process.env, environment);
  vi.spyOn(console, 'log').mockImplementation((line: string) => void printed.push(line));
});
afterAll(() => {
  for (const close of closing) close();
  for (const name of [...Object.keys(environment), 'SVC_CONFORM_MACHINE']) delete process.env[name];
  vi.restoreAllMocks();
});

/** A CRM webhook that answers with this status. */
async function endpoint(
  answer: (event: { callbackUrl: string }) => Promise<number>,
): Promise<{ url: string; received: number }> {
  const own = { url: '', received: 0 };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      own.received++;
      const event = JSON.parse(Buffer.concat(parts).toString('utf8')) as { callbackUrl: string };
      void answer(event).then((status) => response.writeHead(status).end());
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  own.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/crm`;
  return own;
}

function scriptFor(crm: string, confirmedHosts: string[] = [], over: Partial<Config> = {}): LoadScript {
  const value: Config = { crmWebhook: { url: crm, token: 'env:LOAD_TOKEN' }, ...over };
  const plan = {
    surfaces: ['crm-webhook'] as const,
    seed: 5,
    firstRate: 5,
    mostRate: 5,
    mostCalls: 1,
    stepSeconds: 1,
    mostSeconds: 60,
  };
  const script = loadScript(configOf({ crm }), value, plan, confirmedHosts);
  // A busy machine may delay the process of the tests: only the test about it judges the delay.
  script.config.engines['svc-conform'].ownLagMs = Infinity;
  return script;
}

/** The metrics of one worker whose virtual users Artillery would begin. */
async function runWorker(script: LoadScript, worker: number, totalWorkers: number): Promise<Record<string, number>> {
  const phases = script.config.phases.map((phase) => ({ ...phase, worker, totalWorkers }));
  const runner = new EventEmitter();
  const engine = new LoadEngine({ ...script, config: { ...script.config, phases } }, runner);
  await engine.start();
  const counts: Record<string, number> = {};
  const add = (name: string, value: number) => (counts[name] = (counts[name] ?? 0) + value);
  const events: ScenarioEvents = {
    emit: (kind, name = kind, value = 1) => (kind === 'histogram' ? add(`${name}.count`, 1) : add(name, value)),
  };
  for (const [index, phase] of phases.entries()) {
    runner.emit('phaseStarted', { ...phase, index });
    if (!('surface' in phase)) continue;
    const scenario = engine.createScenario({}, events);
    // Artillery may begin more than the worker's part.
    const users = Array.from({ length: phase.load }, () => new Promise<unknown>((done) => scenario({}, done)));
    runner.emit('phaseCompleted', { ...phase, index });
    expect(await Promise.all(users)).toEqual(users.map(() => null));
  }
  runner.emit('done');
  return counts;
}

describe('the engine for Artillery', () => {
  it.concurrent('sends in two workers what the plan has, and counts each second callback', async () => {
    // Both arrive before the answer, so that the test does not depend on the time after which they are judged.
    const crm = await endpoint(async ({ callbackUrl }) => {
      for (const _ of [1, 2]) await fetch(callbackUrl, { method: 'POST', body: '{}' });
      return 202;
    });
    const script = scriptFor(crm.url);
    const all = await Promise.all([runWorker(script, 1, 2), runWorker(script, 2, 2)]);
    expect(all.map((counts) => counts['svc_conform.crm-webhook.at_5.sent'])).toEqual([3, 2]);
    expect(crm.received).toBe(5);
    for (const [at, counts] of all.entries()) {
      const sent = 3 - at;
      expect(counts['svc_conform.violation.crm-webhook/calls-back-once']).toBe(sent);
      expect(counts).toMatchObject({ started: 5, 'svc_conform.violations': sent, 'svc_conform.incomplete': 0 });
      expect(counts['svc_conform.own_lag.count']).toBe(1);
    }
    const timed = all.map((counts) => counts['svc_conform.crm-webhook.response_time.count'] ?? 0);
    expect(timed[0]).toBeGreaterThan(0);
    expect(printed).toContainEqual(
      expect.stringMatching(/^svc-conform: crm-webhook\/calls-back-once at 5: expected .*, received /),
    );
  });

  it.concurrent('counts an endpoint without success as incomplete, and sends it no higher step', async () => {
    const crm = await endpoint(() => Promise.resolve(500));
    const script = scriptFor(crm.url);
    const [first] = script.config.phases as [LoadPhase];
    const higher = { ...first, name: 'higher', load: 10, arrivalRate: 10 };
    const counts = await runWorker({ ...script, config: { ...script.config, phases: [first, higher] } }, 1, 1);
    expect(counts).toMatchObject({
      'svc_conform.crm-webhook.failed': 5,
      'svc_conform.incomplete': 1,
      'svc_conform.crm-webhook.no_success': 1,
      'svc_conform.crm-webhook.at_10.skipped': 10,
    });
    expect(crm.received).toBe(5);
    expect(printed.join('\n')).toContain('status 500');
  });

  it.concurrent('counts a step as incomplete, not as missed, while its own process is too slow', async () => {
    const { url } = await endpoint(() => Promise.resolve(500));
    const script = scriptFor(url);
    script.config.engines['svc-conform'].ownLagMs = -1;
    const counts = await runWorker(script, 1, 1);
    expect(counts).toMatchObject({
      'svc_conform.violations': 0,
      'svc_conform.incomplete': 1,
      'svc_conform.crm-webhook.own_lag': 1,
    });
    expect(printed.join('\n')).toMatch(/incomplete: this worker was \d.* ms late/);
  });

  it.concurrent('sends all from one worker if the service has a public address, which leads to one', async () => {
    const service = { publicUrl: 'https://svc.example.com', publicUrlCheck: false };
    const script = scriptFor((await endpoint(() => Promise.resolve(204))).url, [], { service });
    const all = await Promise.all([runWorker(script, 1, 2), runWorker(script, 2, 2)]);
    expect(all.map((counts) => counts['svc_conform.crm-webhook.sent'])).toEqual([5, undefined]);
  });

  it('starts only for confirmed hosts, with the secrets, and with a number among all machines', async () => {
    const remote = 'https://crm.example.com/hook';
    const near = 'http://127.0.0.1:1/crm';
    await expect(runWorker(scriptFor(remote), 1, 1)).rejects.toMatchObject({ code: 'address-not-confirmed' });
    await expect(runWorker(scriptFor(remote, ['other.example.com']), 1, 1)).rejects.toMatchObject({
      code: 'address-not-confirmed',
    });
    delete process.env['LOAD_TOKEN'];
    await expect(runWorker(scriptFor(near), 1, 1)).rejects.toMatchObject({ code: 'secret-missing' });
    process.env['LOAD_TOKEN'] = credentials.token;
    process.env['SVC_CONFORM_MACHINE'] = '3/2';
    await expect(runWorker(scriptFor(near), 1, 1)).rejects.toMatchObject({ code: 'value-invalid' });
  });
});

describe('the script for Artillery', () => {
  it('doubles the load of each surface, with pauses for the answers, and contains no secret', () => {
    const url = 'http://127.0.0.1:1/crm';
    const config = configOf({ crm: url, chat: url, phone: 'ws://127.0.0.1:1/voice' });
    const value: Config = {
      crmWebhook: { url, token: 'env:LOAD_TOKEN' },
      apiWebhooks: { url, secret: 'env:LOAD_SECRET' },
      chat: { url, secret: 'env:LOAD_SECRET', timeoutSeconds: 2 },
      phone: { url: 'ws://127.0.0.1:1/voice', secret: 'env:LOAD_SECRET', timeoutSeconds: 2 },
      apiClient: { exercise: { command: 'node sync.js' } },
      waivers: [],
    };
    const plan = {
      surfaces: ['crm-webhook', 'own-ai-chat', 'own-ai-phone'] as const,
      seed: 9,
      firstRate: 1.5,
      mostRate: 10,
      firstCalls: 50,
      mostCalls: 120,
      mostSeconds: 300,
    };
    const script = loadScript(config, value, plan, []);
    const text = JSON.stringify(script);
    for (const secret of Object.values(credentials)) expect(text).not.toContain(secret);
    const parsed = JSON.parse(text) as LoadScript;
    expect(parsed.scenarios).toEqual([{ name: 'load', engine: 'svc-conform', flow: [] }]);
    expect(parsed.config.engines['svc-conform']).toEqual({
      seed: 9,
      confirmedHosts: [],
      config: { crmWebhook: value.crmWebhook, chat: value.chat, phone: value.phone },
    });
    const steps = parsed.config.phases.filter((phase): phase is LoadPhase => 'surface' in phase);
    expect(steps.map(({ surface, load }) => [surface, load])).toEqual([
      ...['crm-webhook', 'own-ai-chat'].flatMap((surface) => [2, 4, 8, 10].map((load) => [surface, load])),
      ...[50, 100, 120].map((load) => ['own-ai-phone', load]),
    ]);
    // Artillery divides only whole rates without loss.
    for (const { load, arrivalRate, duration } of steps) {
      expect(arrivalRate).toBe(load);
      expect(Number.isInteger(duration)).toBe(true);
    }
    const pauses = parsed.config.phases.flatMap((phase) => ('pause' in phase ? [phase.pause] : []));
    expect(pauses).toHaveLength(steps.length);
    for (const pause of pauses) expect(pause).toBeGreaterThanOrEqual(2 + 2);
    expect(loadScript(config, value, { ...plan, mostSeconds: 20 }, []).config.phases.length).toBeLessThan(
      parsed.config.phases.length,
    );
  });
});
