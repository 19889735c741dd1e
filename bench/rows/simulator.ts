import { fork, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pool } from 'undici';
import { freePort } from '../../harness/wire/free-port.ts';
import { openApiDocument } from '../../specs/open-api-document.ts';
import type { MessageRequest } from '../../specs/generated/types.ts';
import { openPool } from '../open-pool.ts';
import type { Baseline, MissingBaseline, Row } from '../row.ts';
import { nextMessage } from '../start-process.ts';
import { installTool } from '../tool.ts';

const apiKey = 'svc_sk_of_the_bench';
/** Requests of one measurement, how many of them are in flight at a time, and contacts that they alternate between. */
const requests = 4_000;
const concurrent = 16;
const contacts = 1_000;
/** Messages before memory is measured. */
const messages = 100_000;
/** Fewer requests for a slow server, and milliseconds for its start. */
const requestsOfPrism = 500;
const prismStartMs = 30_000;

/** The built program, because users start it; without a build, the sources. */
const built = new URL('../../dist/', import.meta.url);
const root = existsSync(new URL('service/simulated-service.js', built)) ? built : new URL('../../', import.meta.url);

interface MessageServer extends AsyncDisposable {
  pool: Pool;
  /** Milliseconds from the start of the process until it listened. */
  upMs: number;
  /** Bytes in use after garbage collection. */
  heapBytes: () => Promise<number>;
}

export const rows: readonly Row[] = [
  {
    name: 'simulator-messages',
    what: `POST /v1/messages to the simulated service, ${concurrent} at once`,
    unit: 'requests/s',
    better: 'more',
    run: async (compare) => {
      await using bare = await open('bare');
      await using ours = await open('ours');
      await using stack = new AsyncDisposableStack();
      await compare(
        () => perSecond(ours.pool, requests),
        [
          { name: 'Fastify alone, same schemas', goal: { ratio: 0.7 }, measure: () => perSecond(bare.pool, requests) },
          await prism(stack),
        ],
      );
    },
  },
  {
    name: 'simulator-start',
    what: 'from the start of a process until the simulated service listens',
    unit: 'ms',
    better: 'less',
    goal: 500,
    run: async (compare) => {
      await compare(() => startUp('ours'), [{ name: 'Fastify alone, same schemas', measure: () => startUp('bare') }]);
    },
  },
  {
    name: 'simulator-memory',
    what: `bytes in use for each message, after ${messages} messages to ${contacts} contacts`,
    unit: 'bytes',
    better: 'less',
    rounds: 1,
    run: async (compare) => {
      await compare(() => grown('ours'), [{ name: 'Fastify alone, same schemas', measure: () => grown('bare') }]);
    },
  },
];

/** Starts a server in a separate process, so that it does not share our event loop and memory. */
async function open(how: 'ours' | 'bare'): Promise<MessageServer> {
  const file = fileURLToPath(new URL('../processes/message-server.ts', import.meta.url));
  const child = fork(file, [how, apiKey, root.href], { execArgv: ['--expose-gc'] });
  const { url, upMs } = await nextMessage<{ url: string; upMs: number }>(child);
  const pool = openPool(url, { connections: concurrent });
  return {
    pool,
    upMs,
    heapBytes: async () => {
      child.send('used');
      return await nextMessage<number>(child);
    },
    [Symbol.asyncDispose]: async () => {
      await pool.close();
      child.disconnect();
    },
  };
}

/** Sends messages to the contacts in turn; resolves to their number per second. */
async function perSecond(pool: Pool, count: number): Promise<number> {
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  let next = 0;
  const loop = async () => {
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
  await Promise.all(Array.from({ length: concurrent }, loop));
  return count / ((performance.now() - from) / 1000);
}

async function startUp(how: 'ours' | 'bare'): Promise<number> {
  await using server = await open(how);
  return server.upMs;
}

async function grown(how: 'ours' | 'bare'): Promise<number> {
  await using server = await open(how);
  await perSecond(server.pool, requests);
  const before = await server.heapBytes();
  await perSecond(server.pool, messages);
  return ((await server.heapBytes()) - before) / messages;
}

/** Prism's mock server with our OpenAPI document. */
async function prism(stack: AsyncDisposableStack): Promise<Baseline | MissingBaseline> {
  const goal = { ratio: 5 };
  const tool = await installTool('@stoplight/prism-cli');
  if ('skipped' in tool) return { name: 'Prism', goal, ...tool };
  const document = join(await mkdtemp(join(tmpdir(), 'svc-conform-bench-')), 'openapi.json');
  await writeFile(document, JSON.stringify(openApiDocument()));
  const port = await freePort();
  const args = [
    join(tool.directory, 'dist/index.js'),
    'mock',
    document,
    '--port',
    String(port),
    '--multiprocess',
    'false',
  ];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  stack.defer(() => void child.kill());
  const pool = stack.use(openPool(`http://127.0.0.1:${port}`, { connections: concurrent }));
  await untilListening(pool);
  return { name: tool.title, goal, measure: () => perSecond(pool, requestsOfPrism) };
}

async function untilListening(pool: Pool): Promise<void> {
  for (const from = performance.now(); ;) {
    try {
      await perSecond(pool, 1);
      return;
    } catch (error) {
      if (performance.now() - from > prismStartMs) throw error;
      await new Promise((wake) => setTimeout(wake, 100));
    }
  }
}
