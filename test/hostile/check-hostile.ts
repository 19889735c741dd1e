import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../specs/generated/types.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { setUp, startEndpoint, type RunningEndpoint } from '../proving/endpoint.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { ListeningServer } from '../server-fixture.ts';
import { authorityCertificate } from '../tls/test-authority.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';

/** The result of a run of the command against a hostile endpoint, in a separate process. */
export interface HostileRun {
  code: number | null;
  /** Peak memory of the process. */
  peakMb: number;
  seconds: number;
  report: Report | undefined;
  /** Every written file by its name. */
  files: Record<string, string>;
  stderr: string;
}

const peak = /peak memory: (\d+) KiB/;

const settings = ['--callback-wait', '4', '--answer-timeout', '4', '--seed', '7', '--runs', '20'];

/** Runs `svc-conform check` against the endpoint in a separate process, reports and diagnosis included. */
export async function checkHostile(endpoint: HostileEndpoint): Promise<HostileRun> {
  const { surface, build, front, isNarrow = false } = endpoint;
  await using running = await startEndpoint(build());
  await using outer = await front?.(Number(new URL(running.crm).port));
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(configOf(surface, reached(running, outer))));
  await writeFile(directory.at('ca.pem'), authorityCertificate);
  const from = performance.now();
  const only = isNarrow ? ['--only', judgedOf(endpoint).join(',')] : [];
  const { code, stderr } = await runCommand(['check', ...settings, ...only, '--format', 'html,junit,sarif'], {
    cwd: directory.path,
    nodeArgs: ['--import', fileURLToPath(new URL('./report-peak.ts', import.meta.url))],
    env: {
      TOKEN: setUp.token,
      HOOKS: setUp.hookSecret,
      AGENT: setUp.agentSecret,
      KEY: setUp.apiKey,
      NODE_EXTRA_CA_CERTS: directory.at('ca.pem'),
    },
  });
  const written = directory.at(`conformance-report${isNarrow ? '/partial' : ''}`);
  const names = await readdir(written).catch(() => []);
  const read = async (name: string) => [name, await readFile(`${written}/${name}`, 'utf8')] as const;
  const files: Record<string, string> = Object.fromEntries(await Promise.all(names.map(read)));
  const { 'report.json': report } = files;
  return {
    code,
    peakMb: Math.round(Number(peak.exec(stderr)?.[1]) / 1024),
    seconds: Math.round((performance.now() - from) / 1000),
    report: report === undefined ? undefined : (JSON.parse(report) as Report),
    files,
    stderr,
  };
}

/** Times and memory of these runs in one line. */
export function describeRuns(runs: readonly HostileRun[]): string {
  const seconds = runs.map((run) => run.seconds).sort((a, b) => a - b);
  const peakMb = Math.max(...runs.map((run) => run.peakMb));
  const [median, most] = [seconds[seconds.length >> 1], seconds.at(-1)];
  return `${runs.length} hostile endpoints: ${median} s in the median, ${most} s and ${peakMb} MB at most`;
}

/** Requirements about which the test of an endpoint asserts something. */
export function judgedOf({ fails, blocks = [], passes = [] }: HostileEndpoint): RequirementId[] {
  return [...new Set([...fails, ...blocks, ...passes])];
}

/** The addresses of the endpoint, those of the server in front of it if there is one. */
function reached(running: RunningEndpoint, front: ListeningServer | undefined): RunningEndpoint {
  if (front === undefined) return running;
  const there = (address: string) => Object.assign(new URL(address), { port: String(front.port) }).href;
  const secure = (address: string) => there(address.replace(/^(http|ws):/, '$1s:'));
  const { crm, hooks, chat, voice } = running;
  return { ...running, crm: secure(crm), hooks: secure(hooks), chat: secure(chat), voice: secure(voice) };
}

function configOf(surface: HostileEndpoint['surface'], { crm, hooks, chat, voice }: RunningEndpoint) {
  return {
    ...(surface === 'crm-webhook' && { crmWebhook: { url: crm, token: 'env:TOKEN' } }),
    ...(surface === 'api-webhooks' && { apiWebhooks: { url: hooks, secret: 'env:HOOKS' } }),
    ...(surface === 'own-ai-chat' && { chat: { url: chat, secret: 'env:AGENT', timeoutSeconds: 2 } }),
    ...(surface === 'own-ai-phone' && { phone: { url: voice, secret: 'env:AGENT', timeoutSeconds: 2 } }),
    skills: setUp.skills,
    stimuli: setUp.stimuli,
    service: { apiKey: 'env:KEY' },
  };
}
