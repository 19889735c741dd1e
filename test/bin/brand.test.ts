import { createHmac } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIntegrator, type Integrator } from '../../examples/integrator/server.ts';
import { validate } from '../../specs/validators.ts';
import type { Report } from '../../specs/generated/types.ts';
import { runCommand, temporaryDirectory, type Ended } from './run-command.ts';
import { startService } from './running-service.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = {
  CRM_TOKEN: 'token-of-the-brand-tests',
  HOOK_SECRET: 'whk_of-the-brand-tests',
  AGENT_SECRET: 'whsec_of-the-brand-tests',
  SVC_API_KEY: 'acme_sk_of-the-brand-tests',
};
const secrets = {
  crmToken: env.CRM_TOKEN,
  hookSecret: env.HOOK_SECRET,
  agentSecret: env.AGENT_SECRET,
  apiKey: env.SVC_API_KEY,
  log: () => undefined,
};
/** The names of the document, except in ids of checks. */
const documentNames = /X-Svc-|(?<![\w#-])x-svc-|HTTP_X_SVC|svcContactId|svcProjectId|svc_sk_/;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
/** An endpoint that knows the names of the brand, and one that knows those of the document. */
let branded: Integrator;
let unbranded: Integrator;

beforeAll(async () => {
  directory = await temporaryDirectory();
  branded = await startIntegrator({ ...secrets, brand: 'Acme' });
  unbranded = await startIntegrator(secrets);
  await configure('branded', branded);
  await configure('unbranded', unbranded);
});
afterAll(async () => {
  await Promise.all([branded.close(), unbranded.close()]);
  await directory[Symbol.asyncDispose]();
});

async function configure(name: string, { crmUrl, hooksUrl, chatUrl, voiceUrl, stateUrl }: Integrator): Promise<void> {
  const config = {
    brand: 'Acme',
    crmWebhook: { url: crmUrl, token: 'env:CRM_TOKEN' },
    apiWebhooks: { url: hooksUrl, secret: 'env:HOOK_SECRET' },
    chat: { url: chatUrl, secret: 'env:AGENT_SECRET' },
    phone: { url: voiceUrl, secret: 'env:AGENT_SECRET' },
    stimuli: { knownCaller: '+4930901820' },
    observe: { url: stateUrl },
    service: { apiKey: 'env:SVC_API_KEY' },
  };
  await writeFile(directory.at(`${name}.json`), JSON.stringify(config));
}

const run = async (...args: string[]): Promise<Ended> => {
  const ended = await runCommand(args, { cwd: directory.path, env });
  for (const secret of Object.values(env)) expect(ended.stdout + ended.stderr).not.toContain(secret);
  return ended;
};
const reportIn = async (name: string) =>
  JSON.parse(await readFile(directory.at(`${name}/report.json`), 'utf8')) as Report;

async function filesBelow(name: string): Promise<[file: string, text: string][]> {
  const entries = await readdir(directory.at(name), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return await Promise.all(files.map(async (file): Promise<[string, string]> => [file, await readFile(file, 'utf8')]));
}

describe('check with another brand', () => {
  const all = ['--format', 'html,markdown,junit,sarif,har,ctrf', '--seed', '7'];

  it('accepts an endpoint that knows the names of the brand, and prints no others', async () => {
    const ids = [
      'crm-webhook/accepts-the-token',
      'crm-webhook/svc-project-id-unaltered',
      'api-webhooks/accepts-valid-signature',
      'api-webhooks/refuses-missing-signature',
      'api-webhooks/redelivery-has-one-effect',
      'own-ai-chat/accepts-valid-signature',
      'own-ai-chat/answers-ping',
      'own-ai-phone/accepts-valid-signature',
      'own-ai-phone/refuses-missing-call-id',
    ];
    const ended = await run('check', '--config', 'branded.json', '--out', 'right', '--only', ids.join(), ...all);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('PASSED, partial') });
    const report = await reportIn('right');
    expect(validate('report', report)).toEqual([]);
    expect(report.brand).toBe('Acme');
    const verdicts = report.requirements.filter(({ id }) => ids.includes(id)).map(({ verdict }) => verdict);
    expect(verdicts).toContain('pass');
    expect(verdicts).not.toContain('fail');
    for (const [file, text] of await filesBelow('right'))
      expect([file, documentNames.exec(text)]).toEqual([file, null]);
    expect(ended.stdout + ended.stderr).not.toMatch(documentNames);
    const { requirements, exchanges } = report;
    expect(requirements.find(({ id }) => id === 'crm-webhook/svc-project-id-unaltered')?.statement).toBe(
      'If an answer contains acmeProjectId, it is the one of the event.',
    );
    const names = exchanges.flatMap(({ request }) => request.headers.map(([name]) => name));
    expect(names).toEqual(expect.arrayContaining(['X-Acme-Signature', 'X-Acme-Call-Id', 'X-Acme-Event']));
    const events = exchanges.filter(({ request }) => request.url === branded.crmUrl);
    expect(events.some(({ request }) => request.body.includes('"acmeContactId":'))).toBe(true);
    // As sent: the size is that of the bytes on the wire.
    for (const { request } of events) {
      if (!request.body.endsWith('…')) expect(request.bodyBytes).toBe(Buffer.byteLength(request.body));
    }
  });

  it('fails an endpoint that knows the names of the document, with the cause in the names of the brand', async () => {
    const ids = 'api-webhooks/accepts-valid-signature,own-ai-phone/accepts-valid-signature';
    const ended = await run('check', '--config', 'unbranded.json', '--out', 'wrong', '--only', ids, ...all);
    expect(ended.code).toBe(1);
    const report = await reportIn('wrong');
    const failed = report.checks.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ requirement }) => requirement)).toEqual(ids.split(','));
    for (const { causes } of failed) {
      expect(causes).toMatchObject([
        {
          id: 'signature/other-header-name',
          summary: 'The endpoint reads the signature from another header (X-Svc-Signature).',
          remediation: 'Read X-Acme-Signature; header names are case-insensitive.',
        },
      ]);
    }
    expect(ended.stdout.replaceAll(/\(X-Svc-Signature\)/g, '')).not.toMatch(documentNames);
    const { statement } = report.requirements.find(({ id }) => id === 'own-ai-phone/refuses-missing-signature') ?? {};
    expect(statement).toBe('An upgrade without the X-Acme-Signature header does not lead to a call.');
  });

  it('judges the fields of the brand, and shows what was received', async () => {
    await using endpoint = await smallEndpoint(({ headers, body }) => {
      if (headers.authorization !== `Bearer ${env.CRM_TOKEN}`) return { status: 401 };
      const { contactData } = JSON.parse(body) as { contactData?: Record<string, number> };
      if (contactData?.['acmeContactId'] === undefined || 'svcContactId' in contactData) return { status: 204 };
      const answer = { requestContactUpdate: true, contactData: { acmeContactId: 7, lastName: 'svcContactId' } };
      return { status: 200, body: JSON.stringify(answer) };
    });
    const flags = ['--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN', '--brand', 'Acme'];
    const { code, stdout } = await run('check', ...flags, '--out', 'altered', '--no-diagnose', '--runs', '60', ...all);
    expect(code).toBe(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /Received 7; expected contactData\.acmeContactId to be \d+ as in the event/,
    );
    const { checks, exchanges } = await reportIn('altered');
    const failed = checks.find(({ requirement }) => requirement === 'crm-webhook/svc-contact-id-unaltered');
    expect(failed?.reproduce).toContain('--brand Acme');
    const bodies = exchanges.map(({ response }) => response?.body);
    expect(bodies).toContain(
      '{"requestContactUpdate":true,"contactData":{"acmeContactId":7,"lastName":"svcContactId"}}',
    );
    const replayed = await run('replay', 'altered', failed?.id ?? '', ...flags);
    expect(replayed, replayed.stderr).toMatchObject({ code: 1, stdout: expect.stringContaining('acmeContactId') });
    expect(replayed.stdout).toContain('still failing');
  });

  it('judges recorded traffic of that brand', async () => {
    const { code, stdout } = await run(
      'check',
      '--config',
      'branded.json',
      '--capture',
      'right/report.har',
      '--out',
      'captured',
    );
    const { requirements } = await reportIn('captured');
    const verdict = (id: string) => requirements.find((row) => row.id === id)?.verdict;
    expect(code, stdout).toBe(0);
    expect(verdict('api-webhooks/accepts-valid-signature')).toBe('pass');
    expect(verdict('own-ai-phone/accepts-valid-signature')).toBe('pass');
    expect(verdict('own-ai-chat/accepts-valid-signature')).toBe('pass');
    for (const [file, text] of await filesBelow('captured')) {
      expect([file, documentNames.exec(text)]).toEqual([file, null]);
    }
  });
});

describe('the other commands with another brand', () => {
  it('send: sends and prints its names, and leaves text of the user alone', async () => {
    const text = 'Is svcContactId the "svcProjectId": of X-Svc-Event, and svc_sk_1 a key?';
    await using endpoint = await smallEndpoint(() => ({ status: 200, body: JSON.stringify({ text: 'svcContactId' }) }));
    const flags = ['--chat-url', endpoint.url, '--chat-secret', 'env:AGENT_SECRET', '--brand', 'Acme', '--json'];
    const { code, stdout } = await run('send', 'message.received', '--text', text, ...flags);
    expect(code).toBe(0);
    const [{ headers, body, rawHeaders } = { headers: {}, body: '', rawHeaders: [] }] = endpoint.requests;
    expect((JSON.parse(body) as { data: { message: { text: string } } }).data.message.text).toBe(text);
    const [, t = '', v1] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-acme-signature'])) ?? [];
    expect(createHmac('sha256', env.AGENT_SECRET).update(`${t}.${body}`).digest('hex')).toBe(v1);
    expect(rawHeaders).toContain('X-Acme-Delivery-Id');
    expect(Object.keys(headers).filter((name) => name.includes('svc'))).toEqual([]);
    const [{ request, response }] = (JSON.parse(stdout) as Report).exchanges as [Report['exchanges'][0]];
    expect(request.headers.map(([name]) => name)).toContain('X-Acme-Signature');
    expect(request.body).toBe(body.replace('svc_sk_1', '[redacted: API key]'));
    expect(response?.body).toBe('{"text":"svcContactId"}');
  });

  it('send: accepts fields and bodies with its names', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const flags = ['--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN', '--brand', 'Acme'];
    const set = await run('send', 'NewConversation', ...flags, '--set-json', 'contactData.acmeContactId=77');
    expect(set).toMatchObject({ code: 0, stdout: expect.stringContaining('"acmeContactId": 77') });
    expect(set.stdout).not.toContain('was added');
    const body = '{"eventType":"NewConversation","contactData":{"acmeContactId" :5, "svcContactId":6}}';
    await writeFile(directory.at('body.json'), body);
    expect((await run('send', 'NewConversation', ...flags, '--body', 'body.json')).code).toBe(0);
    expect(JSON.parse(endpoint.requests[0]?.body ?? '{}')).toMatchObject({ contactData: { acmeContactId: 77 } });
    expect(endpoint.requests[1]?.body).toBe(body);
  });

  it('diagnose: finds that the endpoint reads the names of the document', async () => {
    const { code, stdout } = await run('diagnose', 'own-ai-chat', '--config', 'unbranded.json', '--note', 'note.txt');
    expect(code).toBe(1);
    const note = await readFile(directory.at('note.txt'), 'utf8');
    expect(note).toMatch(/Read\s+X-Acme-Signature/);
    expect(note).toMatch(/^- X-Acme-Signature: /m);
    expect(note.replaceAll(/\(X-Svc-Signature\)/g, '')).not.toMatch(documentNames);
    expect(stdout).toMatch(/\(X-Svc-Signature\)/);
    expect(stdout).toMatch(/Read\s+X-Acme-Signature/);
    expect(stdout.replaceAll(/\(X-Svc-Signature\)/g, '')).not.toMatch(documentNames);
    expect((await run('diagnose', 'own-ai-chat', '--config', 'branded.json')).code).toBe(0);
  });

  it('serve: accepts keys of the brand only, sends its names, and publishes them', async () => {
    await using service = startService(['--json', '--config', 'branded.json', '--api-key', 'acme_sk_another-one'], {
      cwd: directory.path,
      env,
    });
    const { baseUrl, apiKey, controlUrl } = JSON.parse(await service.line(() => true)) as Record<string, string>;
    expect(apiKey).toBe('acme_sk_another-one');
    const me = async (key: string) => (await fetch(`${baseUrl}/v1/me`, { headers: { 'X-Api-Key': key } })).status;
    expect([await me('acme_sk_another-one'), await me('svc_sk_another-one')]).toEqual([200, 401]);
    await fetch(`${controlUrl}/customer-writes`, { method: 'POST', body: JSON.stringify({ text: 'svcContactId?' }) });
    await service.line((line) => line.includes('svcContactId?'));
    const delivery = await service.line((line) => line.includes('"message.received"'));
    expect(JSON.parse(delivery)).toMatchObject({ data: { status: 200 } });
    const document = await (await fetch(`${baseUrl}/v1/openapi.json`)).text();
    expect(document).toContain('acme_sk_');
    expect(document).not.toMatch(documentNames);
    const refused = await run('serve', '--config', 'branded.json', '--api-key', 'svc_sk_1');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('expected a key that begins with acme_sk_');
  });

  it('schemas, pact generate, explain: publish its names, from a flag or the nearest config', async () => {
    expect((await run('schemas', '--out', 'published', '--brand', 'Acme')).code).toBe(0);
    const files = await filesBelow('published');
    for (const [file, text] of files) expect([file, documentNames.exec(text)]).toEqual([file, null]);
    const text = files.map(([, one]) => one).join('');
    for (const name of ['X-Acme-Signature', 'acmeContactId', 'acmeProjectId', 'acme_sk_']) expect(text).toContain(name);
    await writeFile(directory.at('svc-conform.config.json'), '{"brand":"Acme"}');
    const explained = await run('explain', 'own-ai-phone/refuses-missing-call-id');
    expect(explained.stdout).toContain('X-Acme-Call-Id');
    expect(explained.stdout).not.toMatch(documentNames);
    const given = await run('explain', 'signature/other-header-name', '--brand', 'Shop');
    expect(given.stdout).toContain('X-Shop-Signature');
    expect((await run('explain', 'signature/other-header-name', '--brand', 'a b')).code).toBe(2);
  });

  it('link: finds and hides its API keys, and prints its names', async () => {
    const app = 'https://app.example.com/open/project';
    const links = [`${app}?id=K-7`, `${app}?id=7&k=acme_sk_one-of-a-link`, `${app}?id=7&k=svc_sk_one-of-a-link`];
    const checked = await run('link', 'check', ...links, '--brand', 'Acme', '--json');
    const { links: judged } = JSON.parse(checked.stdout) as { links: { link: string; findings: object[] }[] };
    expect(judged.map(({ link }) => link)).toEqual([
      `${app}?id=K-7`,
      `${app}?id=7&k=acme_sk_…`,
      `${app}?id=7&k=svc_sk_…`,
    ]);
    expect(judged[0]?.findings).toMatchObject([{ expected: 'acmeProjectId, a whole number' }]);
    expect(judged[1]?.findings).toMatchObject([{ requirement: 'deep-links/carries-no-secret' }]);
    // Without a flag, the brand is that of the nearest config.
    await writeFile(directory.at('svc-conform.config.json'), '{"brand":"Shop"}');
    expect((await run('link', 'build', '--scheme', '--project-id', 'K')).stderr).toContain('expected shopProjectId');
    expect((await run('link', 'check', `${app}?id=7&k=shop_sk_1-of-a-link`)).stdout).toContain('carries-no-secret');
  });

  it('pact compare: hides its API keys', async () => {
    const contract = {
      consumer: { name: 'crm' },
      provider: { name: 'api' },
      interactions: [
        {
          description: 'me',
          request: { method: 'GET', path: '/v1/me', query: 'k=acme_sk_9876' },
          response: { status: 200 },
        },
      ],
    };
    await writeFile(directory.at('contract.json'), JSON.stringify(contract));
    for (const flags of [
      ['--brand', 'Acme'],
      ['--brand', 'Acme', '--json'],
    ]) {
      const { code, stdout } = await run('pact', 'compare', 'contract.json', ...flags);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('k=[redacted: API key]') as string });
      expect(stdout).not.toContain('9876');
    }
  });
});

describe('an invalid brand', () => {
  it.each(['', 'Ac me', 'Acmé', 'X-Acme', 'Api', 'CRM', 'a'.repeat(41)])('%j is refused', async (brand) => {
    await writeFile(directory.at('invalid.json'), JSON.stringify({ brand, deepLinks: { file: 'links.txt' } }));
    const { code, stderr } = await run('check', '--config', 'invalid.json');
    expect(code).toBe(2);
    expect(stderr).toContain(
      `brand: expected a name of up to 40 letters and digits (a-z, 0-9), other than Crm and Api, received ${JSON.stringify(brand)}`,
    );
  });
});
