import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startIntegrator, type Integrator } from '../../examples/integrator/server.ts';
import { listening } from '../server-fixture.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';
import { startService, type RunningService } from './running-service.ts';

const env = {
  CRM_TOKEN: 'token-of-the-serve-tests',
  HOOK_SECRET: 'whk_of-the-serve-tests',
  AGENT_SECRET: 'whsec_of-the-serve-tests',
  SVC_API_KEY: 'svc_sk_of-the-serve-tests',
};
const example = (name: string) => fileURLToPath(new URL(`../../examples/scenarios/${name}`, import.meta.url));
/** Milliseconds for a shutdown on a busy machine; a request that is waiting at that time could wait for 300 s. */
const endsWithinMs = 60_000;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let integrator: Integrator;
let config: string;

beforeAll(async () => {
  directory = await temporaryDirectory();
  integrator = await startIntegrator({
    crmToken: env.CRM_TOKEN,
    hookSecret: env.HOOK_SECRET,
    agentSecret: env.AGENT_SECRET,
    apiKey: env.SVC_API_KEY,
    log: () => undefined,
  });
  config = directory.at('endpoint.json');
  await writeFile(
    config,
    JSON.stringify({
      crmWebhook: { url: integrator.crmUrl, token: 'env:CRM_TOKEN' },
      apiWebhooks: { url: integrator.hooksUrl, secret: 'env:HOOK_SECRET' },
      chat: { url: integrator.chatUrl, secret: 'env:AGENT_SECRET' },
      phone: { url: integrator.voiceUrl, secret: 'env:AGENT_SECRET' },
      skills: [{ id: 1, key: 'sales', name: 'Sales', kind: 'forward' }],
      stimuli: { knownCaller: '+4930901820' },
      service: { apiKey: 'env:SVC_API_KEY' },
    }),
  );
});
afterAll(async () => {
  await integrator.close();
  await directory[Symbol.asyncDispose]();
});

interface Access {
  baseUrl: string;
  apiKey: string;
  controlUrl: string;
  agentSecret: string;
  webhookToken: string;
  webhookSecret: string;
  pageUrl: string;
}

const start = (flags: string[]) => startService(flags, { cwd: directory.path, env });
const accessOf = async (service: RunningService): Promise<Access> => {
  const access = JSON.parse(await service.line(() => true)) as Access;
  const { apiKey } = access;
  // A key of the config is shown as the name of its variable.
  return { ...access, apiKey: apiKey === 'env:SVC_API_KEY' ? env.SVC_API_KEY : apiKey };
};
const control = async ({ controlUrl }: Access, step: string, body: unknown = {}) =>
  await fetch(`${controlUrl}/${step}`, { method: 'POST', body: JSON.stringify(body) });
const api = async ({ baseUrl, apiKey }: Access, method: string, path: string, body?: unknown) =>
  await fetch(baseUrl + path, {
    method,
    headers: { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

describe('serve --json', () => {
  it('prints addresses and secrets first, then one event per line, and ends at once', async () => {
    await using service = start(['--json']);
    const access = await accessOf(service);
    expect(Object.keys(access)).toEqual([
      'baseUrl', 'apiKey', 'controlUrl', 'agentSecret', 'webhookToken', 'webhookSecret', 'pageUrl',
    ]); // prettier-ignore
    expect(access.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(access.apiKey).toMatch(/^svc_sk_/);
    expect(access.agentSecret).toMatch(/^whsec_/);
    expect((await api(access, 'GET', '/v1/me')).status).toBe(200);
    expect((await api({ ...access, apiKey: 'svc_sk_other' }, 'GET', '/v1/me')).status).toBe(401);
    expect((await control(access, 'customer-writes', { text: 'Hello' })).status).toBe(200);
    const waiting = control(access, 'wait-for', { event: 'call', withinSeconds: 300 }).catch(() => 'cut off');
    await service.line((line) => line.includes('"customer"'));
    const { code, ms } = await service.stop();
    expect({ code, stderr: service.stderr() }).toEqual({ code: 0, stderr: '' });
    expect(ms).toBeLessThan(endsWithinMs);
    expect(await waiting).toBe('cut off');
    const events = service.lines.slice(1).map((line) => JSON.parse(line));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['api-request', 'customer']));
    for (const event of events) {
      expect(event).toMatchObject({ at: expect.stringMatching(/^[\d-]{10}T[\d:]{8}$/), text: expect.any(String) });
    }
    const printed = service.lines.slice(1).join('\n');
    for (const secret of [access.apiKey, access.agentSecret, access.webhookToken, access.webhookSecret]) {
      expect(printed).not.toContain(secret);
    }
  });

  it('shows the secrets of the config by their variables, sends to its addresses, and takes the key of --api-key', async () => {
    await using service = start(['--json', '--config', config, '--api-key', 'svc_sk_another-one']);
    const access = await accessOf(service);
    expect(access).toMatchObject({
      apiKey: 'svc_sk_another-one',
      agentSecret: 'env:AGENT_SECRET',
      webhookToken: 'env:CRM_TOKEN',
      webhookSecret: 'env:HOOK_SECRET',
    });
    await control(access, 'customer-writes', { text: 'What can you do?' });
    const deliveries = service.lines
      .slice(1)
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === 'delivery');
    expect(deliveries.map(({ data }) => [data.eventType, data.status])).toEqual([
      ['NewConversation', 200],
      ['message.received', 200],
    ]);
    expect(await service.stop('SIGTERM')).toMatchObject({ code: 0 });
  });
});

describe('serve', () => {
  it('keeps its secrets in the file of --secrets, which the banner names, and opens its page', async () => {
    const file = directory.at('kept.env');
    const opener = directory.at('xdg-open');
    await writeFile(opener, `#!/bin/sh\necho "$1" >> ${directory.at('opened')}\n`, { mode: 0o755 });
    const flags = ['--secrets', file, '--open'];
    const environment = { PATH: `${directory.path}:${process.env['PATH']}` };
    await using first = startService(['--json', ...flags], { cwd: directory.path, env: environment });
    const { apiKey, agentSecret, webhookToken, webhookSecret, pageUrl } = await accessOf(first);
    const secrets = {
      SVC_API_KEY: apiKey,
      AGENT_SECRET: agentSecret,
      CRM_TOKEN: webhookToken,
      HOOK_SECRET: webhookSecret,
    };
    expect(parseEnv(await readFile(file, 'utf8'))).toEqual(secrets);
    if (process.platform === 'linux') {
      await vi.waitFor(async () => expect(await readFile(directory.at('opened'), 'utf8')).toBe(`${pageUrl}\n`), {
        timeout: 30_000,
      });
    }
    await first.stop();
    await using second = startService(flags, { cwd: directory.path, env: environment });
    await second.line((line) => line.startsWith('Traffic:'));
    const shown = second.lines.join('\n');
    for (const [name, value] of Object.entries(secrets)) {
      expect(shown).toContain(`${name} in ${file}`);
      expect(shown).not.toContain(value);
    }
    const again = / {2}control API +(\S+)/.exec(shown)?.[1] ?? '';
    const { origin } = new URL(again);
    expect((await fetch(`${origin}/v1/me`, { headers: { 'X-Api-Key': apiKey } })).status).toBe(200);
  });

  it('prints every address; the printed commands work', async () => {
    await using service = start(['--config', config, '-v']);
    await service.line((line) => line.startsWith('Traffic:'));
    const pageUrl = / {2}page +(\S+)/.exec(service.lines.join('\n'))?.[1] ?? '';
    const page = await fetch(pageUrl, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const shown = service.lines.join('\n');
    for (const text of [
      ...Object.keys(env).map((name) => `env:${name}`),
      integrator.crmUrl,
      integrator.hooksUrl,
      integrator.chatUrl,
      integrator.voiceUrl,
    ]) {
      expect(shown).toContain(text);
    }
    for (const secret of Object.values(env)) expect(shown).not.toContain(secret);
    const commands = [...shown.matchAll(/curl .*/g)].map(([command]) => command);
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const { stdout } = await promisify(execFile)('sh', ['-c', command]);
      expect(JSON.parse(stdout)).toHaveProperty('step');
    }
    await service.line((line) => /^\d\d:\d\d:\d\d {2}· clock {8}1 day passed$/.test(line));
    expect(service.lines.join('\n')).toMatch(/^\d\d:\d\d:\d\d {2}← customer {5}writes on whatsapp: Hello$/m);
    // `-v` prints bodies.
    expect(service.lines).toContain(`          → POST ${integrator.chatUrl}`);
    expect(service.lines.join('\n')).toMatch(/^ {10} +"type": "message\.received",$/m);
    for (const secret of Object.values(env)) expect(service.lines.join('\n')).not.toContain(secret);
    expect(service.stderr()).toBe('');
  });

  it('on more than this machine warns, and still prints the address of the control API', async () => {
    await using service = start(['--json', '--host', '0.0.0.0']);
    const { controlUrl } = await accessOf(service);
    expect(service.stderr()).toMatch(
      /^Warning: the service listens on 0\.0\.0\.0 and is reachable from other machines\./,
    );
    expect((await fetch(`${controlUrl}/state`)).status).toBe(200);
  });
});

describe('serve --script', () => {
  it('plays the handover against the example integrator', async () => {
    await using service = start(['--json', '--config', config, '--script', example('handover.yaml')]);
    await service.reported('handover.yaml: finished, 9 steps.');
    const events = service.lines.slice(1).map((line) => JSON.parse(line));
    expect(events.filter(({ type }) => type === 'auto-reply').map(({ data }) => data.state)).toEqual(['off', 'on']);
    expect(events.filter(({ type, data }) => type === 'call' && data.from === 'ai').length).toBeGreaterThan(3);
    expect(await service.stop()).toMatchObject({ code: 0 });
  });

  it('plays the appointments that a client makes', async () => {
    await using service = start(['--json', '--config', config, '--script', example('appointment.yaml')]);
    const access = await accessOf(service);
    const start2 = new Date(Date.now() + 5 * 86_400_000).toISOString();
    const make = (externalId: string) =>
      api(access, 'POST', '/v1/appointments', { phone: '+4930901820', start: start2, durationMinutes: 30, externalId });
    expect((await make('first')).status).toBe(201);
    await service.line((line) => line.includes('appointment.cancelled to '));
    expect((await make('second')).status).toBe(201);
    await service.reported('appointment.yaml: finished, 10 steps.');
    const deliveries = service.lines
      .slice(1)
      .map((line) => JSON.parse(line))
      .filter(({ data }) => data.kind === 'api-webhook');
    expect(deliveries.map(({ data }) => [data.eventType, data.status])).toEqual([
      ['appointment.created', 200],
      ['appointment.cancelled', 200],
      ['appointment.created', 200],
      ['appointment.confirmed', 200],
      ['appointment.reminder_sent', 200],
      ['appointment.reminder_sent', 200],
      ['appointment.finished', 200],
    ]);
  });

  it('connects to addresses of the config and of --connect', async () => {
    const steps = [{ connect: { chat: integrator.chatUrl } }, { connect: { crmWebhook: integrator.crmUrl } }, { manual: {} }]; // prettier-ignore
    await writeFile(directory.at('connects.json'), JSON.stringify(steps));
    await using named = start(['--json', '--script', 'connects.json', '--connect', integrator.chatUrl, '--connect', integrator.crmUrl]); // prettier-ignore
    await named.reported('connects.json: finished, 3 steps.');
    await using configured = start(['--json', '--config', config, '--script', 'connects.json']);
    await configured.reported('connects.json: finished, 3 steps.');
  });

  it('that fails is reported with its line; the service continues, and its exit code shows the failure', async () => {
    const file = directory.at('fails.yaml');
    await writeFile(file, '- hand-back:\n\n- wait-for: { event: call, withinSeconds: 0 }\n- manual:\n');
    await using service = start(['--json', '--script', 'fails.yaml']);
    await service.reported('The scenario stops here; the service keeps running.');
    expect(service.stderr()).toMatch(
      /^fails\.yaml:3: step 2, wait-for: expected an event call within 0 s, received none\n/,
    );
    expect((await api(await accessOf(service), 'GET', '/v1/me')).status).toBe(200);
    expect(await service.stop()).toMatchObject({ code: 1 });
  });
});

describe('serve --record', () => {
  it('writes a report of the client that was connected', async () => {
    const out = directory.at('recorded');
    await using service = start(['--record', out, '--api-key', 'env:SVC_API_KEY']);
    await service.line((line) => line.startsWith('Traffic:'));
    const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(service.lines.join('\n'))?.[0] ?? '';
    const access = { baseUrl, apiKey: env.SVC_API_KEY } as Access;
    for (let at = 0; at < 3; at++) expect((await api(access, 'GET', '/v1/me')).status).toBe(200);
    const { code } = await service.stop();
    const report = JSON.parse(await readFile(`${out}/report.json`, 'utf8'));
    expect(Object.keys(report.target)).toEqual(['api-client']);
    expect(report.summary.pass).toBeGreaterThan(0);
    expect({ code, verdict: report.verdict }).toEqual({ code: 0, verdict: 'conformant' });
    expect(JSON.stringify(report)).not.toContain(env.SVC_API_KEY);
  });
});

describe('serve --json --record', () => {
  it('ends by a request to the control API, and prints its verdict after the events', async () => {
    const out = directory.at('recorded-json');
    await using service = start(['--json', '--record', out]);
    const access = await accessOf(service);
    for (let at = 0; at < 3; at++) expect((await api(access, 'GET', '/v1/me')).status).toBe(200);
    expect((await control(access, 'stop')).status).toBe(200);
    // No signal is needed.
    const code = await service.ended;
    expect(JSON.parse(await readFile(`${out}/report.json`, 'utf8')).verdict).toBe('conformant');
    for (const line of service.lines) expect(() => JSON.parse(line), line).not.toThrow();
    expect(service.stderr()).toMatch(/3 requests were recorded\.[\s\S]*report\.html/);
    expect(code).toBe(0);
  });
});

describe('serve with a short secret', () => {
  it('answers requests that contain it, and does not redact the output of serve itself', async () => {
    await using service = startService(['--json', '--config', config], {
      cwd: directory.path,
      env: { ...env, CRM_TOKEN: '200' },
    });
    const access = await accessOf(service);
    expect((await api(access, 'GET', '/v1/me')).status).toBe(200);
    const entry = JSON.parse(await service.line((line) => line.includes('/v1/me')));
    expect(entry).toMatchObject({ type: 'api-request', data: { status: 200 } });
    expect(entry.text).toBe('GET /v1/me 200');
  });
});

describe('serve does not start', () => {
  it('if the port is in use', async () => {
    await using taken = await listening(createServer());
    const { port } = taken;
    const ended = await runCommand(['serve', '--port', String(port)], { cwd: directory.path });
    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(
          `^The service cannot listen on 127\\.0\\.0\\.1:${port}: the port is in use\\. Choose another one, or 0`,
        ),
      ),
    });
  });

  it.each([
    ['--port', ['--port', '70000'], /expected a port from 0 to 65535/],
    ['a key of another kind', ['--api-key', 'hunter2-secret'], /^--api-key: expected a key that begins with svc_sk_.* \(not shown\)\.\n$/],
    ['a key that is not set', ['--api-key', 'env:NO_SUCH_KEY'], /the environment variable NO_SUCH_KEY is not set\.\n$/],
    ['no such config', ['--config', 'nope.json'], /^nope\.json: there is no such file/],
    ['no such scenario', ['--script', 'nope.yaml'], /^--script nope\.yaml cannot be read: there is no such file/],
    ['a host that is not of this machine', ['--host', '192.0.2.1'], /^The service cannot listen on 192\.0\.2\.1:0: this machine does not have this address/],
    ['an unknown flag', ['--prot', '1'], /unknown option '--prot'/],
  ])('with %s', async (_, flags, message) => {
    const ended = await runCommand(['serve', ...flags], { cwd: directory.path });
    expect(ended).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
    expect(ended.stderr).not.toContain('hunter2');
  }); // prettier-ignore

  it('with an address in a container that nothing starts', async () => {
    const chat = { url: 'http://{container}/chat', secret: 'env:AGENT_SECRET' };
    await writeFile(directory.at('image.json'), JSON.stringify({ chat, container: { image: 'acme/integrator' } }));
    const ended = await runCommand(['serve', '--config', 'image.json'], { cwd: directory.path, env });
    expect(ended).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'serve does not start containers, and the config has the address http://{container}/chat. Give a config with the address of a running one with --config.\n',
    });
  });

  it('with a scenario that cannot be played; every fault has its place', async () => {
    await writeFile(directory.at('wrong.yaml'), '- hand-back\n- team-replies: { txet: Hi }\n');
    const { code, stderr } = await runCommand(['serve', '--script', 'wrong.yaml'], { cwd: directory.path });
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toEqual([
      'wrong.yaml:1:3: expected one step such as hand-back: {}, received "hand-back"',
      'wrong.yaml:2:17: team-replies.text: expected a field text, received (missing)',
      'wrong.yaml:2:25: team-replies.txet: expected only the fields from, projectId, text, received the field txet',
    ]);
  });
});
