import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { startIntegrator, type Integrator } from '../../examples/integrator/server.ts';
import example from '../../examples/svc-conform.config.json' with { type: 'json' };
import type { Diagnosis, Report } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { completeReport } from '../bin/complete-report.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { authorityCertificate } from '../tls/test-authority.ts';
import { makeCertificate } from '../tls/make-certificate.ts';
import { connectProxy, type ConnectProxy } from './connect-proxy.ts';
import { gateway, type Gateway } from './gateway.ts';

const clients = makeCertificate({ name: 'authority of clients', isAuthority: true });
const client = makeCertificate({ name: 'client', issuer: clients });
const env = {
  CRM_TOKEN: 'Qv7Lr2Xs9Tb4Vd6Pz1KcHw3Mf8Yg5Ja',
  HOOK_SECRET: 'hook_8dJ2vX9pQ4sL8bT1nC7wZ3kR5mF0yH',
  AGENT_SECRET: 'whsec_c2VjcmV0IG9mIGVuZHBvaW50cyB0aGF0IGFyZSBoYXJkIHRvIHJlYWNo',
  SVC_API_KEY: 'svc_sk_reach_4Mz8Kw2Pd6Qy',
  GATEWAY_KEY: 'Rb3Nx7Ue1Wq5Ls9Cv2',
  CLIENT_KEY: client.key,
};
const proxyPassword = 'Fg6Hm1Zd8Jt4Xo0Ak7';

let integrator: Integrator;
let front: Gateway;
let proxy: ConnectProxy;
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

beforeAll(async () => {
  integrator = await startIntegrator({
    crmToken: env.CRM_TOKEN,
    hookSecret: env.HOOK_SECRET,
    agentSecret: env.AGENT_SECRET,
    apiKey: env.SVC_API_KEY,
    log: () => undefined,
  });
  const header = ['X-Gateway-Key', env.GATEWAY_KEY] as const;
  front = await gateway(Number(new URL(integrator.url).port), { header, clientCa: clients.cert });
  proxy = await connectProxy({ credentials: `user:${proxyPassword}` });
  directory = await temporaryDirectory();
  await writeFile(directory.at('ca.pem'), authorityCertificate);
  await writeFile(directory.at('client.pem'), client.cert);
  const { crmWebhook, apiWebhooks, chat, phone, skills, stimuli } = example;
  const config = {
    crmWebhook: { ...crmWebhook, url: `https://${front.host}/crm` },
    apiWebhooks: { ...apiWebhooks, url: `https://${front.host}/hooks` },
    chat: { ...chat, url: `https://${front.host}/chat` },
    phone: { ...phone, url: `wss://${front.host}/voice` },
    observe: { url: `https://${front.host}/state` },
    service: { apiKey: 'env:SVC_API_KEY' },
    skills,
    stimuli,
    headers: { 'X-Gateway-Key': 'env:GATEWAY_KEY' },
    tls: { ca: 'ca.pem', cert: 'client.pem', key: 'env:CLIENT_KEY' },
    proxy: 'env:PROXY',
  };
  await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
  await writeFile(
    directory.at('insecure.json'),
    JSON.stringify({ ...config, tls: { cert: 'client.pem', key: 'env:CLIENT_KEY', insecure: true } }),
  );
  await writeFile(directory.at('no-header.json'), JSON.stringify({ ...config, headers: {} }));
  return async () => {
    await directory[Symbol.asyncDispose]();
    await front[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
    await integrator.close();
  };
});

const own = Buffer.from(`user:${proxyPassword}`).toString('base64');
const secrets = [env.GATEWAY_KEY, proxyPassword, own, ...client.key.split('\n').filter((line) => /^\w{20}/.test(line))];

async function run(...args: string[]) {
  const before = { refused: front.refused(), tunnels: proxy.targets.length };
  const ended = await runCommand(args, {
    cwd: directory.path,
    env: { ...env, PROXY: `http://user:${proxyPassword}@${proxy.host}` },
  });
  expect(front.refused() - before.refused, ended.stdout + ended.stderr).toBe(0);
  expect(proxy.targets.length, ended.stdout + ended.stderr).toBeGreaterThan(before.tunnels);
  for (const secret of secrets) expect(ended.stdout + ended.stderr).not.toContain(secret);
  return ended;
}

const files = ['report.json', 'report.html', 'report.md', 'junit.xml', 'ctrf.json', 'report.sarif', 'annotations.txt', 'report.har']; // prettier-ignore
const formats = ['html', 'markdown', 'junit', 'ctrf', 'sarif', 'annotations', 'har'].join(',');
const only = [
  'crm-webhook/refuses-wrong-token',
  'crm-webhook/lookup-within-two-seconds',
  'own-ai-chat/answers-messages',
  'own-ai-phone/frame-is-json',
];

describe('an endpoint behind a proxy and a gateway that requires a header and a client certificate', () => {
  it('is checked, and the report shows the proxy and no secret', { timeout: 120_000 }, async () => {
    const { code, stdout } = await run('check', '--only', only.join(','), '--format', formats, '--runs', '3');
    expect(stdout).toMatch(new RegExp(`through the proxy\\s+http://${proxy.host}`));
    expect(code).toBe(0);
    for (const file of files) {
      const text = await readFile(directory.at(`conformance-report/partial/${file}`), 'utf8');
      expect(text, file).toContain(proxy.host);
      for (const secret of secrets) expect(text, file).not.toContain(secret);
    }
    const report = JSON.parse(await readFile(directory.at('conformance-report/partial/report.json'), 'utf8')) as Report;
    expect(validate('report', report)).toEqual([]);
    const keys = ['crmWebhook', 'apiWebhooks', 'chat', 'phone', 'observe'];
    expect(report.environment).toEqual({ proxies: [{ url: `http://${proxy.host}`, keys }] });
    expect(new Set(report.checks.map(({ verdict }) => verdict))).toEqual(new Set(['pass']));
  });

  it.each(['crm-webhook', 'own-ai-phone'])('is diagnosed: %s', { timeout: 120_000 }, async (surface) => {
    const { stdout } = await run('diagnose', surface, '--within', '6', '--json');
    const { cause, stages } = JSON.parse(stdout) as Diagnosis;
    expect(cause).toBeNull();
    const results = Object.fromEntries((stages ?? []).map(({ name, result }) => [name, result]));
    expect(results).toMatchObject({ tcp: 'passed', tls: 'passed', http: 'passed' });
    const seen = (stages ?? []).flatMap((stage) => stage.seen);
    expect(seen.join(' ')).toContain(`The proxy http://${proxy.host} connected to port ${front.port} of 127.0.0.1`);
  });

  it.each(['message.received', 'IncomingCallLookup', 'call'])('is sent %s', { timeout: 60_000 }, async (name) => {
    const { code } = await run('send', name);
    expect(code).toBe(0);
  });

  it('is verified by contracts', { timeout: 120_000 }, async () => {
    const { code, stdout } = await run('pact', 'verify', '--surface', 'crm-webhook');
    expect(code, stdout).toBe(0);
  });

  it('has its failures replayed', { timeout: 120_000 }, async () => {
    const before = front.refused();
    const config = ['--config', 'no-header.json'];
    const checked = await runCommand(['check', ...config, '--only', only[1] ?? '', '--no-diagnose'], {
      cwd: directory.path,
      env: { ...env, PROXY: `http://user:${proxyPassword}@${proxy.host}` },
    });
    expect(checked.code).not.toBe(0);
    expect(front.refused()).toBeGreaterThan(before);
    await completeReport(directory);
    const { stdout } = await run('replay', 'conformance-report', '--json', '--config', 'svc-conform.config.json');
    const { replayed } = JSON.parse(stdout) as { replayed: { outcome: string }[] };
    expect(new Set(replayed.map(({ outcome }) => outcome))).toEqual(new Set(['fixed']));
  });

  it('has no certificate with tls.insecure, which every format states first', { timeout: 120_000 }, async () => {
    const config = ['check', '--config', 'insecure.json', '--only', only[0] ?? ''];
    const { stdout } = await run(...config, '--format', formats);
    const notice = /TLS verification was disabled \(tls\.insecure for crmWebhook, apiWebhooks, chat, phone, observe\)/;
    expect(stdout.trimStart()).toMatch(new RegExp(`^${notice.source}`));
    for (const file of files) {
      const text = await readFile(directory.at(`conformance-report/partial/${file}`), 'utf8');
      expect(text, file).toMatch(/TLS verification was disabled|"tlsVerification": "disabled"/);
    }
    await runCommand(['keygen'], { cwd: directory.path });
    const certify = ['check', '--config', 'insecure.json', '--certificate', '--key', 'svc-conform.key.pem'];
    const tunnels = proxy.targets.length;
    const { code, stderr } = await runCommand(certify, {
      cwd: directory.path,
      env: { ...env, PROXY: `http://user:${proxyPassword}@${proxy.host}` },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('disabled by tls.insecure for crmWebhook');
    expect(proxy.targets.length).toBe(tunnels);
  });
});
