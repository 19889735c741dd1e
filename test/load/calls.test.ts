import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import { withoutTraffic } from '../../harness/wire/traffic-counts.ts';
import type { LoadPlan } from '../../load/load-plan.ts';
import { runLoad } from '../../load/run-load.ts';
import type { ConfiguredLimits } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { configOf } from '../harness/settings-for-tests.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Frame {
  type: string;
  text?: string;
  contact?: { name: string };
}

type OnFrame = (frame: Frame, call: WebSocket) => unknown;

/** A phone AI; `onFrame` handles the frames of each call. */
async function phoneAi(onFrame: OnFrame): Promise<string> {
  const server = createServer();
  const calls = new WebSocketServer({ server });
  calls.on('connection', (call) => {
    call.on('message', (data: Buffer) => onFrame(JSON.parse(data.toString('utf8')) as Frame, call));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => {
    for (const call of calls.clients) call.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/voice`;
}

const say = (call: WebSocket, text: string, last = true) => call.send(JSON.stringify({ type: 'text', text, last }));

function load(phone: string, over: Partial<LoadPlan> = {}, permitted: ConfiguredLimits = {}, long?: string) {
  const config = configOf(
    { phone },
    { limits: withoutTraffic(permitted), stimuli: long === undefined ? {} : { phone: { long } } },
  );
  const plan: LoadPlan = {
    surfaces: ['own-ai-phone'],
    seed: 1,
    firstRate: 1,
    mostRate: 1,
    mostCalls: 2,
    mostSeconds: 60,
    thinkMs: 20,
    ownLagMs: Infinity,
    ...over,
  };
  return runLoad(config, plan, { version: '0', redact: configRedactor(config) });
}

describe('a load of calls', () => {
  it('finds the number of concurrent calls that an AI with one worker answers in time', async () => {
    let queue: Promise<unknown> = Promise.resolve();
    const url = await phoneAi(({ type }, call) => {
      if (type === 'prompt') queue = queue.then(() => delay(40)).then(() => say(call, 'Yes.'));
    });
    const report = await load(url, { mostCalls: 32, deadlineMs: 200 });
    expect(validate('loadReport', report)).toEqual([]);
    const [surface] = report.surfaces;
    // Five answers of 40 ms fit into the deadline.
    expect(surface).toMatchObject({ ended: 'edge', unit: 'concurrent-calls', findings: [] });
    expect(surface?.misses).toBeGreaterThan(2);
    expect(surface?.misses).toBeLessThanOrEqual(16);
  });

  it('shows dead air, the time to stop and talk-over as figures, without a verdict', async () => {
    const url = await phoneAi(({ type, text }, call) => {
      if (type !== 'prompt') return;
      if (text !== 'Tell me everything') {
        say(call, 'One moment.', false);
        setTimeout(() => say(call, 'Yes.'), 60);
        return;
      }
      // Does not stop at the interrupt.
      for (let piece = 0; piece < 12; piece++) setTimeout(() => say(call, 'More. ', piece === 11), 60 * piece);
    });
    const report = await load(url, { mostCalls: 1 }, {}, 'Tell me everything');
    const feel = report.surfaces[0]?.steps[0]?.feel;
    expect(feel?.deadAir?.p50).toBeGreaterThan(30);
    expect(feel?.interrupts).toBe(1);
    expect(feel?.pieces).toBeGreaterThan(0);
    expect(feel?.stop?.max).toBeGreaterThan(30);
    expect(report).toMatchObject({ verdict: 'conformant', surfaces: [{ meets: 1, findings: [] }] });
  });

  it('finds the words of another caller, and makes no more calls than the config permits', async () => {
    const names: string[] = [];
    const url = await phoneAi(({ type, contact }, call) => {
      if (contact) names.push(contact.name);
      if (type === 'prompt') say(call, `Good day, ${names.join(' and ')}!`);
    });
    const crossed = await load(url);
    expect(crossed.surfaces[0]?.findings.map(({ requirement }) => requirement)).toEqual([
      'own-ai-phone/keeps-calls-apart',
    ]);
    const before = names.length;
    // Two steps need three calls; of the next four, one is left.
    const limited = await load(url, { mostCalls: 4 }, { calls: 4 });
    expect(names.length - before).toBe(4);
    expect(limited.surfaces[0]).toMatchObject({ meets: 2, ended: 'limit' });
  });

  const half = (call: WebSocket) => say(call, 'One moment', false);
  it.each<[what: string, failure: string, onFrame: OnFrame]>([
    [
      'breaks off each call at its start',
      'a connection closed by the AI',
      ({ type }, call) => type === 'session.started' && call.terminate(),
    ],
    [
      'breaks off each call within an answer',
      'a connection that was ended by the AI',
      ({ type }, call) => {
        if (type !== 'prompt') return;
        half(call);
        setTimeout(() => call.terminate(), 20);
      },
    ],
    [
      'sends a frame of more than 64 KB',
      'a frame over 65536 bytes',
      ({ type }, call) => type === 'prompt' && say(call, 'x'.repeat(70_000)),
    ],
  ])('does not meet its deadline with an AI that %s', async (_, failure, onFrame) => {
    const report = await load(await phoneAi(onFrame), { mostCalls: 1 });
    expect(report).toMatchObject({
      verdict: 'incomplete',
      surfaces: [{ meets: null, misses: 1, ended: 'first-load' }],
    });
    expect(report.surfaces[0]?.steps[0]).toMatchObject({ failed: 1, outcome: 'missed' });
    expect(report.surfaces[0]?.steps[0]?.failure).toContain(failure);
  });

  it('shows nothing about an AI that ends each call before a sentence can be timed', async () => {
    const url = await phoneAi(({ type }, call) => {
      if (type === 'session.started')
        call.send(JSON.stringify({ type: 'action', action: 'end', text: 'Closed today.' }));
    });
    const report = await load(url, { mostCalls: 1 });
    expect(validate('loadReport', report)).toEqual([]);
    expect(report).toMatchObject({ verdict: 'incomplete', surfaces: [{ meets: null, ended: 'nothing-timed' }] });
    expect(report.surfaces[0]?.steps.map(({ failed }) => failed)).toEqual([0, 0]);
  });
});
