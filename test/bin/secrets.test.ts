import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import type { Report } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';
import { expectNoSecret, secretForms } from './secret-forms.ts';
import { smallEndpoint } from './small-endpoint.ts';

const secrets = {
  CRM_TOKEN: 'Tq8-planted_token.Wm5Xz1Lk',
  HOOK_SECRET: 'planted+hook/secret=9Rj4',
  AGENT_SECRET: 'whsec_cGxhbnRlZC1hZ2VudC1zZWNyZXQ=',
  PHONE_SECRET: 'whsec_cGhvbmUtc2VjcmV0LXBsYW50ZWQ',
  SVC_API_KEY: 'svc_sk_planted_6Hd3Nf8P',
};

it.concurrent(
  'no secret comes out of a run against an endpoint that echoes all it is sent',
  { timeout: 300_000 },
  async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(({ rawHeaders, body }) => {
      const received = rawHeaders.join(' ');
      // An endpoint knows its own secrets and may send them in any encoding.
      const dressed = Object.values(secrets).flatMap(secretForms).join(' ');
      return {
        status: 200,
        headers: {
          'content-type': 'text/plain',
          'x-echo': encodeURIComponent(received).slice(0, 2000),
          'set-cookie': secrets.CRM_TOKEN,
        },
        body: `${received}\n${dressed}\n${body}`,
      };
    });
    const config = {
      crmWebhook: { url: endpoint.url, token: 'env:CRM_TOKEN' },
      apiWebhooks: { url: endpoint.url, secret: 'env:HOOK_SECRET' },
      chat: { url: endpoint.url, secret: 'env:AGENT_SECRET' },
      phone: { url: endpoint.url.replace('http:', 'ws:'), secret: 'env:PHONE_SECRET' },
      service: { apiKey: 'env:SVC_API_KEY' },
    };
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
    const options = { cwd: directory.path, env: secrets };
    const { code, stdout, stderr } = await runCommand(['check', '--runs', '5'], options);
    expect(code).toBe(1);
    const printed = await runCommand(['check', '--only', 'own-ai-chat/answers-ping', '--json'], options);
    expect(printed.stdout).toContain('"exchanges"');
    expectNoSecret(secrets, { stdout: printed.stdout, stderr: printed.stderr });
    const json = await readFile(directory.at('conformance-report/report.json'), 'utf8');
    expect(json).toContain('own-ai-phone/');
    const html = await readFile(directory.at('conformance-report/report.html'), 'utf8');
    expectNoSecret(secrets, { stdout, stderr, json, html });
    // The run did receive the echo, so there was something to redact.
    expect(json).toContain('[redacted: webhook token]');
    expect(endpoint.requests.some(({ headers }) => headers.authorization === `Bearer ${secrets.CRM_TOKEN}`)).toBe(true);
    expect(endpoint.requests.some(({ headers, body }) => isSigned(headers['x-svc-signature'], body))).toBe(true);
  },
);

it.concurrent('no secret comes out of calls with an AI that speaks its secret', { timeout: 300_000 }, async () => {
  await using directory = await temporaryDirectory();
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (socket, { headers }) => {
    const [, v1 = ''] = String(headers['x-svc-signature']).split('v1=');
    socket.on('message', (data: Buffer) => {
      if (!data.includes('"prompt"')) return;
      const say = (text: string, last = false) => socket.send(JSON.stringify({ type: 'text', text, last }));
      for (const form of secretForms(secrets.PHONE_SECRET)) say(form);
      // Pieces that do not reveal the secret one by one must not appear together either.
      for (const piece of secrets.PHONE_SECRET.match(/.{1,5}/g) ?? []) say(piece);
      socket.send(`not JSON: ${secrets.PHONE_SECRET}`);
      socket.send(JSON.stringify({ type: secrets.PHONE_SECRET, [secrets.PHONE_SECRET]: v1 }));
      say('', true);
    });
  });
  await once(server, 'listening');
  try {
    const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const args = ['check', '--phone-url', url, '--phone-secret', 'env:PHONE_SECRET', '--runs', '3'];
    const { code, stdout, stderr } = await runCommand(args, { cwd: directory.path, env: secrets });
    // The AI accepts every signature.
    expect(code).toBe(1);
    expect(stdout).toContain('requirement own-ai-phone/refuses-');
    const json = await readFile(directory.at('conformance-report/report.json'), 'utf8');
    const html = await readFile(directory.at('conformance-report/report.html'), 'utf8');
    expectNoSecret(secrets, { stdout, stderr, json, html });
    expect(json).toContain('[redacted: phone secret]');
    const report = JSON.parse(json) as Report;
    expect(validate('report', report)).toEqual([]);
    const spoken = report.exchanges.flatMap(({ call }) => [
      call?.frames
        .flatMap(({ from, text }) => (from === 'ai' ? (/"text":"([^"]*)"/.exec(text)?.[1] ?? '') : []))
        .join(''),
    ]);
    expect(spoken.filter((text) => text?.includes(secrets.PHONE_SECRET))).toEqual([]);
  } finally {
    for (const client of server.clients) client.terminate();
    await new Promise((resolve) => server.close(resolve));
  }
});

function isSigned(signature: string | string[] | undefined, body: string): boolean {
  const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(String(signature)) ?? [];
  return v1 === createHmac('sha256', secrets.AGENT_SECRET).update(`${t}.${body}`).digest('hex');
}
