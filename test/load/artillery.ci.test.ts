import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIntegrator, type Integrator } from '../../examples/integrator/server.ts';
import type { LoadPhase, LoadScript } from '../../load/artillery/load-script.ts';
import type { Config } from '../../specs/generated/types.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { credentials } from '../harness/settings-for-tests.ts';

/** The command of an Artillery that has artillery-engine/ installed; docs/load.md has the commands. */
const artillery = process.env['ARTILLERY'];
if (artillery === undefined) console.warn('skipped: no Artillery on this machine; set ARTILLERY to its bin/run');

const env = {
  CRM_TOKEN: credentials.token,
  HOOK_SECRET: credentials.hookSecret,
  AGENT_SECRET: credentials.agentSecret,
  ARTILLERY_DISABLE_TELEMETRY: 'true',
};
let integrator: Integrator;

beforeAll(async () => {
  integrator = await startIntegrator({
    crmToken: credentials.token,
    hookSecret: credentials.hookSecret,
    agentSecret: credentials.agentSecret,
    apiKey: credentials.apiKey,
    log: () => undefined,
  });
});
afterAll(() => integrator.close());

/** Artillery starts one worker fewer than the machine has processors: two, whatever this machine has. */
const threeProcessors = `const os = require('node:os');
const [one] = os.cpus();
os.cpus = () => [one, one, one];
`;

interface ArtilleryReport {
  aggregate: { counters: Record<string, number>; summaries: Record<string, { count: number }> };
}

async function runArtillery(
  directory: { at: (name: string) => string; path: string },
  variables: NodeJS.ProcessEnv,
): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [artillery ?? '', 'run', 'load.artillery.json', '--output', 'result.json'], {
    cwd: directory.path,
    env: { ...process.env, ...variables, NODE_OPTIONS: `--require ${directory.at('processors.cjs')}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'close') as Promise<[number | null]>]);
  return { code, printed };
}

describe.skipIf(artillery === undefined)('a load on Artillery with two workers', () => {
  it.concurrent('sends to the example what the plan has, and finds nothing', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('processors.cjs'), threeProcessors);
    const { crmUrl, hooksUrl, chatUrl, voiceUrl } = integrator;
    // A short timeout: Artillery waits in each step for as long as correct answers may take.
    const agent = { secret: 'env:AGENT_SECRET', timeoutSeconds: 2 };
    const target: Config = {
      crmWebhook: { url: crmUrl, token: 'env:CRM_TOKEN' },
      apiWebhooks: { url: hooksUrl, secret: 'env:HOOK_SECRET' },
      chat: { url: chatUrl, ...agent },
      phone: { url: voiceUrl, ...agent },
    };
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(target));
    const steps = ['--first-rate', '5', '--max-rate', '5', '--step-seconds', '2'];
    const calls = ['--first-calls', '11', '--max-calls', '11'];
    const args = ['load', '--export', 'artillery', '--seed', '3', ...steps, ...calls];
    const exported = await runCommand(args, { cwd: directory.path, env });
    expect(exported, exported.stderr).toMatchObject({ code: 0 });
    const written = await readFile(directory.at('load.artillery.json'), 'utf8');
    for (const secret of Object.values(credentials)) expect(written).not.toContain(secret);

    const { code, printed } = await runArtillery(directory, env);
    for (const secret of Object.values(credentials)) expect(printed).not.toContain(secret);
    const { aggregate } = JSON.parse(await readFile(directory.at('result.json'), 'utf8')) as ArtilleryReport;
    const { counters, summaries } = aggregate;
    expect(counters['svc_conform.violations'], printed).toBe(0);
    const { config } = JSON.parse(written) as LoadScript;
    const phases = config.phases.filter((phase): phase is LoadPhase => 'surface' in phase);
    for (const { surface, load, duration } of phases)
      expect(counters[`svc_conform.${surface}.at_${load}.sent`], surface).toBe(load * duration);
    // Each worker writes its own delay once for each step.
    expect(summaries['svc_conform.own_lag']?.count).toBe(2 * phases.length);
    expect(summaries['svc_conform.own-ai-phone.first_piece']?.count).toBe(3 * 11);
    // A busy machine makes the result incomplete, and then the exit code shows that.
    expect(code, printed).toBe(counters['svc_conform.incomplete'] === 0 ? 0 : 1);
  });

  it.concurrent('fails for an endpoint that refuses what is signed, and ends at once without a secret', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('processors.cjs'), threeProcessors);
    const flags = ['--chat-url', integrator.chatUrl, '--chat-secret', 'env:AGENT_SECRET'];
    const steps = ['--first-rate', '2', '--max-rate', '2', '--step-seconds', '1', '--seed', '3'];
    const args = ['load', '--export', 'artillery', ...steps, ...flags];
    expect((await runCommand(args, { cwd: directory.path, env })).code).toBe(0);
    const other = `whsec_${Buffer.from('another secret').toString('base64')}`;
    const { code, printed } = await runArtillery(directory, { ...env, AGENT_SECRET: other });
    expect(printed).toContain('own-ai-chat/accepts-valid-signature at 2: expected');
    expect(code, printed).toBe(1);

    const { AGENT_SECRET: _, ...without } = env;
    const ended = await runArtillery(directory, without);
    expect(ended.printed).toContain('chat.secret is env:AGENT_SECRET, but the environment variable');
    expect(ended.code).toBeGreaterThan(0);
  });
});
