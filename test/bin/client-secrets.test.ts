import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Report } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';
import { startService } from './running-service.ts';
import { expectNoSecret, secretForms } from './secret-forms.ts';
import { smallEndpoint } from './small-endpoint.ts';

const secrets = {
  CRM_TOKEN: 'Rk2-planted_token.Yh7Qv4Mn',
  HOOK_SECRET: 'planted+hook/secret=3Wp8',
  AGENT_SECRET: 'whsec_cGxhbnRlZC1mb3ItY2xpZW50cw==',
  SVC_API_KEY: 'svc_sk_planted_2Vb9Lc5T',
};

/**
 * A client that leaks everything it knows, in every form: in addresses, headers, bodies and its output. It creates an
 * agent secret and a subscription, writes the answers to `got.json` for the test, and leaks those as well.
 */
const leakyClient = `
import { writeFileSync } from 'node:fs';
const { SVC_BASE_URL: base, SVC_API_KEY: key, SVC_AGENT_ID: agent, CRM_TOKEN, HOOK_SECRET, AGENT_SECRET } = process.env;
const own = [CRM_TOKEN, HOOK_SECRET, AGENT_SECRET];
const forms = ${secretForms.toString()};
const call = async (method, path, body, headers = {}) => {
  const answer = await fetch(base + path, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.json().catch(() => ({}));
};
const id = agent ?? (await call('GET', '/v1/agents'))[0].agentId;
// The last output of a failing client is reported.
process.exitCode = Number(process.argv[2] ?? 0);
const got = [
  (await call('POST', '/v1/agents/' + id + '/secret')).secret,
  (await call('POST', '/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['appointment.created'] })).secret,
];
writeFileSync('got.json', JSON.stringify(got));
for (const secret of [key, ...own, ...got]) {
  for (const form of forms(secret)) {
    console.log(form);
    console.error(form);
    const shown = encodeURIComponent(form);
    await call('GET', '/v1/me?key=' + shown);
    await call('GET', '/v1/' + shown);
    await call('POST', '/v1/notes', { phone: '+4930901820', title: form, text: 'The secret is ' + form }, { 'x-more': shown });
    await call('POST', '/v1/messages', { phone: form, text: 7 });
    await call('POST', '/v1/messages', { phone: '+4930901820', text: form, [form]: form }, { 'idempotency-key': shown });
  }
}
`;

/** The secrets that the leaky client received from the service, by name. */
async function secretsOf(directory: { at: (name: string) => string }): Promise<Record<string, string>> {
  const [agent = '', subscription = ''] = JSON.parse(await readFile(directory.at('got.json'), 'utf8')) as string[];
  expect(agent).toMatch(/^whsec_/);
  expect(subscription).toMatch(/^whk_/);
  return { 'agent secret that was made': agent, 'secret of the subscription': subscription };
}

/** Both formats of a report in a directory; the first must be valid and must judge the client. */
async function reportIn(path: string): Promise<{ json: string; html: string }> {
  const [json, html] = await Promise.all(['json', 'html'].map((form) => readFile(`${path}/report.${form}`, 'utf8')));
  const report = JSON.parse(json ?? '') as Report;
  expect(validate('report', report)).toEqual([]);
  const failed = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  // The client received it, so there was something to redact.
  expect(failed).toEqual(
    expect.arrayContaining(['api-client/no-secret-in-an-address', 'api-client/no-secret-in-a-body']),
  );
  expect(json).toContain('[redacted: API key]');
  return { json: json ?? '', html: html ?? '' };
}

const config = {
  crmWebhook: { url: 'http://127.0.0.1:9/', token: 'env:CRM_TOKEN' },
  apiWebhooks: { url: 'http://127.0.0.1:9/', secret: 'env:HOOK_SECRET' },
  chat: { url: 'http://127.0.0.1:9/', secret: 'env:AGENT_SECRET' },
  apiClient: { exercise: { command: `"${process.execPath}" client.mjs 3` } },
  service: { apiKey: 'env:SVC_API_KEY' },
};

describe('no secret comes out of check', () => {
  const check = ['check', '--surface', 'api-client'];

  it('with a client that leaks everything it knows', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('client.mjs'), leakyClient);
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
    const { code, stdout, stderr } = await runCommand(check, { cwd: directory.path, env: secrets });
    expect({ code, stderr }).toMatchObject({ code: 1 });
    expect(stdout).toContain('requirement api-client/');
    const report = await reportIn(directory.at('conformance-report/partial'));
    expect(report.json).toContain('exited with code 3');
    expectNoSecret({ ...secrets, ...(await secretsOf(directory)) }, { stdout, stderr, ...report });
  });

  it('with a client that only prints its key', async () => {
    await using directory = await temporaryDirectory();
    const script = "for (const out of [console.log, console.error]) out('key', process.env.SVC_API_KEY);";
    await writeFile(directory.at('client.mjs'), `${script} process.exitCode = 3;`);
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
    const { code, stdout, stderr } = await runCommand(check, { cwd: directory.path, env: secrets });
    expect(code).toBe(3);
    const json = await readFile(directory.at('conformance-report/partial/report.json'), 'utf8');
    expect(json).toContain('key [redacted: API key]');
    const html = await readFile(directory.at('conformance-report/partial/report.html'), 'utf8');
    expectNoSecret(secrets, { stdout, stderr, json, html });
  });
});

describe('no secret comes out of serve --record', () => {
  it.each([{ flags: [] }, { flags: ['--json'] }])(
    'with a client that spreads what it knows: $flags',
    async ({ flags }) => {
      await using directory = await temporaryDirectory();
      await writeFile(directory.at('client.mjs'), leakyClient);
      await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
      await using service = startService(['--record', 'recorded', ...flags], { cwd: directory.path, env: secrets });
      // At its start, the service shows the variables of the secrets.
      await service.line((line) => line.startsWith(flags.length > 0 ? '{' : 'Traffic:'));
      const linesBefore = service.lines.length;
      const start = service.lines.join('\n');
      expectNoSecret(secrets, { start });
      expect(start).toContain('env:');
      const [baseUrl = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(start) ?? [];
      await runClient(directory.path, { ...secrets, SVC_BASE_URL: baseUrl });
      const { code } = await service.stop();
      expect(code).toBe(1);
      const report = await reportIn(directory.at('recorded'));
      const log = service.lines.slice(linesBefore).join('\n');
      expect(log).toContain('[redacted: ');
      expectNoSecret({ ...secrets, ...(await secretsOf(directory)) }, { log, stderr: service.stderr(), ...report });
    },
  );
});

describe('no secret comes out of send', () => {
  const dressed = Object.values(secrets).flatMap(secretForms).join(' ');

  it.each([
    ['message.received', '--chat-url', '--chat-secret', 'env:AGENT_SECRET'],
    ['ping', '--chat-url', '--chat-secret', 'env:AGENT_SECRET'],
    ['appointment.confirmed', '--hooks-url', '--hooks-secret', 'env:HOOK_SECRET'],
    ['IncomingCallLookup', '--crm-url', '--crm-token', 'env:CRM_TOKEN'],
  ])('%s to an endpoint that echoes its secrets', async (what, urlFlag, secretFlag, reference) => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(({ rawHeaders, body }) => ({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'x-echo': encodeURIComponent(rawHeaders.join(' ')).slice(0, 2000),
      },
      body: JSON.stringify({
        text: dressed,
        action: dressed,
        note: body,
        requestContactUpdate: true,
        contactData: { firstName: dressed, crmContactId: rawHeaders.join(' ') },
        [secrets.AGENT_SECRET]: 1,
      }),
    }));
    // The command knows only the secret of the addressed endpoint and the key of its service.
    const known = { [reference]: secrets[reference.slice(4) as keyof typeof secrets], key: secrets.SVC_API_KEY };
    for (const flags of [[], ['--json']]) {
      const to = [urlFlag, endpoint.url, secretFlag, reference, '--api-key', 'env:SVC_API_KEY'];
      const { stdout, stderr } = await runCommand(['send', what, ...to, ...flags], {
        cwd: directory.path,
        env: secrets,
      });
      expect(stdout).toContain('[redacted: ');
      expectNoSecret(known, { stdout, stderr });
    }
    expect(endpoint.requests).toHaveLength(2);
  });

  it('call with an AI that speaks its secret', async () => {
    await using directory = await temporaryDirectory();
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    server.on('connection', (socket) => {
      socket.on('message', (data: Buffer) => {
        if (!data.includes('"prompt"')) return;
        const say = (text: string, last = false) => socket.send(JSON.stringify({ type: 'text', text, last }));
        for (const form of secretForms(secrets.AGENT_SECRET)) say(form);
        for (const piece of secrets.AGENT_SECRET.match(/.{1,5}/g) ?? []) say(piece);
        socket.send(`not JSON: ${secrets.AGENT_SECRET}`);
        socket.send(JSON.stringify({ type: secrets.AGENT_SECRET, [secrets.AGENT_SECRET]: 1 }));
        say('', true);
      });
    });
    await once(server, 'listening');
    try {
      const to = ['--phone-url', `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`];
      const secret = ['--phone-secret', 'env:AGENT_SECRET'];
      for (const flags of [[], ['--json']]) {
        const args = ['send', 'call', '--say', 'Hello', ...to, ...secret, ...flags];
        const { stdout, stderr } = await runCommand(args, { cwd: directory.path, env: secrets });
        expect(stdout).toContain('[redacted: ');
        expectNoSecret({ secret: secrets.AGENT_SECRET }, { stdout, stderr });
      }
    } finally {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

/** Runs the leaky client to its end. */
async function runClient(cwd: string, env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, ['client.mjs'], { cwd, env: { ...process.env, ...env }, stdio: 'ignore' });
  expect(await once(child, 'exit')).toEqual([0, null]);
}
