import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import type { MessageRequest } from '../specs/generated/types.ts';
import { compare } from './rounds.ts';

const apiKey = 'svc_sk_of_the_bench';
/** Requests of one round, and how many of them are in flight at a time. */
const requests = 2_000;
const atOnce = 16;
/** Messages before memory is measured, and the contacts that they alternate between. */
const messages = 100_000;
const contacts = 1_000;
/** Goals: share of the throughput of Fastify alone, and milliseconds from the start of a process until it listens. */
const goalShare = 0.6;
const goalUpMs = 500;

/** The built program, because users start it; without a build, the sources. */
const built = new URL('../dist/', import.meta.url);
const root = existsSync(new URL('service/simulated-service.js', built)) ? built : new URL('../', import.meta.url);

interface MessageServer {
  pool: Pool;
  /** Milliseconds from the start of the process until it listened, and the CPU time of the process in them. */
  upMs: number;
  upCpuMs: number;
  /** Its usage so far: CPU time in milliseconds, and bytes in use after garbage collection. */
  used: () => Promise<{ cpuMs: number; heapBytes: number }>;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/** Starts a server in a separate process, so that it does not share our event loop and memory. */
async function open(how: 'ours' | 'bare'): Promise<MessageServer> {
  const file = fileURLToPath(new URL('message-server.ts', import.meta.url));
  const child = fork(file, [how, apiKey, root.href], { execArgv: ['--expose-gc'] });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${code}`)));
  const said = async <T>() => ((await Promise.race([once(child, 'message'), ended])) as [T])[0];
  const { url, upMs, cpuMs } = await said<{ url: string; upMs: number; cpuMs: number }>();
  const pool = new Pool(url, { connections: atOnce });
  return {
    pool,
    upMs,
    upCpuMs: cpuMs,
    used: async () => {
      child.send('used');
      return await said();
    },
    [Symbol.asyncDispose]: async () => {
      await pool.close();
      child.disconnect();
      await ended.catch(() => undefined);
    },
  };
}

/** Sends messages to the contacts in turn; resolves to the total time divided by their number, in milliseconds. */
async function send({ pool }: MessageServer, count: number): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  let next = 0;
  const line = async () => {
    while (next < count) {
      const nth = next++ % contacts;
      const message: MessageRequest = {
        phone: `+49152288${String(nth).padStart(5, '0')}`,
        text: 'Your bicycle is ready. You can pick it up until six.',
        purpose: 'service',
        channels: ['whatsapp', 'sms'],
      };
      const body = JSON.stringify(message);
      const answer = await pool.request({ path: '/v1/messages', method: 'POST', headers, body });
      const text = await answer.body.text();
      if (answer.statusCode !== 202) throw new Error(`expected 202, received ${answer.statusCode}: ${text}`);
    }
  };
  const from = performance.now();
  await Promise.all(Array.from({ length: atOnce }, line));
  return (performance.now() - from) / count;
}

/** The same in CPU time of the server, which a busy machine does not change. */
async function work(server: MessageServer): Promise<number> {
  const before = await server.used();
  await send(server, requests);
  const after = await server.used();
  return (after.cpuMs - before.cpuMs) / requests;
}

async function startUp(how: 'ours' | 'bare', what: 'upMs' | 'upCpuMs'): Promise<number> {
  await using server = await open(how);
  return server[what];
}

console.log(`The simulated service, ${root === built ? 'built' : 'from its sources because it is not built'}`);
const verdict = (isMet: boolean) => (isMet ? 'met' : 'missed');

{
  await using bare = await open('bare');
  await using ours = await open('ours');
  for (const [name, measure] of [
    [`POST /v1/messages, ${atOnce} at once`, (server: MessageServer) => send(server, requests)],
    ['CPU time of each of them', work],
  ] as const) {
    const { ratio } = await compare(
      `${name}, compared with Fastify alone with the same schemas`,
      'ms',
      () => measure(bare),
      () => measure(ours),
    );
    const share = 1 / ratio;
    const percent = (of: number) => `${(of * 100).toFixed(0)} %`;
    console.log(
      `  goal     ${percent(goalShare)} of its throughput: ${percent(share)}, ${verdict(share >= goalShare)}`,
    );
  }
}
for (const [name, what] of [
  ['From the start of a process until the service listens', 'upMs'],
  ['CPU time of that', 'upCpuMs'],
] as const) {
  const { subject } = await compare(
    `${name}, compared with Fastify alone`,
    'ms',
    () => startUp('bare', what),
    () => startUp('ours', what),
  );
  console.log(`  goal     under ${goalUpMs} ms: ${verdict(subject < goalUpMs)}`);
}
{
  console.log(`Memory in use after ${messages} messages to ${contacts} contacts, compared with Fastify alone`);
  const grown: number[] = [];
  for (const [name, how] of [
    ['baseline', 'bare'],
    ['ours    ', 'ours'],
  ] as const) {
    await using server = await open(how);
    await send(server, requests);
    const before = await server.used();
    await send(server, messages);
    const after = await server.used();
    grown.push(after.heapBytes);
    const perMessage = ((after.heapBytes - before.heapBytes) / messages).toFixed(0);
    console.log(`  ${name} ${(after.heapBytes / 1e6).toFixed(1)} MB in total, ${perMessage} bytes per message`);
  }
  const [bare = NaN, ours = NaN] = grown;
  console.log(`  ratio    ${(ours / bare).toFixed(2)}`);
}
