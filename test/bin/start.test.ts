import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import type { Report, StartTarget } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import type { Conduct } from '../crashes/endpoint-process.ts';
import { credentials } from '../harness/settings-for-tests.ts';
import { runCommand, startCommand, temporaryDirectory } from './run-command.ts';

const env = {
  HOOK_SECRET: credentials.hookSecret,
  AGENT_SECRET: credentials.agentSecret,
  SVC_API_KEY: credentials.apiKey,
  PASSWORD: 'Rw7Kp2ZxLq9Tb4',
};
const node = JSON.stringify(process.execPath);
const script = JSON.stringify(fileURLToPath(new URL('../crashes/endpoint-process.ts', import.meta.url)));
/** Milliseconds of one run, on a busy machine. */
const runMs = 240_000;

const hooks = (port: number) => ['--hooks-url', `http://127.0.0.1:${port}/hooks`, '--hooks-secret', 'env:HOOK_SECRET'];
const endpoint = (conduct: Conduct, port: number) => `${node} ${script} ${conduct} ${port}`;

/** Whether a connection to this port is refused: the process and its children have ended. */
async function isGone(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}`).then(
    () => false,
    () => true,
  );
}

async function check(
  port: number,
  ...args: string[]
): Promise<{ code: number | null; stdout: string; stderr: string; report: Report }> {
  await using directory = await temporaryDirectory();
  const ended = await runCommand(['check', ...hooks(port), '--seed', '5', ...args], { cwd: directory.path, env });
  const report = await readFile(directory.at('conformance-report/report.json'), 'utf8').catch(() => '{}');
  return { ...ended, report: JSON.parse(report) as Report };
}

// Nearly all of the time is waiting.
describe.concurrent('check --start', () => {
  it('checks a correct endpoint, and ends it', { timeout: runMs }, async () => {
    const port = await freePort();
    const command = endpoint('plain', port);
    const { report, stderr } = await check(port, '--start', command);
    expect(stderr).toContain('The endpoint is ready');
    expect(report.summary).toMatchObject({ fail: 0, blocked: 0 });
    expect(report.start).toEqual({ command });
    expect(validate('report', report)).toEqual([]);
    expect(await isGone(port)).toBe(true);
  });

  it('fails each requirement whose delivery ends the process, and judges all others', { timeout: runMs }, async () => {
    const port = await freePort();
    const command = endpoint('crashes', port);
    const { code, report, stderr } = await check(port, '--start', command);
    expect(code).toBe(1);
    const failed = report.checks.filter(({ verdict }) => verdict === 'fail');
    const requirements = new Set(failed.map(({ requirement }) => requirement));
    for (const slug of ['refuses-short-v1', 'refuses-long-v1']) expect(requirements).toContain(`api-webhooks/${slug}`);
    for (const one of requirements) expect(one).toMatch(/refuses-|bad-signature/);
    for (const { message, causes = [] } of failed) {
      expect(message).toContain('the endpoint stopped while handling');
      expect(causes.map(({ id }) => id)).toEqual(['http/crashes']);
    }
    expect(report.checks.filter(({ verdict }) => verdict === 'blocked').map(({ id }) => id)).toEqual([]);
    expect(report.start).toMatchObject({ command, exitCode: 1 });
    expect(report.start?.exits).toBeGreaterThan(1);
    expect(stderr).toMatch(/The endpoint ended with exit code 1 during the checks, .*and was started again/);
    // The exception is in the output, and in the report.
    expect(report.logs?.map(({ text }) => text).join('\n')).toContain('timingSafeEqual');
    expect(await isGone(port)).toBe(true);
  });

  it('fails each call that ends the process, and none that was under way meanwhile', { timeout: runMs }, async () => {
    const port = await freePort();
    const phone = ['--phone-url', `ws://127.0.0.1:${port}/voice`, '--phone-secret', 'env:AGENT_SECRET'];
    const others = ['answers-later-prompts', 'survives-a-broken-call', 'accepts-any-call', 'ignores-unknown-frames'];
    const only = ['takes-dtmf', ...others].flatMap((slug) => ['--only', `own-ai-phone/${slug}`]);
    const { stdout } = await check(port, ...phone, ...only, '--json', '--start', endpoint('ends-at-a-key', port));
    const selected = (JSON.parse(stdout) as Report).checks.filter(({ verdict }) => verdict !== 'not-applicable');
    for (const { requirement, verdict, message } of selected) {
      if (requirement !== 'own-ai-phone/takes-dtmf') expect(verdict).toBe('pass');
      else expect(message).toMatch(/the endpoint stopped while handling a caller who presses/);
    }
    expect(selected.length).toBeGreaterThan(others.length);
  });

  it('blocks the remaining checks soon when the endpoint cannot be restarted', { timeout: runMs }, async () => {
    const port = await freePort();
    await using directory = await temporaryDirectory();
    const once = `mkdir ${JSON.stringify(directory.at('started'))} && ${endpoint('crashes', port)}`;
    const { code, report, stderr } = await check(port, '--start', once);
    expect(code).toBe(1);
    expect(stderr).toContain('and could not be started again');
    const blocked = report.checks.filter(({ verdict }) => verdict === 'blocked');
    expect(blocked.length).toBeGreaterThan(5);
    for (const one of blocked) expect(one).toMatchObject({ code: 'target-stopped' });
    expect(report.durationMs).toBeLessThan(60_000);
  });

  it(
    'passes secrets and the address of the service to the command, and prints no secret',
    { timeout: runMs },
    async () => {
      const port = await freePort();
      await using directory = await temporaryDirectory();
      const program = `
      const { SVC_BASE_URL, SVC_API_KEY, HOOK_SECRET, DATABASE } = process.env;
      fetch(SVC_BASE_URL + '/v1/me', { headers: { 'x-api-key': SVC_API_KEY } }).then(({ status }) => {
        console.log('the service answers', status, 'to', SVC_API_KEY, 'in', process.cwd());
        console.error(HOOK_SECRET, DATABASE, process.env.NODE_ENV ?? 'no environment of tests');
        process.argv[2] = 'plain';
        process.argv[3] = '${port}';
        return import(${script});
      });`;
      await writeFile(directory.at('server.mjs'), program);
      const start: StartTarget = { command: `${node} server.mjs`, env: { DATABASE: 'env:PASSWORD' } };
      const config = {
        apiWebhooks: { url: `http://127.0.0.1:${port}/hooks`, secret: 'env:HOOK_SECRET' },
        service: { apiKey: 'env:SVC_API_KEY' },
        start,
      };
      await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
      const args = ['check', '--only', 'api-webhooks/accepts-redelivery', '--json'];
      const { stdout, stderr } = await runCommand(args, { cwd: directory.path, env: { ...env, NODE_ENV: undefined } });
      const report = JSON.parse(stdout) as Report;
      const texts = report.logs?.map(({ text }) => text) ?? [];
      expect(texts).toContainEqual(expect.stringMatching(/^the service answers 200 to \[redacted: API key\] in /));
      expect(texts).toContain('[redacted: webhook secret] [redacted: DATABASE] no environment of tests');
      for (const secret of Object.values(env)) expect(stdout + stderr).not.toContain(secret);
    },
  );

  it.each<[string, string, Partial<StartTarget>, RegExp]>([
    [
      'does not exist',
      'no-such-command-here',
      {},
      /no-such-command-here ended with exit code 127 before it was ready\. Its latest output:\n {2}.*no-such-command-here/,
    ],
    [
      'ends at once',
      `${node} -e "console.error('no database'); process.exit(7)"`,
      {},
      /ended with exit code 7 before it was ready\. Its latest output:\n {2}no database\n$/,
    ],
    [
      'never listens',
      `${node} -e "setInterval(() => {}, 1000)"`,
      { wait: { timeoutSeconds: 1 } },
      /was not ready after 1 s: nothing accepts connections at 127\.0\.0\.1:\d+\. Check the port of the address\. It has written no output\.\n$/,
    ],
    [
      'has no directory',
      'true',
      { cwd: 'no/such' },
      /true could not be started: there is no directory .*no\/such\.\n$/,
    ],
  ])('explains why nothing was judged if the command %s', async (_, command, more, message) => {
    const port = await freePort();
    await using directory = await temporaryDirectory();
    const apiWebhooks = { url: `http://127.0.0.1:${port}/hooks`, secret: 'env:HOOK_SECRET' };
    const config = { apiWebhooks, start: { command: 'overridden', ...more } };
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
    const { code, stdout, stderr } = await runCommand(['check', '--start', command], { cwd: directory.path, env });
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  });

  it('starts nothing if another program, which would be checked instead, already listens', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await check(port, '--start', 'true');
    server.close();
    expect(stderr).toContain(`true was not started: something already listens at 127.0.0.1:${port}. Stop it, or`);
    expect(code).toBe(3);
  });

  it.each([
    [['--start', 'true', '--image', 'acme/integrator'], 'Give either --image or --start, not both'],
    [['--start', ' '], '--start: expected a command, received none.'],
  ])('refuses %j as wrong usage', async (args, message) => {
    const { code, stderr } = await check(1, ...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it.each([
    [{ start: {} }, 'start.command: expected'],
    [{ start: { command: 'true' } }, 'start: expected an address at which the command listens, such as chat.url'],
    [
      { start: { command: 'true' }, container: { image: 'acme/integrator' } },
      'start: expected either start or container',
    ],
  ])('refuses the config %j', async (config, message) => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
    const { code, stderr } = await runCommand(['check'], { cwd: directory.path, env });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it.skipIf(process.platform === 'win32')('reports an interruption while it ends the endpoint', async () => {
    const port = await freePort();
    await using directory = await temporaryDirectory();
    const asked = directory.at('asked-to-end');
    const shell = `${endpoint('ignores-signals', port)} & trap 'touch ${asked}' TERM; while :; do wait; done`;
    const args = ['--only', 'api-webhooks/accepts-valid-signature', '--no-diagnose', '--start', shell];
    const running = startCommand(['check', ...hooks(port), ...args], { cwd: directory.path, env });
    await vi.waitFor(() => readFile(asked), { timeout: 60_000 });
    running.kill('SIGINT');
    expect((await running.ended).code).toBe(130);
    const report = JSON.parse(await readFile(directory.at('conformance-report/partial/report.json'), 'utf8')) as Report;
    expect(report).toMatchObject({ verdict: 'incomplete', selection: { stopped: 'interrupted' } });
  });

  // Windows has no process groups.
  it.skipIf(process.platform === 'win32').each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGKILL', null],
  ] as const)('leaves no process after %s', async (signal, expected) => {
    const port = await freePort();
    await using directory = await temporaryDirectory();
    // A process behind a shell, which ignores SIGTERM.
    const command = `echo begins; ${endpoint('ignores-signals', port)}; echo ended`;
    const args = ['check', ...hooks(port), '--start', command];
    const running = startCommand(args, { cwd: directory.path, env });
    await running.reported('The endpoint is ready');
    running.kill(signal);
    expect((await running.ended).code).toBe(expected);
    const until = performance.now() + 10_000;
    while (!(await isGone(port)) && performance.now() < until) await delay(20);
    expect(await isGone(port)).toBe(true);
  });
});
