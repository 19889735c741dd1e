import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { Call } from '../harness/wire/call.ts';
import { CallConnection } from '../harness/wire/call-connection.ts';
import { LagMeter } from '../harness/wire/lag-meter.ts';
import { SignedDelivery } from '../harness/wire/signed-delivery.ts';
import { endpointProcess } from './endpoint-process.ts';

/** Milliseconds for which the endpoint holds each answer. */
const holdMs = 50;
/** Concurrent calls, and the goal for the p99 of the error, in milliseconds. */
const loads = [
  { calls: 1, goalMs: 5 },
  { calls: 50, goalMs: 15 },
];
/** Sentences in one round, and rounds; with many concurrent calls, each speaks a twentieth of the sentences. */
const sentences = 100;
const rounds = 5;
const timeoutMs = 10_000;

/** Milliseconds by which a measured time exceeds the time for which the endpoint reports that it held the answer. */
type Errors = number[];
interface Line {
  ask: () => Promise<number>;
  close: () => void;
}

using endpoint = await endpointProcess('holding-endpoint.ts', String(holdMs));
using lag = new LagMeter();
let next = 0;

/** Measures calls of the driver. */
async function ours(): Promise<Line> {
  const callId = `bench-${next++}`;
  const request = SignedDelivery.upgrade(callId, [['X-Svc-Call-Id', callId]], 'whsec_bench').request(
    endpoint.url,
    Date.now(),
  );
  const connection = await CallConnection.dial(request, { label: 'bench', callId, timeoutMs });
  const timeouts = () => ({
    firstPieceMs: timeoutMs,
    nextPieceMs: timeoutMs,
    wholeMs: 60_000,
    shortened: false,
    usualMs: 500,
    quietMs: timeoutMs,
  });
  const call = new Call(connection, { timeouts, lag });
  return {
    ask: async () => {
      const { firstPieceMs, byFrame = -1 } = await call.ask('How late is it?');
      const { heldMs } = call.observation.frames[byFrame]?.value as { heldMs: number };
      return (firstPieceMs ?? NaN) - heldMs;
    },
    close: () => void call.vanish('close'),
  };
}

/** The same with the WebSocket library alone. */
async function bare(): Promise<Line> {
  const socket = new WebSocket(endpoint.url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    ask: () =>
      new Promise((resolve) => {
        const from = performance.now();
        socket.once('message', (data: Buffer) => {
          const whole = performance.now() - from;
          resolve(whole - (JSON.parse(data.toString('utf8')) as { heldMs: number }).heldMs);
        });
        socket.send(JSON.stringify({ type: 'prompt', text: 'How late is it?' }));
      }),
    close: () => socket.close(),
  };
}

async function round(open: () => Promise<Line>, calls: number): Promise<Errors> {
  const lines = await Promise.all(Array.from({ length: calls }, open));
  const errors = await Promise.all(
    lines.map(async (line) => {
      const all: Errors = [];
      // Callers do not speak in step with each other.
      await sleep(Math.random() * holdMs);
      for (let at = 0; at < sentences / Math.min(calls, 20); at++) all.push(await line.ask());
      line.close();
      return all;
    }),
  );
  return errors.flat();
}

const quantile = (errors: Errors, part: number) =>
  errors.toSorted((a, b) => a - b)[Math.min(errors.length - 1, Math.floor(errors.length * part))] ?? NaN;
const p99Of = (errors: Errors) => quantile(errors, 0.99);

/** A pause of a busy machine delays every waiting call, so the p99 of each round is shown as well. */
function describe(all: Errors[]): string {
  const errors = all.flat();
  const [p50, p99, most] = [0.5, 0.99, 1].map((part) => quantile(errors, part).toFixed(2));
  const ofRounds = all.map((one) => p99Of(one).toFixed(1)).join(' ');
  return `p50 ${p50}  p99 ${p99}  most ${most} ms (${errors.length} answers; p99 of each round: ${ofRounds})`;
}

console.log(`Error of firstPieceMs, against an endpoint that holds its answers for ${holdMs} ms`);
for (const { calls, goalMs } of loads) {
  await round(bare, calls);
  await round(ours, calls);
  const [baseline, measured]: [Errors[], Errors[]] = [[], []];
  for (let at = 0; at < rounds; at++) {
    baseline.push(await round(bare, calls));
    measured.push(await round(ours, calls));
  }
  console.log(`  ${calls} at once`);
  console.log(`    baseline ${describe(baseline)}`);
  console.log(`    ours     ${describe(measured)}`);
  console.log(`    ratio    ${(p99Of(measured.flat()) / p99Of(baseline.flat())).toFixed(2)} of the p99`);
  console.log(`    goal     p99 under ${goalMs} ms: ${p99Of(measured.flat()) < goalMs ? 'met' : 'missed'}`);
}
