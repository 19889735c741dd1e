import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { contractChecks, isContractCheck } from '../../contracts/contract-checks.ts';
import { contractSurfaces, serviceContracts } from '../../contracts/contract-files.ts';
import { startIntegrator } from '../../examples/integrator/server.ts';
import example from '../../examples/svc-conform.config.json' with { type: 'json' };
import { validate } from '../../specs/validators.ts';
import type { Report } from '../../specs/types.ts';
import { fakeBroker } from '../contracts/fake-broker.ts';
import { runCommand, temporaryFolder } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = {
  CRM_TOKEN: 'Lv8nRq3Xw0Au5Co9Sd',
  HOOK_SECRET: 'hook_Yq4Rm8Xe2Qs6Wn1',
  AGENT_SECRET: 'whsec_cGFjdCB2ZXJpZnkgc2VjcmV0',
  SVC_API_KEY: 'svc_sk_Pv7Yt2Mz5',
  BROKER_TOKEN: 'brk_Hc6Tn9Wq1Zs4',
};

/** The example integrator, and a config that names it. */
async function integrator(folder: { at: (name: string) => string }) {
  const running = await startIntegrator({
    crmToken: env.CRM_TOKEN,
    hookSecret: env.HOOK_SECRET,
    agentSecret: env.AGENT_SECRET,
    apiKey: env.SVC_API_KEY,
    log: () => undefined,
  });
  const config = {
    crmWebhook: { ...example.crmWebhook, url: running.crmUrl },
    apiWebhooks: { ...example.apiWebhooks, url: running.hooksUrl },
    chat: { ...example.chat, url: running.chatUrl },
    phone: { ...example.phone, url: running.voiceUrl },
    skills: example.skills,
    stimuli: example.stimuli,
  };
  writeFileSync(folder.at('svc-conform.config.json'), JSON.stringify(config));
  return { running, [Symbol.asyncDispose]: () => running.close() };
}

async function reportIn(folder: { at: (name: string) => string }): Promise<Report> {
  return JSON.parse(await readFile(folder.at('conformance-report/report.json'), 'utf8')) as Report;
}

describe('pact verify', () => {
  it('verifies every contract against the example integrator, and tells a broker', async () => {
    await using folder = await temporaryFolder();
    await using _endpoint = await integrator(folder);
    await using broker = await fakeBroker({ token: env.BROKER_TOKEN });
    const flags = ['--broker-url', broker.url, '--broker-token', 'env:BROKER_TOKEN'];
    const { code, stdout, stderr } = await runCommand(
      ['pact', 'verify', ...flags, '--publish', '--provider-version', 'c0ffee'],
      { cwd: folder.path, env: { ...env, PACT_DESCRIPTION: 'nothing', HTTP_PROXY: 'http://127.0.0.1:9' } },
    );
    const report = await reportIn(folder);
    const bad = report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked');
    expect(bad.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(stdout).toContain('CONFORMANT');
    expect(code).toBe(0);
    expect(validate('report', report)).toEqual([]);
    expect(report.selection).toEqual({ contracts: true });
    const expected = contractChecks(await serviceContracts(contractSurfaces)).map(({ identity }) => identity.id);
    expect(report.checks.map(({ id }) => id).sort()).toEqual(expected.sort());
    for (const surface of contractSurfaces) {
      const passed = report.checks.filter((check) => check.surface === surface && check.verdict === 'pass');
      expect(passed.length).toBeGreaterThan(10);
    }
    expect(broker.results.map(({ success }) => success)).toEqual(contractSurfaces.map(() => true));
    expect(stderr).toContain('own-ai-phone c0ffee verified.');
    expect(stdout + stderr).not.toContain(env.BROKER_TOKEN);
  });

  it('ends with 1, and says how to try again, when an interaction fails', async () => {
    await using folder = await temporaryFolder();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const target = ['--hooks-url', endpoint.url, '--hooks-secret', 'env:HOOK_SECRET'];
    const { code, stdout } = await runCommand(['pact', 'verify', ...target, '--json'], { cwd: folder.path, env });
    expect(code).toBe(1);
    const report = JSON.parse(stdout) as Report;
    const [failed] = report.checks.filter(({ verdict }) => verdict === 'fail');
    expect(failed?.reproduce).toBe(`npx svc-conform pact verify ${target.join(' ')} --only '${failed?.id}'`);
  });

  it('ends with 3 when the broker was not told, and the report is there', async () => {
    await using folder = await temporaryFolder();
    await using endpoint = await integrator(folder);
    await using broker = await fakeBroker({ token: 'another one' });
    const { code, stderr } = await runCommand(
      ['pact', 'verify', '--surface', 'api-webhooks', '--broker-url', broker.url],
      { cwd: folder.path, env },
    );
    expect(stderr).toContain('The broker was not told: GET');
    expect(code).toBe(3);
    expect((await reportIn(folder)).target).toEqual({ 'api-webhooks': { url: endpoint.running.hooksUrl } });
  });

  it.each([
    [['--publish'], 'The flags of a broker need its address'],
    [['--surface', 'deep-links'], 'there is no contract for it'],
    [['--only', 'api-webhooks/answers-201'], 'did you mean api-webhooks/answers-200'],
  ])('refuses %j and says why', async (flags, why) => {
    await using folder = await temporaryFolder();
    const target = ['--hooks-url', 'http://127.0.0.1:9/', '--hooks-secret', 'env:HOOK_SECRET'];
    const { code, stderr } = await runCommand(['pact', 'verify', ...target, ...flags], { cwd: folder.path, env });
    expect(stderr.toLowerCase()).toContain(why.toLowerCase());
    expect(code).toBe(2);
  });
});

describe('check --contracts', () => {
  it('puts suites and contracts into one report', async () => {
    await using folder = await temporaryFolder();
    await using _endpoint = await integrator(folder);
    const requirement = 'api-webhooks/answers-200';
    const { code } = await runCommand(['check', '--contracts', '--only', requirement], { cwd: folder.path, env });
    const report = await reportIn(folder);
    expect(code).toBe(0);
    expect(report.selection).toEqual({ only: [requirement] });
    expect(new Set(report.checks.map(({ id }) => isContractCheck(id)))).toEqual(new Set([true, false]));
  });

  it('is not shared out', async () => {
    await using folder = await temporaryFolder();
    const flags = ['--hooks-url', 'http://127.0.0.1:9/', '--hooks-secret', 'env:HOOK_SECRET'];
    const { code, stderr } = await runCommand(['check', ...flags, '--contracts', '--shard', '1/2', '--seed', '1'], {
      cwd: folder.path,
      env,
    });
    expect(stderr).toContain('--contracts with --shard');
    expect(code).toBe(2);
  });
});
