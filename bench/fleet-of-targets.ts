/**
 * `node bench/fleet-of-targets.ts [targets] [queue]`: certifies correct, faulty, slow and hostile targets of this machine
 * with `svc-conform fleet`, and prints time, processor time, memory and whether every verdict is the expected one. With
 * the address of an empty queue, three workers share the targets, one of which is killed after a third of them; no
 * target may be lost or certified twice. Needs Linux and the build.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startIntegrator } from '../examples/integrator/server.ts';
import type { FleetEvent, FleetReport } from '../specs/generated/types.ts';

const count = Number(process.argv[2] ?? 100);
const queue = process.argv[3];
const token = 'Tk9Wm3Xq7Lr2Bv5Nc8Zd1Fh4Js6Gp0Ya';
/** Milliseconds: beyond the limit for lookups. */
const slowMs = 2_500;
const sampleMs = 500;

async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/crm`;
}

async function correct(crmToken: string): Promise<string> {
  const secrets = { hookSecret: 'h'.repeat(32), agentSecret: `whsec_${btoa('a'.repeat(24))}`, apiKey: 'svc_sk_bench' };
  return (await startIntegrator({ crmToken, ...secrets, log: () => undefined })).crmUrl;
}

const kinds = {
  good: { verdicts: ['conformant'], start: () => correct(token) },
  faulty: { verdicts: ['non-conformant'], start: () => correct(`${token}-other`) },
  slow: {
    verdicts: ['non-conformant'],
    start: () =>
      served((request, response) => {
        request.resume();
        setTimeout(() => response.writeHead(204).end(), slowMs);
      }),
  },
  // Its answers never end, so the budget may end before anything could be judged.
  hostile: {
    verdicts: ['non-conformant', 'incomplete'],
    start: () =>
      served((request, response) => {
        request.resume();
        response.writeHead(200, { 'content-type': 'application/json' });
        const drip = setInterval(() => response.write(' '.repeat(1_000)), 50);
        response.on('close', () => clearInterval(drip)).on('error', () => undefined);
      }),
  },
} as const satisfies Record<string, { verdicts: FleetReport['verdict'][]; start: () => Promise<string> }>;
type Kind = keyof typeof kinds;

const kindNames = Object.keys(kinds) as Kind[];
const targets = await Promise.all(
  Array.from({ length: count }, async (_, at) => {
    const kind = kindNames[at % kindNames.length] ?? 'good';
    const url = await kinds[kind].start();
    return { id: `${kind}-${at}`, config: { crmWebhook: { url, token: 'env:CRM_TOKEN' } } };
  }),
);
const directory = await mkdtemp(join(tmpdir(), 'svc-conform-fleet-'));
await writeFile(
  join(directory, 'targets.json'),
  JSON.stringify({ defaults: { budgetSeconds: 30, environment: { CRM_TOKEN: 'env:CRM_TOKEN' } }, targets }),
);

const begun = performance.now();
const program = fileURLToPath(new URL('../bin/svc-conform.js', import.meta.url));
const memory = { fleet: 0, check: 0, together: 0, checks: 0 };
const seconds = new Map<number, number>();
/** Completed targets, with the worker of each. */
const completed: string[] = [];

interface Worker {
  pid: number;
  kill: () => void;
  ended: Promise<{ code: number | null; output: string }>;
}

function startWorker(name: string): Worker {
  const shared = queue === undefined ? [] : ['--queue', queue];
  const args = ['fleet', 'targets.json', '--json', '--events', `${name}.ndjson`, '--out', name, ...shared];
  const child = spawn(process.execPath, [program, ...args], {
    cwd: directory,
    env: { ...process.env, CRM_TOKEN: token },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return { pid: child.pid ?? 0, kill: () => child.kill('SIGKILL'), ended };
}

const names = queue === undefined ? ['one'] : ['one', 'two', 'three'];
let workers = names.map(startWorker);
const sampling = setInterval(() => void sample(workers.map(({ pid }) => pid)), sampleMs);
if (queue !== undefined) {
  while ((await completedTargets()).length < count / 3) await new Promise((wake) => setTimeout(wake, sampleMs));
  const [first, ...others] = workers;
  first?.kill();
  await first?.ended;
  workers = others;
}
const results = await Promise.all(workers.map(({ ended }) => ended));
clearInterval(sampling);
completed.push(...(await completedTargets()));
const [{ code, output } = { code: null, output: '{}' }] = results;

const report = JSON.parse(output) as FleetReport;
const wrong = report.targets.filter(({ id, verdict }) => {
  const expected: readonly unknown[] = kinds[id.split('-')[0] as Kind].verdicts;
  return !expected.includes(verdict);
});
const duration = (performance.now() - begun) / 1000;
const processorSeconds = [...seconds.values()].reduce((sum, own) => sum + own, 0);
const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;
console.log(`${count} targets on ${cpus().length} processors with ${megabytes(totalmem())}, exit code ${code}`);
console.log(`time: ${duration.toFixed(0)} s, ${(duration / count).toFixed(2)} s for each target`);
console.log(
  `processor time: ${processorSeconds.toFixed(0)} s, ${(processorSeconds / count).toFixed(2)} s for each target`,
);
console.log(`most checks at a time: ${memory.checks}`);
console.log(
  `memory: fleet ${megabytes(memory.fleet)}, largest check ${megabytes(memory.check)}, all together ${megabytes(memory.together)}`,
);
console.log(`attempts: ${report.targets.reduce((sum, { attempts }) => sum + attempts, 0)}`);
console.log(
  `certified: ${new Set(completed).size} of ${count}, twice: ${completed.length - new Set(completed).size}, workers: ${names.length}`,
);
console.log(`verdicts that are not as expected: ${wrong.length}`);
for (const { id, state, verdict, reason } of wrong) console.log(`  ${id}: ${verdict ?? state} ${reason ?? ''}`);
await rm(directory, { recursive: true });
process.exit(wrong.length === 0 && completed.length === new Set(completed).size ? 0 : 1);

/** Targets whose result was accepted, by the events of all workers. */
async function completedTargets(): Promise<string[]> {
  const logs = names.map((name) => readFile(join(directory, `${name}.ndjson`), 'utf8').catch(() => ''));
  const lines = (await Promise.all(logs)).flatMap((text) => text.split('\n').filter((line) => line.endsWith('}')));
  return lines
    .map((line) => JSON.parse(line) as FleetEvent)
    .flatMap((event) => (event.event === 'target-finished' && event.state === 'complete' ? [event.target] : []));
}

/** Samples the resident bytes of the fleets and of their checks, and the processor time so far. */
async function sample(pids: readonly number[]): Promise<void> {
  const own = await Promise.all(pids.map(residentOf));
  const children = (await Promise.all(pids.map(childrenOf))).flat();
  const checks = await Promise.all(children.map(residentOf));
  for (const pid of pids) seconds.set(pid, Math.max(seconds.get(pid) ?? 0, await processorSecondsOf(pid)));
  memory.fleet = Math.max(memory.fleet, ...own);
  memory.check = Math.max(memory.check, ...checks);
  memory.checks = Math.max(memory.checks, checks.length);
  memory.together = Math.max(
    memory.together,
    [...own, ...checks].reduce((sum, bytes) => sum + bytes, 0),
  );
}

/** Of a process and of those that it started and that have ended. */
async function processorSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // After the name: state is the first field, utime, stime, cutime and cstime are the 12th to 15th, in hundredths.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s*(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  );
  return lists.flatMap((list) => list.trim().split(' ').filter(Boolean).map(Number));
}
