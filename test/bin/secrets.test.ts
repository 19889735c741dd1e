import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { runCommand, temporaryFolder } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const secrets = {
  CRM_TOKEN: 'Tq8-planted_token.Wm5Xz1Lk',
  HOOK_SECRET: 'planted+hook/secret=9Rj4',
  AGENT_SECRET: 'whsec_cGxhbnRlZC1hZ2VudC1zZWNyZXQ=',
  SVC_API_KEY: 'svc_sk_planted_6Hd3Nf8P',
};

/** The ways in which a secret can be written into a text. */
function forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

it('no secret comes out of a run against an endpoint that echoes all it is sent', async () => {
  await using folder = await temporaryFolder();
  await using endpoint = await smallEndpoint(({ rawHeaders, body }) => {
    const told = rawHeaders.join(' ');
    // An endpoint knows its own secrets and may tell them in any dress.
    const dressed = Object.values(secrets).flatMap(forms).join(' ');
    return {
      status: 200,
      headers: {
        'content-type': 'text/plain',
        'x-echo': encodeURIComponent(told).slice(0, 2000),
        'set-cookie': secrets.CRM_TOKEN,
      },
      body: `${told}\n${dressed}\n${body}`,
    };
  });
  const config = {
    crmWebhook: { url: endpoint.url, token: 'env:CRM_TOKEN' },
    apiWebhooks: { url: endpoint.url, secret: 'env:HOOK_SECRET' },
    chat: { url: endpoint.url, secret: 'env:AGENT_SECRET' },
    service: { apiKey: 'env:SVC_API_KEY' },
  };
  await writeFile(folder.at('svc-conform.config.json'), JSON.stringify(config));
  const args = ['check', '--json', '--runs', '5'];
  const { code, stdout, stderr } = await runCommand(args, { cwd: folder.path, env: secrets });
  expect(code).toBe(1);
  const html = await readFile(folder.at('conformance-report/report.html'), 'utf8');
  const summary = await runCommand(['check', '--runs', '5'], { cwd: folder.path, env: secrets });
  for (const [name, secret] of Object.entries(secrets)) {
    for (const form of forms(secret)) {
      for (const [place, text] of Object.entries({
        stdout,
        stderr,
        html,
        summary: summary.stdout,
        told: summary.stderr,
      })) {
        expect(text.toLowerCase().includes(form.toLowerCase()), `${name} as ${form} in ${place}`).toBe(false);
      }
    }
  }
  // The run did see the echo, so there was something to take out.
  expect(stdout).toContain('[redacted: webhook token]');
  expect(endpoint.requests.some(({ headers }) => headers.authorization === `Bearer ${secrets.CRM_TOKEN}`)).toBe(true);
  expect(endpoint.requests.some(({ headers, body }) => isSigned(headers['x-svc-signature'], body))).toBe(true);
});

function isSigned(signature: string | string[] | undefined, body: string): boolean {
  const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(String(signature)) ?? [];
  return v1 === createHmac('sha256', secrets.AGENT_SECRET).update(`${t}.${body}`).digest('hex');
}
