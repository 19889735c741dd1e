import { existsSync, writeFileSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { startIntegrator } from '../../examples/integrator/server.ts';
import { validate } from '../../specs/validators.ts';
import type { Report, RunEvent } from '../../specs/generated/types.ts';
import { runCommand, startCommand, temporaryDirectory } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = {
  CRM_TOKEN: 'Kx7mQp2Vw9Zt4Bn8Rc',
  HOOK_SECRET: 'whsec_hook',
  AGENT_SECRET: 'whsec_agent',
  API_KEY: 'svc_sk_1',
};
const byFlags = (url: string) => ['check', '--crm-url', url, '--crm-token', 'env:CRM_TOKEN'];

async function reportIn(directory: { at: (name: string) => string }): Promise<Report> {
  const partial = directory.at('conformance-report/partial/report.json');
  const file = existsSync(partial) ? partial : directory.at('conformance-report/report.json');
  return JSON.parse(await readFile(file, 'utf8')) as Report;
}

describe.concurrent('exit codes', () => {
  it('0: a conformant endpoint', async () => {
    await using directory = await temporaryDirectory();
    const integrator = await startIntegrator({
      crmToken: env.CRM_TOKEN,
      hookSecret: env.HOOK_SECRET,
      agentSecret: env.AGENT_SECRET,
      apiKey: env.API_KEY,
      log: () => undefined,
    });
    try {
      const { code, stdout, stderr } = await runCommand([...byFlags(integrator.crmUrl), '--seed', '7'], {
        cwd: directory.path,
        env,
      });
      expect(stdout).toContain('CONFORMANT');
      expect(stdout).toContain('seed 7, report in conformance-report/report.html');
      expect(stderr).toMatch(/^crm-webhook: \d+ checks done, 0 failed/m);
      expect(code).toBe(0);
      const report = await reportIn(directory);
      expect(validate('report', report)).toEqual([]);
      expect(report).toMatchObject({
        verdict: 'conformant',
        seed: 7,
        target: { 'crm-webhook': { url: integrator.crmUrl } },
      });
      expect(report.selection).toBeUndefined();
      expect((await stat(directory.at('conformance-report/report.html'))).size).toBeGreaterThan(1000);
    } finally {
      await integrator.close();
    }
  });

  it('1: an endpoint that accepts every token', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const { code, stdout, stderr } = await runCommand(byFlags(endpoint.url), { cwd: directory.path, env });
    expect(stdout).toContain('NON-CONFORMANT');
    expect(stdout).toMatch(/also fails .*refuses-wrong-token/);
    expect(stderr).toContain('✗ crm-webhook/refuses-missing-token#');
    expect(code).toBe(1);
  });

  it('3: an endpoint that does not listen', async () => {
    await using directory = await temporaryDirectory();
    let url: string;
    {
      await using endpoint = await smallEndpoint(() => ({ status: 204 }));
      ({ url } = endpoint);
    }
    const { code, stdout, stderr } = await runCommand(byFlags(url), { cwd: directory.path, env });
    expect(stdout).toContain('INCOMPLETE');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Check that the endpoint is running');
    expect(stderr).toContain('No connection to');
    expect(code).toBe(3);
  });

  it('3: a phone that does not listen, configured with flags alone', async () => {
    await using directory = await temporaryDirectory();
    let url: string;
    {
      await using endpoint = await smallEndpoint(() => ({ status: 204 }));
      url = endpoint.url.replace('http:', 'ws:');
    }
    const args = ['check', '--phone-url', url, '--phone-secret', 'env:AGENT_SECRET'];
    const { code, stdout } = await runCommand(args, { cwd: directory.path, env });
    expect(code).toBe(3);
    expect(stdout).toContain('INCOMPLETE');
    const report = await reportIn(directory);
    expect(validate('report', report)).toEqual([]);
    expect(report.target).toEqual({ 'own-ai-phone': { url } });
    const [check] = report.checks;
    expect(check).toMatchObject({ surface: 'own-ai-phone', verdict: 'blocked', code: 'target-unreachable' });
    expect(check?.reproduce).toContain(
      `npx svc-conform check --phone-url ${url} --phone-secret env:AGENT_SECRET --only `,
    );
  });

  it('3: an endpoint that refuses everything, so its refusals prove nothing', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 401 }));
    const args = [...byFlags(endpoint.url), '--only', 'crm-webhook/refuses-wrong-token'];
    const { code } = await runCommand(args, { cwd: directory.path, env });
    expect(code).toBe(3);
    const [check] = (await reportIn(directory)).checks;
    expect(check).toMatchObject({ verdict: 'blocked', code: 'control-failed' });
  });

  it('2: the report cannot be written, but the verdict is printed', async () => {
    await using directory = await temporaryDirectory();
    // The directory of the report is free when the run begins.
    await using endpoint = await smallEndpoint(() => {
      writeFileSync(directory.at('taken'), '');
      return { status: 204 };
    });
    const args = [...byFlags(endpoint.url), '--only', 'crm-webhook/answers-every-event', '--out', 'taken/report'];
    const { code, stdout, stderr } = await runCommand(args, { cwd: directory.path, env });
    expect(code).toBe(2);
    expect(stdout).toMatch(/^PASSED, partial: 1 of \d+/m);
    expect(stderr).toContain('--out');
  });

  it('130: interrupted, with the results so far, which never replace those of a complete run', async () => {
    await using directory = await temporaryDirectory();
    // 202 and no callback: the run waits until it is ended.
    await using endpoint = await smallEndpoint(() => ({ status: 202 }));
    const flags = ['--format', 'html', '--format', 'junit', '--events', 'events.ndjson'];
    const command = startCommand([...byFlags(endpoint.url), ...flags], { cwd: directory.path, env });
    await command.reported('Waiting for');
    command.kill('SIGINT');
    const { code, stdout } = await command.ended;
    expect(code).toBe(130);
    const lines = (await readFile(directory.at('events.ndjson'), 'utf8')).trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as RunEvent);
    expect(events.at(-1)).toMatchObject({ event: 'run-finished', exitCode: 130 });
    expect(validate('runEvent', events.at(-1))).toEqual([]);
    const stopping = events.findIndex((event) => event.event === 'note' && event.text.startsWith('Stopping'));
    expect(events.slice(stopping).map(({ event }) => event)).toEqual(['note', 'run-finished']);
    expect(stdout).toMatch(/^INCOMPLETE, partial: \d+ of \d+/m);
    expect(stdout).toContain('The run was interrupted');
    const report = await reportIn(directory);
    expect(validate('report', report)).toEqual([]);
    expect(report).toMatchObject({ verdict: 'incomplete', selection: { stopped: 'interrupted' } });
    expect(report.summary.fail).toBeGreaterThan(0);
    const open = report.requirements.find(({ id }) => id === 'crm-webhook/calls-back-after-202');
    expect(open).toMatchObject({ verdict: 'not-exercised', notJudged: 'stopped' });
    expect(existsSync(directory.at('conformance-report/junit.xml'))).toBe(true);
    const replay = await runCommand(['replay', 'conformance-report'], { cwd: directory.path, env });
    expect(replay).toMatchObject({ code: 2, stderr: expect.stringContaining('partial') as string });
  });

  it('130: interrupted before anything was judged, with no report', async () => {
    await using directory = await temporaryDirectory();
    // 202 and no callback: the run waits until it is ended.
    await using endpoint = await smallEndpoint(() => ({ status: 202 }));
    const only = ['--only', 'crm-webhook/calls-back-after-202'];
    const command = startCommand([...byFlags(endpoint.url), ...only], { cwd: directory.path, env });
    await command.reported('Waiting for');
    command.kill('SIGINT');
    const { code, stdout, stderr } = await command.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toContain('No report was written');
    await expect(stat(directory.at('conformance-report'))).rejects.toThrow();
  });
});

describe.concurrent('the output of a run', () => {
  it('--json prints the report and nothing else', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const args = [...byFlags(endpoint.url), '--json', '--only', 'crm-webhook/refuses-wrong-token'];
    const { code, stdout } = await runCommand(args, { cwd: directory.path, env });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual(await reportIn(directory));
    expect(validate('report', JSON.parse(stdout))).toEqual([]);
  });

  it('--only runs that requirement or check alone, and the report says so', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const only = 'crm-webhook/answers-every-event';
    const { code } = await runCommand([...byFlags(endpoint.url), '--only', only], { cwd: directory.path, env });
    expect(code).toBe(0);
    const report = await reportIn(directory);
    expect(report.selection).toEqual({ only: [only] });
    expect(new Set(report.checks.map(({ requirement }) => requirement))).toEqual(new Set([only]));
    expect(report.checks.length).toBeGreaterThan(1);
    const [first] = report.checks;
    await runCommand([...byFlags(endpoint.url), '--only', String(first?.id)], { cwd: directory.path, env });
    expect((await reportIn(directory)).checks.map(({ id }) => id)).toEqual([first?.id]);
  });

  it('a shortened wait leaves open whether a callback still arrives, and the report says so', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 202 }));
    const args = [...byFlags(endpoint.url), '--only', 'crm-webhook/calls-back-after-202', '--callback-wait', '0.3'];
    const { code } = await runCommand(args, { cwd: directory.path, env });
    expect(code).toBe(3);
    const report = await reportIn(directory);
    expect(report.selection).toMatchObject({ callbackWaitMs: 300 });
    expect(report.checks[0]).toMatchObject({ verdict: 'blocked', code: 'still-open' });
    expect(report.checks[0]?.reproduce).toContain('--callback-wait 0.3');
  });

  it('the command of a failure generates as many events again', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const args = [...byFlags(endpoint.url), '--only', 'crm-webhook/refuses-missing-token', '--runs', '9', '--thorough'];
    await runCommand(args, { cwd: directory.path, env });
    const [check] = (await reportIn(directory)).checks;
    expect(check?.verdict).toBe('fail');
    expect(check?.reproduce).toContain(' --runs 9 --thorough --only ');
  });

  it('has colour only on request', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const args = [...byFlags(endpoint.url), '--only', 'crm-webhook/refuses-wrong-token'];
    const escape = '\u001b[';
    const plain = await runCommand(args, { cwd: directory.path, env });
    expect(plain.stdout + plain.stderr).not.toContain(escape);
    const forced = await runCommand(args, { cwd: directory.path, env: { ...env, FORCE_COLOR: '1' } });
    expect(forced.stdout).toContain(escape);
    const forbidden = await runCommand(args, { cwd: directory.path, env: { ...env, FORCE_COLOR: '1', NO_COLOR: '1' } });
    expect(forbidden.stdout).not.toContain(escape);
  });

  it('a random seed is chosen, printed, and repeated by the command of a failure', async () => {
    await using directory = await temporaryDirectory();
    // Fails for every event with U+2028, which only generated events contain.
    await using endpoint = await smallEndpoint(({ body }) => ({ status: /\u2028|\\u2028/.test(body) ? 500 : 204 }));
    const id = 'crm-webhook/answers-any-valid-event';
    const first = await runCommand([...byFlags(endpoint.url), '--only', id], { cwd: directory.path, env });
    expect(first.code).toBe(1);
    const report = await reportIn(directory);
    expect(first.stdout).toContain(`seed ${report.seed}`);
    const failed = report.checks.find(({ counterexample }) => counterexample);
    const { seed, path } = failed?.counterexample ?? { seed: -1, path: '' };
    expect(failed?.reproduce).toBe(
      `npx svc-conform check --crm-url ${endpoint.url} --crm-token env:CRM_TOKEN --only '${failed?.id}' --seed ${seed} --path ${path}`,
    );
    const sentBefore = endpoint.requests.length;
    const args = [...byFlags(endpoint.url), '--only', String(failed?.id), '--seed', String(seed), '--path', path];
    const again = await runCommand(args, { cwd: directory.path, env });
    expect(again.code).toBe(1);
    expect(endpoint.requests[sentBefore]?.body).toMatch(/\u2028|\\u2028/);
  });
});
