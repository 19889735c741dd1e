import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { contractChecks, isContractCheck } from '../../contracts/contract-checks.ts';
import { contractSurfaces, serviceContracts } from '../../contracts/contract-files.ts';
import { startIntegrator } from '../../examples/integrator/server.ts';
import example from '../../examples/svc-conform.config.json' with { type: 'json' };
import { freePort } from '../../harness/wire/free-port.ts';
import { validate } from '../../specs/validators.ts';
import type { Report } from '../../specs/generated/types.ts';
import { fakeBroker } from '../contracts/fake-broker.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = {
  CRM_TOKEN: 'Lv8nRq3Xw0Au5Co9Sd',
  HOOK_SECRET: 'hook_Yq4Rm8Xe2Qs6Wn1',
  AGENT_SECRET: 'whsec_cGFjdCB2ZXJpZnkgc2VjcmV0',
  SVC_API_KEY: 'svc_sk_Pv7Yt2Mz5',
  BROKER_TOKEN: 'brk_Hc6Tn9Wq1Zs4',
};

/** The example integrator, and a config that names it. */
async function integrator(directory: { at: (name: string) => string }) {
  // The integrator acts through API v1, whose address it knows before the run.
  const port = await freePort('127.0.0.1');
  const running = await startIntegrator({
    baseUrl: `http://127.0.0.1:${port}`,
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
    service: { port, apiKey: 'env:SVC_API_KEY' },
  };
  writeFileSync(directory.at('svc-conform.config.json'), JSON.stringify(config));
  return { running, [Symbol.asyncDispose]: () => running.close() };
}

async function reportIn(directory: { at: (name: string) => string }): Promise<Report> {
  return JSON.parse(await readFile(directory.at('conformance-report/partial/report.json'), 'utf8')) as Report;
}

describe('pact verify', () => {
  it('verifies every contract against the example integrator, and notifies a broker', async () => {
    await using directory = await temporaryDirectory();
    await using _endpoint = await integrator(directory);
    await using broker = await fakeBroker({ token: env.BROKER_TOKEN });
    const flags = ['--broker-url', broker.url, '--broker-token', 'env:BROKER_TOKEN'];
    const { code, stdout, stderr } = await runCommand(
      ['pact', 'verify', ...flags, '--publish', '--provider-version', 'c0ffee'],
      { cwd: directory.path, env: { ...env, PACT_DESCRIPTION: 'nothing', HTTP_PROXY: 'http://127.0.0.1:9' } },
    );
    const report = await reportIn(directory);
    const bad = report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked');
    expect(bad.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(stdout).toMatch(/^PASSED, partial: \d+ of \d+/m);
    expect(code).toBe(0);
    expect(validate('report', report)).toEqual([]);
    expect(report.selection).toEqual({ contracts: true });
    const expected = contractChecks(await serviceContracts(contractSurfaces)).map(({ identity }) => identity.id);
    const ofContracts = report.checks.filter(isContractCheck);
    expect(ofContracts.map(({ id }) => id).sort()).toEqual(expected.sort());
    // The integrator writes notes.
    const others = report.checks.filter((check) => !ofContracts.includes(check));
    expect(others.map(({ source }) => source)).toEqual(others.map(() => 'observed'));
    expect(others.map(({ requirement }) => requirement)).toContain('api-client/carries-an-api-key');
    for (const surface of contractSurfaces) {
      const passed = report.checks.filter((check) => check.surface === surface && check.verdict === 'pass');
      expect(passed.length).toBeGreaterThan(10);
    }
    expect(broker.results.map(({ success }) => success)).toEqual(contractSurfaces.map(() => true));
    expect(stderr).toContain('own-ai-phone c0ffee verified.');
    expect(stdout + stderr).not.toContain(env.BROKER_TOKEN);
  });

  it('ends with 1 when an interaction fails, and prints how to repeat it', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const target = ['--hooks-url', endpoint.url, '--hooks-secret', 'env:HOOK_SECRET'];
    const { code, stdout } = await runCommand(['pact', 'verify', ...target, '--json'], { cwd: directory.path, env });
    expect(code).toBe(1);
    const report = JSON.parse(stdout) as Report;
    const [failed] = report.checks.filter(({ verdict }) => verdict === 'fail');
    expect(failed?.reproduce).toBe(`npx svc-conform pact verify ${target.join(' ')} --only '${failed?.id}'`);
  });

  it('judges the requests to API v1 that the endpoint sends meanwhile', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(({ headers, body }) => {
      if (headers.authorization !== `Bearer ${env.CRM_TOKEN}`) return { status: 401 };
      const { callbackUrl, projectData } = JSON.parse(body) as {
        callbackUrl: string;
        projectData?: { svcProjectId: number } | null;
      };
      // A note without an API key.
      void fetch(`${new URL(callbackUrl).origin}/v1/notes`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ projectId: projectData?.svcProjectId, text: 'Recorded.' }),
      }).catch(() => undefined);
      return { status: 204 };
    });
    const target = ['--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN'];
    const { code, stdout } = await runCommand(['pact', 'verify', ...target, '--json'], { cwd: directory.path, env });
    const report = JSON.parse(stdout) as Report;
    expect(validate('report', report)).toEqual([]);
    const failed = report.checks.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ requirement, source }) => [requirement, source])).toContainEqual([
      'api-client/carries-an-api-key',
      'observed',
    ]);
    expect(failed.find(({ source }) => source === 'observed')?.reproduce).toBe(
      `npx svc-conform pact verify ${target.join(' ')}`,
    );
    expect(code).toBe(1);
    // A selection of interactions does not show how the endpoint behaves as a whole.
    const only = ['--only', 'crm-webhook/answers-every-event', '--json'];
    const part = await runCommand(['pact', 'verify', ...target, ...only], { cwd: directory.path, env });
    expect((JSON.parse(part.stdout) as Report).checks.every(isContractCheck)).toBe(true);
  });

  it('ends with 3 when the broker was not notified, and writes the report', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await integrator(directory);
    await using broker = await fakeBroker({ token: 'another one' });
    const { code, stderr } = await runCommand(
      ['pact', 'verify', '--surface', 'api-webhooks', '--broker-url', broker.url],
      { cwd: directory.path, env },
    );
    expect(stderr).toContain('The results were not published to the broker: GET');
    expect(code).toBe(3);
    expect((await reportIn(directory)).target).toEqual({ 'api-webhooks': { url: endpoint.running.hooksUrl } });
  });

  it.each([
    [['--publish'], 'The broker flags need an address'],
    [['--surface', 'deep-links'], 'there is no contract for it'],
    [['--only', 'api-webhooks/answers-201'], 'did you mean api-webhooks/answers-200'],
  ])('refuses %j and says why', async (flags, why) => {
    await using directory = await temporaryDirectory();
    const target = ['--hooks-url', 'http://127.0.0.1:9/', '--hooks-secret', 'env:HOOK_SECRET'];
    const { code, stderr } = await runCommand(['pact', 'verify', ...target, ...flags], { cwd: directory.path, env });
    expect(stderr.toLowerCase()).toContain(why.toLowerCase());
    expect(code).toBe(2);
  });
});

describe('check --contracts', () => {
  it('reports suites and contracts in one report', async () => {
    await using directory = await temporaryDirectory();
    await using _endpoint = await integrator(directory);
    const requirement = 'api-webhooks/answers-200';
    const { code } = await runCommand(['check', '--contracts', '--only', requirement], { cwd: directory.path, env });
    const report = await reportIn(directory);
    expect(code).toBe(0);
    expect(report.selection).toEqual({ only: [requirement] });
    expect(new Set(report.checks.map(isContractCheck))).toEqual(new Set([true, false]));
  });

  it('verifies only the interaction that --only names, and prints how to repeat it', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 500 }));
    const target = ['--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN'];
    const [check] = contractChecks(await serviceContracts(['crm-webhook']), ['crm-webhook/answers-every-event']);
    const id = check?.identity.id ?? '';
    const flags = ['--contracts', '--only', id, '--confirm', '1'];
    const { code, stderr } = await runCommand(['check', ...target, ...flags], { cwd: directory.path, env });
    expect(stderr).toContain('Re-running 1 failed check');
    const { checks, selection } = await reportIn(directory);
    expect(checks).toMatchObject([
      {
        id,
        verdict: 'fail',
        repeats: { failed: 2, of: 2 },
        reproduce: `npx svc-conform pact verify ${target.join(' ')} --only '${id}'`,
      },
    ]);
    expect(selection).toEqual({ only: [id] });
    expect(code).toBe(1);
  });

  it.each([
    [['--only', 'api-webhooks/answers-200#contract-of-nothing'], 'Checks of contracts run with --contracts.'],
    [['--only', 'api-webhooks/refuses-short-v1'], 'no interaction of a contract has this id'],
    [['--surface', 'own-ai-chat'], 'the config has no endpoint for own-ai-chat'],
    [
      ['--path', '0:1', '--seed', '1', '--only', 'api-webhooks/answers-200'],
      '--path replays a counterexample of a suite',
    ],
  ])('refuses %j and says why', async (flags, why) => {
    await using directory = await temporaryDirectory();
    const target = ['--hooks-url', 'http://127.0.0.1:9/', '--hooks-secret', 'env:HOOK_SECRET'];
    const { code, stderr } = await runCommand(['check', ...target, '--contracts', ...flags], {
      cwd: directory.path,
      env,
    });
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });

  it('runs alongside custom suites, which pact verify does not need', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 500 }));
    // A title like those of contract checks.
    const suite = `import { check, expect, requirement } from 'svc-conform/suite';
      const own = requirement({
        id: 'api-webhooks/acme-rule', section: 'Handbook', level: 'must', statement: 'It works.', remediation: 'Fix it.',
      });
      check(own, 'contract holds', async () => { expect(1).toBe(2); });`;
    writeFileSync(directory.at('a.suite.ts'), suite);
    const target = ['--hooks-url', endpoint.url, '--hooks-secret', 'env:HOOK_SECRET'];
    const flags = ['--suites', 'a.suite.ts', '--contracts', '--confirm', '1'];
    const only = 'api-webhooks/acme-rule,api-webhooks/answers-200';
    const { code } = await runCommand(['check', ...target, ...flags, '--only', only], { cwd: directory.path, env });
    const { checks } = await reportIn(directory);
    expect(code).toBe(1);
    const again = (id: string | undefined) => checks.find((check) => check.id === id)?.reproduce;
    const ownId = 'api-webhooks/acme-rule#contract-holds';
    expect(again(ownId)).toContain(`check ${target.join(' ')} --suites a.suite.ts --only '${ownId}'`);
    const contract = checks.find(isContractCheck)?.id;
    expect(again(contract)).toBe(`npx svc-conform pact verify ${target.join(' ')} --only '${contract}'`);
  });

  it('cannot be split into shards', async () => {
    await using directory = await temporaryDirectory();
    const flags = ['--hooks-url', 'http://127.0.0.1:9/', '--hooks-secret', 'env:HOOK_SECRET'];
    const { code, stderr } = await runCommand(['check', ...flags, '--contracts', '--shard', '1/2', '--seed', '1'], {
      cwd: directory.path,
      env,
    });
    expect(stderr).toContain('--contracts with --shard');
    expect(code).toBe(2);
  });
});
