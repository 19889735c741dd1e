import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import { WebSocket } from 'ws';
import { Call } from '../../harness/wire/call.ts';
import { CallConnection } from '../../harness/wire/call-connection.ts';
import { LagMeter } from '../../harness/wire/lag-meter.ts';
import { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { LoadSession } from '../../load/load-session.ts';
import { resolvedConfig, secret } from '../run-settings.ts';
import { openPool } from '../open-pool.ts';
import type { Row } from '../row.ts';
import { startEndpoint } from '../start-process.ts';

const timeoutMs = 10_000;
/**
 * Concurrent exchanges, the longest time for which the endpoint holds an answer, and the goal for the p99 of the error;
 * milliseconds.
 */
const loads = [
  { concurrent: 1, holdMs: 50, goal: 2 },
  { concurrent: 20, holdMs: 500, goal: 5 },
  { concurrent: 200, holdMs: 500, goal: 15 },
];
/** Milliseconds of one measurement. */
const roundMs = 2_500;

/** Measures one exchange: milliseconds by which its time exceeds the time for which the endpoint reports that it held the answer. */
type Exchange = () => Promise<number>;
/** Prepares one of the concurrent lines of exchanges. */
type Open = () => Promise<{ exchange: Exchange; close?: () => void }>;

export const rows: readonly Row[] = [
  ...loads.map(({ concurrent, holdMs, goal }): Row => ({
    name: `latency-error-deliveries-${concurrent}`,
    what: `p99 of the error of answer times, against the endpoint's own clock, concurrent deliveries: ${concurrent}`,
    unit: 'ms',
    better: 'less',
    goal,
    rounds: 3,
    run: async (compare) => {
      using endpoint = await startEndpoint('http-endpoint.ts', String(holdMs));
      const { url } = endpoint;
      await using session = await LoadSession.open(resolvedConfig({ apiWebhooks: { url, secret } }), 1);
      await using pool = openPool(url);
      await compare(
        () => p99OfErrors({ concurrent, holdMs }, async () => ({ exchange: () => ourDelivery(session) })),
        [
          {
            name: 'bare undici',
            measure: () => p99OfErrors({ concurrent, holdMs }, async () => ({ exchange: () => bareDelivery(pool) })),
          },
        ],
      );
    },
  })),
  ...loads.map(({ concurrent, holdMs, goal }): Row => ({
    name: `latency-error-calls-${concurrent}`,
    what: `p99 of the error of first pieces, against the endpoint's own clock, concurrent calls: ${concurrent}`,
    unit: 'ms',
    better: 'less',
    goal,
    rounds: 3,
    run: async (compare) => {
      using endpoint = await startEndpoint('call-endpoint.ts', String(holdMs));
      using lag = new LagMeter();
      await compare(
        () => p99OfErrors({ concurrent, holdMs }, () => ourCall(endpoint.url, lag)),
        [{ name: 'bare ws', measure: () => p99OfErrors({ concurrent, holdMs }, () => bareCall(endpoint.url)) }],
      );
    },
  })),
];

async function p99OfErrors(
  { concurrent, holdMs }: { concurrent: number; holdMs: number },
  open: Open,
): Promise<number> {
  const lines = await Promise.all(Array.from({ length: concurrent }, open));
  const until = performance.now() + roundMs;
  const errors = await Promise.all(
    lines.map(async ({ exchange, close }) => {
      const all: number[] = [];
      // Customers do not write in step with each other.
      await sleep(Math.random() * holdMs);
      while (performance.now() < until) all.push(await exchange());
      close?.();
      return all;
    }),
  );
  const sorted = errors.flat().toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? NaN;
}

async function ourDelivery({ hooks, sample }: LoadSession): Promise<number> {
  const { answer, times } = await hooks.post(hooks.sign(sample.apiWebhookEvent()), { label: 'bench', timeoutMs });
  if (answer.outcome !== 'answered' || times.totalMs === null) throw new Error(`received ${answer.outcome}`);
  return times.totalMs - heldMs(answer.body);
}

async function bareDelivery(pool: Pool): Promise<number> {
  const from = performance.now();
  const answer = await pool.request({ path: '/', method: 'POST', body: '{}' });
  const body = await answer.body.bytes();
  return performance.now() - from - heldMs(body);
}

/** The time that the endpoint reports. */
function heldMs(body: Uint8Array): number {
  return (JSON.parse(Buffer.from(body).toString('utf8')) as { heldMs: number }).heldMs;
}

let calls = 0;

async function ourCall(url: string, lag: LagMeter): ReturnType<Open> {
  const callId = `bench-${calls++}`;
  const upgrade = SignedDelivery.upgrade(callId, [['X-Svc-Call-Id', callId]], secret);
  const connection = await CallConnection.dial(upgrade.request(url, Date.now()), { label: 'bench', callId, timeoutMs });
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
    exchange: async () => {
      const { firstPieceMs, byFrame = -1 } = await call.ask('How late is it?');
      const { heldMs: held } = call.observation.frames[byFrame]?.value as { heldMs: number };
      return (firstPieceMs ?? NaN) - held;
    },
    close: () => void call.vanish('close'),
  };
}

async function bareCall(url: string): ReturnType<Open> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  return {
    exchange: () =>
      new Promise((resolve) => {
        const from = performance.now();
        socket.once('message', (data: Buffer) => resolve(performance.now() - from - heldMs(data)));
        socket.send(JSON.stringify({ type: 'prompt', text: 'How late is it?' }));
      }),
    close: () => socket.close(),
  };
}
