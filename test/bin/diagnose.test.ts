import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { diagnoseOne, type DiagnoseFlags as AllFlags } from '../../bin/diagnose-one.ts';
import { isUsageFault } from '../../bin/exit-codes.ts';
import { startIntegrator, type Integrator } from '../../examples/integrator/server.ts';
import { signatureHeader } from '../../specs/signing.ts';
import type { DiagnosedSurface, Diagnosis } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { inheritedEnvironment, program, runCommand, temporaryDirectory, type Ended } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = {
  HOOK_SECRET: 'whk_for-looking-into-it',
  AGENT_SECRET: 'whsec_for-looking-into-it',
  CRM_TOKEN: 'token-for-looking-into-it',
  QUOTED: '"whk_for-looking-into-it"',
};

type DiagnoseFlags = Partial<AllFlags>;

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let integrator: Integrator;

beforeAll(async () => {
  directory = await temporaryDirectory();
  integrator = await startIntegrator({
    crmToken: env.CRM_TOKEN,
    hookSecret: env.HOOK_SECRET,
    agentSecret: env.AGENT_SECRET,
    apiKey: 'svc_sk_for-looking-into-it',
    log: () => undefined,
  });
});
afterAll(async () => {
  await integrator.close();
  await directory[Symbol.asyncDispose]();
});

async function run(...args: string[]): Promise<Ended> {
  const ended = await runCommand(['diagnose', ...args], { cwd: directory.path, env });
  for (const secret of Object.values(env)) expect(ended.stdout + ended.stderr).not.toContain(secret);
  return ended;
}

const hooks = (url: string, name = 'HOOK_SECRET') => ['api-webhooks', '--url', url, '--secret', `env:${name}`];
const read = ({ stdout }: Ended) => JSON.parse(stdout) as Diagnosis;

/** An own AI that verifies signatures and answers no message. */
const quietEndpoint = () =>
  smallEndpoint(({ headers, body }) => {
    const signature = String(headers['x-svc-signature']);
    const t = Number(/^t=(\d{10}),/.exec(signature)?.[1]);
    const isFresh = Math.abs(Date.now() / 1000 - t) <= 300;
    const isSigned = isFresh && signature === signatureHeader({ secret: env.AGENT_SECRET, t, body });
    return { status: isSigned ? 204 : 401 };
  });

describe.concurrent('svc-conform diagnose', () => {
  it('ends with 0 where nothing is wrong, and shows every stage with its time', async () => {
    const { code, stdout, stderr } = await run(...hooks(integrator.hooksUrl), '--seed', '7');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const stage of [
      'config',
      'name',
      'tcp',
      'tls',
      'http',
      'authentication',
      'protocol',
      'behaviour',
      'refusals',
    ]) {
      expect(stdout).toMatch(new RegExp(`^[✓–] ${stage} +\\d.*m?s`, 'm'));
    }
    expect(stdout).toContain('✓ Everything that could be checked works.');
    expect(stdout).toContain(
      `npx svc-conform diagnose api-webhooks --url ${integrator.hooksUrl} --secret env:HOOK_SECRET`,
    );
    expect(stdout).toContain('--seed 7');
  });

  it('ends with 1 where it found the cause: one sentence, one fix, a note to be sent on', async () => {
    await using moved = await smallEndpoint(() => ({ status: 301, headers: { Location: 'https://www.example.org/' } }));
    const { code, stdout } = await run(...hooks(moved.url));
    expect(code).toBe(1);
    expect(stdout).toContain('✗ The cause is in the stage http.');
    expect(stdout).toMatch(/cause {3}The URL redirects to https:\/\/www\.example\.org/);
    expect(stdout).toMatch(/fix {5}Enter the final address of the redirect/);
    expect(stdout).toContain('Cause: The URL redirects');
  });

  it('ends with 3 if something is wrong and the cause is unknown', async () => {
    await using closed = await smallEndpoint(() => ({ status: 418, body: 'no' }));
    const ended = await run(...hooks(closed.url), '--json');
    expect(ended.code).toBe(3);
    const diagnosis = read(ended);
    expect(diagnosis.cause).toBeNull();
    expect(diagnosis.suspects.length).toBeGreaterThan(0);
  });

  it('ends with 3 if only a check finds something: an AI that answers no message', async () => {
    await using endpoint = await quietEndpoint();
    const ended = await run('own-ai-chat', '--url', endpoint.url, '--secret', 'env:AGENT_SECRET', '--json');
    const diagnosis = read(ended);
    expect(validate('diagnosis', diagnosis)).toEqual([]);
    expect({ code: ended.code, stages: diagnosis.stages.at(-1) }).toMatchObject({
      code: 3,
      stages: { name: 'refusals', result: 'passed' },
    });
    expect(diagnosis.suspects.map(({ id }) => id)).toEqual(['own-ai-chat/answers-at-least-one-message']);
    expect(diagnosis.note).toContain('own-ai-chat/answers-at-least-one-message');
  });

  it('runs no checks with --no-checks, and reports that they did not run', async () => {
    await using endpoint = await quietEndpoint();
    const ended = await run(
      'own-ai-chat',
      '--url',
      endpoint.url,
      '--secret',
      'env:AGENT_SECRET',
      '--no-checks',
      '--json',
    );
    const diagnosis = read(ended);
    expect({ code: ended.code, suspects: diagnosis.suspects }).toEqual({ code: 0, suspects: [] });
    expect(diagnosis.notObserved).toContain('The checks of own-ai-chat did not run: --no-checks skips them.');
    expect(diagnosis.deliveries).toBeLessThan(60);
    expect(diagnosis.note).toContain(' --no-checks');
  });

  it('tries two mistakes at once only with --thorough', async () => {
    await using endpoint = await smallEndpoint(({ headers, body }) => {
      const [, t, v1] = /^t=(\d+),v1=(.+)$/.exec(String(headers['x-svc-signature'])) ?? [];
      const digest = createHmac('sha1', env.HOOK_SECRET).update(`${t}.`).update(body).digest('base64');
      return { status: v1 === digest ? 200 : 401 };
    });
    const usual = await run(...hooks(endpoint.url), '--json');
    expect({ code: usual.code, cause: read(usual).cause }).toEqual({ code: 3, cause: null });
    expect(
      read(usual)
        .suspects.map(({ why }) => why)
        .join('\n'),
    ).toContain('--thorough');
    const thorough = await run(...hooks(endpoint.url), '--thorough', '--json');
    expect({ code: thorough.code, id: read(thorough).cause?.id }).toEqual({ code: 1, id: 'signature/base64' });
    expect(read(thorough).note).toContain(' --thorough');
  });

  it('prints one JSON object and nothing else with --json, progress on standard error', async () => {
    const ended = await run(...hooks(integrator.hooksUrl, 'QUOTED'), '--json', '--note', 'note.txt');
    expect(ended.code).toBe(1);
    const diagnosis = read(ended);
    expect(validate('diagnosis', diagnosis)).toEqual([]);
    expect(diagnosis).toMatchObject({ stage: 'authentication', cause: { id: 'config/secret-in-quotes' } });
    expect(ended.stderr).toMatch(/^✗ authentication .*the cause is here$/m);
    const note = await readFile(directory.at('note.txt'), 'utf8');
    expect(note.startsWith(diagnosis.note.trimEnd())).toBe(true);
    for (const value of Object.values(env)) expect(note).not.toContain(value);
    expect(note).toMatch(/^- \d{4}-\d\d-\d\dT[\d:.]+Z {2}whd_\w+ {2}status 401 {2}a normal event$/m);
    const line = (name: string) => new RegExp(`^- ${name}: (.*)$`, 'm').exec(note)?.[1] ?? '';
    const body = line('body, 49 bytes.*the end');
    expect(line('X-Svc-Signature')).toBe(signatureHeader({ secret: line('secret'), t: Number(line('t')), body }));
  });

  it('names the call to change in the framework that the answers reveal or that --code names, and shows its code', async () => {
    await using endpoint = await smallEndpoint(({ headers, body }) => {
      const signature = String(headers['x-svc-signature']);
      const t = Number(/^t=(\d{10}),/.exec(signature)?.[1]);
      const compact = JSON.stringify(JSON.parse(body));
      const isSigned = signature === signatureHeader({ secret: env.HOOK_SECRET, t, body: compact });
      return { status: isSigned ? 200 : 401, headers: { 'X-Powered-By': 'Express' } };
    });
    const detected = await run(...hooks(endpoint.url), '--json');
    const diagnosis = read(detected);
    expect(validate('diagnosis', diagnosis)).toEqual([]);
    expect(diagnosis.cause).toMatchObject({
      id: 'signature/body-compact',
      remediation: expect.stringContaining(
        'The header X-Powered-By suggests Express: read the raw body with',
      ) as string,
    });
    expect(diagnosis.code).toMatchObject({ framework: 'Express', sign: 'header X-Powered-By' });
    const chosen = await run(...hooks(endpoint.url), '--code', 'python', '--note', 'chosen.txt');
    for (const text of [chosen.stdout, await readFile(directory.at('chosen.txt'), 'utf8')]) {
      expect(text.replaceAll(/\s+/g, ' ')).toContain('In Flask: read the raw body with request.get_data(), before');
      expect(text).toContain('Code that does it correctly in Flask:');
      expect(text.replaceAll(/\s+/g, ' ')).toContain('--code python');
      expect(text).toContain('    body = request.get_data()');
    }
  });

  it('diagnoses one endpoint of a config, whose other secrets need not be set', async () => {
    const config = {
      chat: { url: integrator.chatUrl, secret: 'env:AGENT_SECRET', timeoutSeconds: 5 },
      crmWebhook: { url: integrator.crmUrl, token: 'env:NOBODY_HAS_THIS' },
    };
    await writeFile(directory.at('two.json'), JSON.stringify(config));
    const ended = await run('own-ai-chat', '--config', 'two.json', '--json', '--timeout-seconds', '3');
    expect(ended.code).toBe(0);
    expect(read(ended).agentTest).toMatchObject({ success: true, statusCode: 204, error: null });
  });

  it('reads values without a flag from the nearest config', async () => {
    await using other = await temporaryDirectory();
    const chat = { url: 'http://127.0.0.1:1/nobody', secret: 'env:AGENT_SECRET', timeoutSeconds: 5 };
    await writeFile(other.at('svc-conform.config.json'), JSON.stringify({ chat }));
    const args = ['diagnose', 'own-ai-chat', '--url', integrator.chatUrl, '--json'];
    const ended = await runCommand(args, { cwd: other.path, env });
    expect(ended.code).toBe(0);
    expect(read(ended)).toMatchObject({ url: integrator.chatUrl, agentTest: { success: true } });
    const hook = await runCommand(['diagnose', 'api-webhooks', '--url', 'http://127.0.0.1:1/'], {
      cwd: other.path,
      env,
    });
    expect(hook).toMatchObject({
      code: 2,
      stderr:
        'svc-conform.config.json has no key apiWebhooks: add the endpoint there, or give --url ADDRESS and --secret env:NAME.\n',
    });
  });

  it('prints what is missing if nothing names an endpoint', async () => {
    const { code, stderr } = await run('crm-webhook');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'There is no config file in this directory or above: give --url ADDRESS and --token env:NAME.\n',
    });
  });

  it('keeps its exit code when its reader disconnects', async ({ expect }) => {
    await using moved = await smallEndpoint(() => ({ status: 301, headers: { Location: 'https://www.example.org/' } }));
    const words = [process.execPath, program, 'diagnose', ...hooks(moved.url)].map((word) => `'${word}'`).join(' ');
    await promisify(execFile)('sh', ['-c', `{ ${words} 2>&1; echo $? > code; } | true`], {
      cwd: directory.path,
      env: { ...inheritedEnvironment(), ...env },
    });
    const code = () => readFile(directory.at('code'), 'utf8').catch(() => '');
    await expect.poll(code, { timeout: 20_000 }).toBe('1\n');
  });

  it('also tries the previous token', async () => {
    const old = 'Old.Kx7mQp2Vw9Zt4Bn8Rc';
    await using endpoint = await smallEndpoint(({ headers }) => ({
      status: headers.authorization === `Bearer ${old}` ? 204 : 401,
    }));
    const args = [
      'crm-webhook',
      '--url',
      endpoint.url,
      '--token',
      'env:CRM_TOKEN',
      '--old-secret',
      'env:OLD',
      '--json',
    ];
    const ended = await runCommand(['diagnose', ...args], { cwd: directory.path, env: { ...env, OLD: old } });
    expect(read(ended).cause?.id).toBe('token/old-token');
    expect(ended.stdout + ended.stderr).not.toContain(old);
  });

  it('finds that unknown callers are rejected if it has the number of a known one', async () => {
    const known = '+4930901820';
    const isOfStranger = (body: string) =>
      /"eventType":("IncomingCallLookup"|"NewConversation"|0|2)/.test(body) && !body.includes(known);
    await using endpoint = await smallEndpoint(({ headers, body }) => {
      if (headers.authorization !== `Bearer ${env.CRM_TOKEN}`) return { status: 401 };
      return { status: isOfStranger(String(body)) ? 404 : 204 };
    });
    const args = ['crm-webhook', '--url', endpoint.url, '--token', 'env:CRM_TOKEN', '--json'];
    expect(read(await run(...args)).cause?.id).toBe('payload/listed-event');
    const { cause, note } = read(await run(...args, '--known-caller', known, '--brand', 'Acme'));
    expect(cause?.id).toBe('payload/unknown-caller');
    expect(note).toContain(`--brand Acme --token env:CRM_TOKEN --known-caller ${known}`);
  });
});

describe('wrong values for svc-conform diagnose', () => {
  it.each<[string, DiagnoseFlags, string]>([
    ['own-ai-caht', { url: 'http://127.0.0.1/' }, 'Did you mean own-ai-chat'],
    ['crm-webhook', { url: 'http://127.0.0.1/', secret: 'env:CRM_TOKEN' }, 'give --token env:NAME.'],
    ['api-webhooks', { url: 'http://127.0.0.1/' }, '--url needs --secret env:NAME.'],
    ['api-webhooks', { url: 'http://127.0.0.1/', secret: 'whk_in-clear' }, '--secret: expected env:NAME'],
    ['api-webhooks', { url: 'http://127.0.0.1/', secret: 'env:HOOK_SECRET', oldSecret: 'env:GONE' }, 'GONE is not set'],
    [
      'api-webhooks',
      { url: 'http://example.org/', secret: 'env:HOOK_SECRET' },
      '--url is http://example.org/; http: is',
    ],
    ['api-webhooks', { url: 'nowhere', secret: 'env:HOOK_SECRET' }, '--url: expected an https: address'],
    ['api-webhooks', { url: 'http://127.0.0.1/', secret: 'env:GONE' }, '--secret is env:GONE, but'],
    [
      'api-webhooks',
      { url: 'http://127.0.0.1/', secret: 'env:HOOK_SECRET', timeoutSeconds: 3 },
      'applies to own-ai-chat and own-ai-phone only',
    ],
    [
      'api-webhooks',
      { url: 'http://127.0.0.1/', secret: 'env:HOOK_SECRET', knownCaller: '+4930901820' },
      '--known-caller applies to crm-webhook only',
    ],
    ['own-ai-chat', { url: 'http://127.0.0.1/', secret: 'env:HOOK_SECRET', timeoutSeconds: 31 }, 'expected 2 to 30'],
    ['api-webhooks', { report: 'nowhere.json' }, 'nowhere.json'],
  ])('explains what to write instead: %s %j', async (surface, flags, text) => {
    vi.stubEnv('HOOK_SECRET', env.HOOK_SECRET);
    const ended = diagnoseOne(surface as DiagnosedSurface, { within: 1, ...flags });
    const error: unknown = await ended.catch((reason: unknown) => reason);
    expect(isUsageFault(error)).toBe(true);
    expect((error as Error).message).toContain(text);
    expect((error as Error).message).not.toContain('in-clear');
    vi.unstubAllEnvs();
  });
});
