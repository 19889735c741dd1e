import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CallConnection } from '../../harness/wire/call-connection.ts';
import { Deliveries } from '../../harness/wire/deliveries.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { LagMeter } from '../../harness/wire/lag-meter.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import { measuredTime } from '../../harness/wire/timeliness.ts';
import { lateFirst, untilCertain } from '../../suites/certain-time.ts';
import { toBeInTime } from '../../suites/matchers/answer-matchers.ts';

const limitMs = 500;
/** Milliseconds after the request: in proportion to the limit like 2.05 s and 1.8 s to 2 s. */
const late = [512, 540, 575];
const inTime = [430, 450];
const measurementsEach = 3;
/** Attempts for so many answers in time: a busy machine delays the endpoint, too. */
const mostAttempts = 12;

/**
 * An endpoint in its own thread, so that only the harness stalls: `/?ms=500` is answered after 500 ms. It posts how many
 * milliseconds passed on its own clock until it had written the answer, which a busy machine delays, too.
 */
const endpoint = `
  const { createServer } = require('node:http');
  const { parentPort } = require('node:worker_threads');
  const server = createServer((request, response) => {
    const from = performance.now();
    setTimeout(() => response.end('{}'), Number(new URL(request.url, 'http://localhost').searchParams.get('ms')));
    response.on('finish', () => parentPort.postMessage({ url: request.url, tookMs: performance.now() - from }));
    request.resume();
  });
  server.on('upgrade', (request, socket) => {
    const accept = require('node:crypto').createHash('sha1');
    accept.update(request.headers['sec-websocket-key'] + '258EAFA5-E914-47DA-95CA-C5AB0DC85B11');
    const lines = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
    lines.push('Sec-WebSocket-Accept: ' + accept.digest('base64'), '', '');
    setTimeout(() => socket.write(lines.join('\\r\\n')), Number(new URL(request.url, 'http://localhost').searchParams.get('ms')));
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

let worker: Worker;
let host: string;
let lag: LagMeter;
let deliveries: Deliveries;
let stalling: NodeJS.Timeout | undefined;

beforeAll(async () => {
  worker = new Worker(endpoint, { eval: true });
  host = `127.0.0.1:${await new Promise<number>((resolve) => worker.once('message', resolve))}`;
  lag = new LagMeter();
  deliveries = new Deliveries(lag);
});
afterEach(() => clearInterval(stalling));
afterAll(async () => {
  await deliveries[Symbol.asyncDispose]();
  lag[Symbol.dispose]();
  await worker.terminate();
});

describe('while this process stalls repeatedly', () => {
  it.each(late)('an answer after %i of 500 ms never passes', async (ms) => {
    stallRepeatedly();
    for (let nth = 0; nth < measurementsEach; nth++) expect(verdictOn(await send(ms))).not.toBe('pass');
  });

  it.each(inTime)('an answer after %i of 500 ms never fails', async (ms) => {
    stallRepeatedly();
    let judged = 0;
    for (let nth = 0; judged < measurementsEach && nth < mostAttempts; nth++) {
      const { observation, tookMs } = await sendTimed(ms);
      if (tookMs >= limitMs) continue;
      judged++;
      expect(verdictOn(observation)).not.toBe('fail');
    }
    expect(judged).toBeGreaterThan(0);
  });

  it('says how much of a time may be its own delay when that decides', async () => {
    const observation = await send(400);
    const times = { ...observation.times, totalMs: 610, lagMs: 150 };
    expect(() => toBeInTime({ ...observation, times })).toThrow(
      'Not timed: measured 610 ms, of which up to 150 ms are a delay of svc-conform itself; the limit is 500 ms.',
    );
  });
});

describe('in the end', () => {
  const session = { quietMoment: () => lag.quietMoment() };
  const certain = (ms: number) =>
    untilCertain(
      { session: session as never },
      () => send(ms),
      (one) => [measuredTime(one)],
    );

  it('a time is certain when only the first measurement was disturbed', async () => {
    const disturbed = async () => {
      stallRepeatedly();
      const observation = await send(450);
      clearInterval(stalling);
      return { ...observation, times: { ...observation.times, totalMs: 610, lagMs: 200 } };
    };
    let measured = 0;
    const observation = await untilCertain(
      { session: session as never },
      () => (measured++ === 0 ? disturbed() : send(100)),
      (one) => [measuredTime(one)],
    );
    expect(measured).toBe(2);
    expect(verdictOn(observation)).toBe('pass');
  });

  it.each([
    ['our own delay', [{ ms: 610, lagMs: 150, limitMs }], 4],
    [
      'the share of the proxy',
      [
        { ms: 610, lagMs: 150, proxyMs: 140, limitMs },
        { ms: 90, lagMs: 0, limitMs },
      ],
      2,
    ],
    ['one or the other', [140, 10].map((proxyMs) => ({ ms: 610, lagMs: 150, proxyMs, limitMs })), 4],
  ])('a time that stays uncertain because of %s is measured a limited number of times', async (_, times, most) => {
    let measured = 0;
    const quiet = { quietMoment: () => Promise.resolve() };
    await untilCertain(
      { session: quiet as never },
      () => Promise.resolve(measured++),
      () => times,
    );
    expect(measured).toBe(most);
  });

  it('a time that is late for certain decides before one that is uncertain', () => {
    const [uncertain, lateOne] = [
      { ms: 610, lagMs: 150, limitMs },
      { ms: 900, lagMs: 0, limitMs },
    ];
    expect(lateFirst([uncertain, undefined, lateOne], (time) => time)).toEqual([lateOne, uncertain, undefined]);
  });

  it('a time far from the limit is judged', async () => {
    expect(verdictOn(await certain(700))).toBe('fail');
    expect(verdictOn(await certain(100))).toBe('pass');
  });
});

describe('an answer that arrived during a stall of this process', () => {
  it('is read before the wait is given up', async () => {
    stallBeforeTimers();
    const { answer } = await send(250, { timeoutMs: 400 });
    expect(answer.outcome).toBe('answered');
  });

  it('establishes a call', async () => {
    stallBeforeTimers();
    const request = { method: 'GET', url: `ws://${host}/?ms=250`, headers: [], body: Buffer.alloc(0) } as const;
    const connection = await CallConnection.dial(request, { label: 'a call', callId: 'a', timeoutMs: 400 });
    await connection.vanish('reset');
    expect(connection.observation.answer).toMatchObject({ outcome: 'answered', status: 101 });
  });
});

async function send(ms: number, options?: { timeoutMs: number }): Promise<Observation> {
  return await sendTo(`/?ms=${ms}`, options);
}

async function sendTo(path: string, { timeoutMs = 2_000 } = {}): Promise<Observation> {
  const request = { method: 'POST', url: `http://${host}${path}`, headers: [], body: Buffer.from('{}') } as const;
  return await deliveries.deliver(request, { label: 'an event', timeoutMs, limitMs });
}

let timed = 0;

/** Sends an event and waits until the endpoint has posted how long it took. */
async function sendTimed(ms: number): Promise<{ observation: Observation; tookMs: number }> {
  const url = `/?ms=${ms}&timed=${timed++}`;
  const { promise, resolve } = Promise.withResolvers<number>();
  const onMessage = (posted: { url: string; tookMs: number }) => {
    if (posted.url === url) resolve(posted.tookMs);
  };
  worker.on('message', onMessage);
  const observation = await sendTo(url);
  const tookMs = await promise;
  worker.off('message', onMessage);
  return { observation, tookMs };
}

function verdictOn(observation: Observation): 'pass' | 'fail' | 'blocked' {
  try {
    return toBeInTime(observation) === undefined ? 'pass' : 'fail';
  } catch (error) {
    if (error instanceof HarnessFault && error.code === 'own-delay') return 'blocked';
    throw error;
  }
}

function stall(ms: number): void {
  for (const from = performance.now(); performance.now() - from < ms;);
}

/** From 100 ms on, for 500 ms, after which timers come before sockets. */
function stallBeforeTimers(): void {
  setTimeout(() => setImmediate(() => stall(500)), 100);
}

/** Busy most of the time, and at a different moment in each exchange. */
function stallRepeatedly(): void {
  stalling = setInterval(() => stall(90 + (performance.now() % 70)), 30);
}
