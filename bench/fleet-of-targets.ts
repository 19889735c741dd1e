/**
 * `node bench/fleet-of-targets.ts [targets]`: certifies correct, faulty, slow and hostile targets of this machine with
 * `svc-conform fleet`, and prints time, memory and whether every verdict is the expected one. Needs Linux and the build.
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
import type { FleetReport } from '../specs/generated/types.ts';

const count = Number(process.argv[2] ?? 100);
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

const names = Object.keys(kinds) as Kind[];
const targets = await Promise.all(
  Array.from({ length: count }, async (_, at) => {
    const kind = names[at % names.length] ?? 'good';
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
const child = spawn(process.execPath, [program, 'fleet', 'targets.json', '--json'], {
  cwd: directory,
  env: { ...process.env, CRM_TOKEN: token },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let output = '';
child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
const memory = { fleet: 0, check: 0, together: 0, checks: 0 };
const sampling = setInterval(() => void sample(child.pid ?? 0), sampleMs);
const [code] = (await once(child, 'close')) as [number];
clearInterval(sampling);

const report = JSON.parse(output) as FleetReport;
const wrong = report.targets.filter(({ id, verdict }) => {
  const expected: readonly unknown[] = kinds[id.split('-')[0] as Kind].verdicts;
  return !expected.includes(verdict);
});
const seconds = (performance.now() - begun) / 1000;
const megabytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MB`;
console.log(`${count} targets on ${cpus().length} processors with ${megabytes(totalmem())}, exit code ${code}`);
console.log(`time: ${seconds.toFixed(0)} s, ${(seconds / count).toFixed(2)} s for each target`);
console.log(`most checks at a time: ${memory.checks}`);
console.log(
  `memory: fleet ${megabytes(memory.fleet)}, largest check ${megabytes(memory.check)}, all together ${megabytes(memory.together)}`,
);
console.log(`attempts: ${report.targets.reduce((sum, { attempts }) => sum + attempts, 0)}`);
console.log(`verdicts that are not as expected: ${wrong.length}`);
for (const { id, state, verdict, reason } of wrong) console.log(`  ${id}: ${verdict ?? state} ${reason ?? ''}`);
await rm(directory, { recursive: true });
process.exit(wrong.length === 0 ? 0 : 1);

/** Resident bytes of the fleet and of its checks. */
async function sample(pid: number): Promise<void> {
  const [own, ...checks] = await Promise.all([residentOf(pid), ...(await childrenOf(pid)).map(residentOf)]);
  memory.fleet = Math.max(memory.fleet, own);
  memory.check = Math.max(memory.check, ...checks);
  memory.checks = Math.max(memory.checks, checks.length);
  memory.together = Math.max(
    memory.together,
    checks.reduce((sum, bytes) => sum + bytes, own),
  );
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
