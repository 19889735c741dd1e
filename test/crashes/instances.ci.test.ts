import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { listenError } from '../../harness/start/balancer.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import type { Config, Report } from '../../specs/generated/types.ts';
import { runCommand, startCommand, temporaryDirectory } from '../bin/run-command.ts';
import { credentials } from '../harness/settings-for-tests.ts';
import { setUp, startEndpoint } from '../proving/endpoint.ts';
import { authorityCertificate, localCertificate } from '../tls/test-authority.ts';
import type { Conduct } from './endpoint-process.ts';

const env = { HOOK_SECRET: credentials.hookSecret, AGENT_SECRET: credentials.agentSecret };
const node = JSON.stringify(process.execPath);
const script = JSON.stringify(fileURLToPath(new URL('endpoint-process.ts', import.meta.url)));
/** Milliseconds of one run, on a busy machine. */
const runMs = 240_000;

async function check(config: Config, variables: NodeJS.ProcessEnv = env, ...flags: string[]) {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
  const args = ['check', '--seed', '5', ...flags];
  const { code, stderr } = await runCommand(args, { cwd: directory.path, env: variables });
  const report = await readFile(directory.at('conformance-report/report.json'), 'utf8').catch(() => '{}');
  return { code, stderr, report: JSON.parse(report) as Report };
}

const hooks = (url: string) => ({ apiWebhooks: { url, secret: 'env:HOOK_SECRET' } });
const phone = (url: string) => ({ phone: { url, secret: 'env:AGENT_SECRET' } });
const isFree = async (port: number) => (await listenError({ host: '127.0.0.1', port })) === undefined;
const twice = (conduct: Conduct) => ({ command: `${node} ${script} ${conduct} "$PORT"`, instances: 2 });

// Nearly all of the time is waiting.
describe.concurrent('an endpoint with two instances', () => {
  // A proxy in each process shares one endpoint, as processes share a database.
  it('passes every check that it passes with one, over TLS and calls included', { timeout: runMs }, async () => {
    await using endpoint = await startEndpoint({}, localCertificate);
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('ca.pem'), authorityCertificate);
    const proxy = `
      import { connect, createServer } from 'node:net';
      const [host, port] = process.argv.slice(2);
      createServer({ allowHalfOpen: true }, (client) => {
        const server = connect({ host, port: Number(port), allowHalfOpen: true });
        client.on('error', () => server.resetAndDestroy());
        server.on('error', () => client.resetAndDestroy());
        client.pipe(server).pipe(client);
      }).listen(Number(process.env.PORT), '127.0.0.1');`;
    await writeFile(directory.at('proxy.mjs'), proxy);
    const behind = new URL(endpoint.crm);
    const port = await freePort();
    const moved = (url: string) => url.replace(behind.host, `127.0.0.1:${port}`);
    const { skills, stimuli } = setUp;
    const { report, stderr } = await check(
      {
        crmWebhook: { url: moved(endpoint.crm), token: 'env:TOKEN' },
        apiWebhooks: { url: moved(endpoint.hooks), secret: 'env:HOOK_SECRET' },
        chat: { url: moved(endpoint.chat), secret: 'env:AGENT_SECRET', timeoutSeconds: 2 },
        phone: { url: moved(endpoint.voice), secret: 'env:AGENT_SECRET', timeoutSeconds: 2 },
        observe: { url: endpoint.state },
        tls: { ca: directory.at('ca.pem') },
        skills: skills.map(({ announcement, ...skill }) => ({
          ...skill,
          ...(announcement !== null && { announcement }),
        })),
        stimuli,
        service: { apiKey: 'env:SVC_API_KEY' },
        start: {
          command: `${node} ${JSON.stringify(directory.at('proxy.mjs'))} ${behind.hostname} ${behind.port}`,
          instances: 2,
        },
      },
      { TOKEN: setUp.token, HOOK_SECRET: setUp.hookSecret, AGENT_SECRET: setUp.agentSecret, SVC_API_KEY: setUp.apiKey },
      '--callback-wait',
      '6',
      '--runs',
      '10',
    );
    const open = report.checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked');
    expect(
      open.map(({ id, message }) => `${id}: ${message}`),
      stderr,
    ).toEqual([]);
    expect(report.summary.pass).toBeGreaterThan(150);
    expect(report.start).toMatchObject({ instances: 2 });
  });

  it.each([
    ['delivery', (port: number) => hooks(`http://127.0.0.1:${port}/hooks`), 'api-webhooks'],
    ['call', (port: number) => phone(`ws://127.0.0.1:${port}/voice`), 'own-ai-phone'],
  ] as const)(
    'fails each requirement whose %s ends a process, and judges all others',
    { timeout: runMs },
    async (what, surface, name) => {
      const port = await freePort();
      const { code, report, stderr } = await check({ ...surface(port), start: twice('crashes') });
      expect(code, stderr).toBe(1);
      const stopped = report.checks.filter(({ message = '' }) => message.includes('the endpoint stopped'));
      const requirements = new Set(stopped.map(({ requirement }) => requirement));
      for (const slug of ['refuses-short-v1', 'refuses-long-v1']) expect(requirements).toContain(`${name}/${slug}`);
      for (const one of requirements) expect(one).toMatch(/refuses-|bad-signature/);
      for (const { verdict, message } of stopped) {
        expect(verdict).toBe('fail');
        expect(message).toContain(`the endpoint stopped while handling a ${what}`);
      }
      expect(report.checks.filter(({ verdict }) => verdict === 'blocked').map(({ id }) => id)).toEqual([]);
      expect(report.start).toMatchObject({ instances: 2, exitCode: 1 });
      // Each of these deliveries ended both processes in turn, and then one that had just been started.
      expect(report.start?.exits).toBeGreaterThan(5);
      expect(stderr).toMatch(
        /An instance of the endpoint ended with exit code 1 during the checks, .*was started again/,
      );
    },
  );

  it('fails nothing when its processes end one after the other, whatever they handle', { timeout: runMs }, async () => {
    const port = await freePort();
    const { report } = await check({
      ...hooks(`http://127.0.0.1:${port}/hooks`),
      start: twice('wears-out'),
    });
    // With alternating processes, a repeated delivery often ends the second one, too, but not one that has just been
    // started.
    expect(report.start?.exits).toBeGreaterThan(3);
    expect(report.summary).toMatchObject({ fail: 0, blocked: 0 });
  });

  it('never seems to stop while its processes reset connections', { timeout: runMs }, async () => {
    const port = await freePort();
    const { report } = await check({
      ...hooks(`http://localhost:${port}/hooks`),
      start: twice('resets'),
    });
    expect(report.checks.map(({ message = '' }) => message).join('\n')).not.toContain('the endpoint stopped');
    expect(report.start).not.toHaveProperty('exits');
    expect(report.summary.pass).toBeGreaterThan(10);
  });
});

describe.concurrent('start.instances', () => {
  it.each([
    { ...hooks('http://127.0.0.1:8081/hooks'), ...phone('ws://127.0.0.1:8082/voice') },
    hooks('https://agent.example.com/hooks'),
  ])('needs one address of this machine', async (surfaces) => {
    const { code, stderr } = await check({ ...surfaces, start: { command: 'true', instances: 2 } });
    expect(stderr).toContain('start.instances: expected one host and port of this machine in all addresses');
    expect(code).toBe(2);
  });

  it('starts nothing where another program listens', async () => {
    await using endpoint = await startEndpoint();
    const { code, stderr } = await check({ ...hooks(endpoint.hooks), start: { command: 'true', instances: 2 } });
    expect(stderr).toContain(`true was not started: something already listens at ${new URL(endpoint.hooks).host}.`);
    expect(code).toBe(3);
  });

  // Windows has no process groups.
  it.skipIf(process.platform === 'win32').each(['SIGTERM', 'SIGKILL'] as const)(
    'leaves no process after %s',
    async (signal) => {
      await using directory = await temporaryDirectory();
      const port = await freePort();
      const command = `echo "$PORT" >> ports; ${twice('plain').command}`;
      const config = { ...hooks(`http://127.0.0.1:${port}/hooks`), start: { command, instances: 2 } };
      await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
      const running = startCommand(['check'], { cwd: directory.path, env });
      await running.reported('The endpoint is ready');
      const ports = (await readFile(directory.at('ports'), 'utf8')).trim().split('\n').map(Number);
      const all = [port, ...ports];
      expect(await Promise.all(all.map(isFree))).toEqual([false, false, false]);
      running.kill(signal);
      await running.ended;
      await vi.waitFor(async () => expect(await Promise.all(all.map(isFree))).toEqual([true, true, true]), {
        timeout: 10_000,
      });
    },
  );
});
