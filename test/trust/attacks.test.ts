import { existsSync } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CheckResult, Exchange, Report } from '../../specs/generated/types.ts';
import { program, runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { smallEndpoint } from '../bin/small-endpoint.ts';

/** A secret of the environment that only its owner may send anywhere. */
const env = { AWS_SECRET: 'wJalrXUtnFEMI/K7MDENG', CRM_TOKEN: 'Kx7mQp2Vw9Zt4Bn8Rc' };

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let attacker: Awaited<ReturnType<typeof smallEndpoint>>;
beforeEach(async () => {
  directory = await temporaryDirectory();
  await mkdir(directory.at('got'));
  attacker = await smallEndpoint(() => ({ status: 204 }));
});
afterEach(async () => {
  await attacker[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

/** Writes this file when it is executed. */
const mark = () => directory.at('ran');
const command = () => `touch ${mark()}`;

interface Attack {
  surface: string;
  requirement: string;
  flags?: readonly string[];
  configFile?: string;
  url?: string;
  image?: string;
  over?: Partial<CheckResult>;
}

/** A report that matches its schema, with one failed check, in the directory of a victim. */
async function reportOf({ surface, requirement, flags = [], configFile, url, image, over }: Attack): Promise<void> {
  const reproduce = ['npx', 'svc-conform', 'check', ...flags, '--only', requirement, '--seed', '1'].join(' ');
  const result = { section: 'x', level: 'must', verdict: 'fail', statement: 'x', remediation: 'x' } as const;
  const report: Report = {
    schemaVersion: 2,
    harness: { name: 'svc-conform', version: '1.0.0' },
    protocol: '2026-10-11',
    startedAt: '2026-10-11T08:30:00.000Z',
    durationMs: 1,
    seed: 1,
    verdict: 'non-conformant',
    summary: { pass: 0, fail: 1, warn: 0, advice: 0, blocked: 0, notExercised: 0, notApplicable: 0 },
    target: { [surface]: { url: url ?? attacker.url } },
    ...(configFile !== undefined && { configFile }),
    ...(image !== undefined && { container: { image } }),
    requirements: [{ id: requirement, surface, ...result, checks: [`${requirement}#x`] }],
    checks: [
      {
        id: `${requirement}#x`,
        requirement,
        surface,
        title: 'x',
        level: 'must',
        verdict: 'fail',
        durationMs: 1,
        evidence: [],
        reproduce,
        ...over,
      },
    ],
    exchanges: [],
    timings: [],
  };
  await writeFile(directory.at('got/report.json'), JSON.stringify(report));
}

async function attack(...args: string[]) {
  const ended = await runCommand(args, { cwd: directory.path, env: { ...env, HOME: directory.path } });
  expect({ ran: existsSync(mark()), contacted: attacker.requests.length }, ended.stderr).toEqual({
    ran: false,
    contacted: 0,
  });
  expect(ended.stdout + ended.stderr).not.toContain(env.AWS_SECRET);
  return ended;
}

const chat = { surface: 'own-ai-chat', requirement: 'own-ai-chat/refuses-missing-signature' };
const crm = { surface: 'crm-webhook', requirement: 'crm-webhook/refuses-wrong-token' };
const client = { surface: 'api-client', requirement: 'api-client/sends-api-key' };

const targets = () => ({
  chat: { url: attacker.url, secret: 'env:AWS_SECRET' },
  crmWebhook: { url: attacker.url, token: 'env:AWS_SECRET' },
});

describe('a report from an untrusted source', () => {
  it('starts no client of the config that it names', async () => {
    await writeFile(directory.at('got/c.json'), JSON.stringify({ apiClient: { exercise: { command: command() } } }));
    await reportOf({ ...client, configFile: 'got/c.json' });
    const { code, stderr } = await attack('replay', 'got');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--config got/c.json') as string });
  });

  it.each(['replay got', 'diagnose own-ai-chat --report got'])(
    'gives %s no address and no variable through the config that it names',
    async (line) => {
      await writeFile(directory.at('got/c.json'), JSON.stringify(targets()));
      for (const configFile of ['got/c.json', './got/../got/c.json', directory.at('got/c.json')]) {
        await reportOf({ ...chat, configFile });
        const { code, stderr } = await attack(...line.split(' '));
        expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--config') as string });
      }
      await writeFile(directory.at('got/svc-conform.config.json'), JSON.stringify(targets()));
      await reportOf({ ...chat, configFile: 'got/svc-conform.config.json' });
      expect((await attack(...line.split(' '))).code).toBe(2);
      await symlink(directory.at('got/c.json'), directory.at('own.json'));
      await reportOf({ ...chat, configFile: 'own.json' });
      expect((await attack(...line.split(' '))).code).toBe(2);
    },
  );

  it.each(['replay got', 'diagnose crm-webhook --report got'])(
    'gives %s no address and no variable through the flags in its commands, even one of this machine',
    async (line) => {
      await reportOf({ ...crm, flags: ['--crm-url', attacker.url, '--crm-token', 'env:AWS_SECRET'] });
      const { code, stderr } = await attack(...line.split(' '));
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--url') as string });
      expect(stderr).toContain('--token');
    },
  );

  it.each(['mjs', 'js', 'ts'])('runs no config that is a program (%s)', async (ending) => {
    const name = `got/svc-conform.config.${ending}`;
    const spawn = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark())}, '');`;
    await writeFile(directory.at(name), `${spawn} export default ${JSON.stringify(targets())};`);
    for (const configFile of [name, `file://${directory.at(name)}`]) {
      await reportOf({ ...chat, configFile });
      expect((await attack('replay', 'got')).code).toBe(2);
    }
  });

  it('runs no suite: the surface of a check is a name, and not a pattern of files', async () => {
    await mkdir(directory.at('got/suites'));
    const suite = `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(mark())}, '');`;
    for (const ending of ['js', 'ts']) await writeFile(directory.at(`got/suites/x.suite.${ending}`), suite);
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify({ crmWebhook: { url: 'http://127.0.0.1:9/', token: 'env:CRM_TOKEN' } })); // prettier-ignore
    const ours = join(dirname(program), '../dist/suites');
    await reportOf({ ...chat, surface: relative(ours, directory.at('got')) });
    await attack('replay', 'got');
  });

  it('starts no image', async () => {
    await writeFile(directory.at('docker'), `#!/bin/sh\n${command()}\n`);
    await chmod(directory.at('docker'), 0o755);
    await reportOf({
      ...chat,
      image: 'evil.example/x',
      url: 'http://{container}/chat',
      flags: ['--image', 'evil.example/x', '--chat-url', "'http://{container}/chat'", '--chat-secret', 'env:CRM_TOKEN'],
    });
    const { code, stderr } = await attack('replay', 'got');
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--image evil.example/x') as string });
    expect(stderr).not.toContain('Starting');
  });

  it('raises no limit that a flag has', async () => {
    await using own = await smallEndpoint(() => ({ status: 204 }));
    await reportOf({
      ...crm,
      url: own.url,
      over: { reproduce: 'npx svc-conform check --runs 999999999 --answer-timeout 1e9' },
    });
    const { stderr } = await attack('replay', 'got', '--url', own.url, '--token', 'env:CRM_TOKEN');
    expect(stderr).toContain('--runs');
  });
});

describe('a delivery of a report', () => {
  const exchange = (body: string): Exchange => ({
    id: 'ex-1',
    kind: 'http',
    label: 'a lookup',
    startedAt: '2026-10-11T08:30:00.000Z',
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:1/',
      headers: [['Authorization', 'Bearer [redacted: CRM token]']],
      body,
      bodyBytes: Buffer.byteLength(body),
    },
    outcome: 'answered',
    response: { status: 204, headers: [], body: '', bodyBytes: 0 },
    timing: { connectMs: null, firstByteMs: 1, totalMs: 1 },
  });

  it.each([
    '{"eventType":"Manual","callbackUrl":"EVIL","callbackUrl":"http://127.0.0.1:1/back"}',
    String.raw`{"eventType":"Manual","callback\u0055rl":"EVIL","callbackUrl":"http://127.0.0.1:1/back"}`,
    '{"eventType":"Manual","callbackUrl":"http://127.0.0.1:1/back","data":{"replyUrl":"EVIL"}}',
    '{"eventType":"Manual","callbackUrl":7,"data":{"replyUrl":"EVIL"}}',
  ])('gives the endpoint no address of the report: %s', async (text) => {
    await using own = await smallEndpoint(() => ({ status: 204 }));
    const { replayExchange } = await import('../../run/replay/replay-exchange.ts');
    const one = exchange(text.replace('EVIL', attacker.url));
    const checks = [{ requirement: 'crm-webhook/answers-in-time', evidence: ['ex-1'] }];
    const report = { checks, exchanges: [one], target: {}, seed: 1 } as unknown as Report;
    const config = {
      crmWebhook: { url: own.url, token: env.CRM_TOKEN },
      skills: [],
      stimuli: {},
      service: { host: '127.0.0.1', port: 0 },
    };
    await replayExchange(one, 'crm-webhook', report, config);
    for (const { body } of own.requests) expect(body).not.toContain(attacker.url);
  });
});

describe('a scenario from an untrusted source', () => {
  it.each(['crmWebhook', 'chat', 'phone', 'apiWebhooks'])('connects no %s that only it names', async (name) => {
    const url = name === 'phone' ? attacker.url.replace('http', 'ws') : attacker.url;
    await writeFile(
      directory.at('s.yaml'),
      `- connect: { ${name}: "${url}" }\n- customer-writes: { text: Hello }\n- manual:\n`,
    );
    const { code, stderr } = await attack('serve', '--script', 's.yaml');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^s\.yaml:1.*--connect http|ws/) as string,
    });
  });
});

describe('a contract from an untrusted source', () => {
  it('starts no plugin of Pact and looks for none', async () => {
    const plugin = directory.at('.pact/plugins/csv-0.0.1');
    await mkdir(plugin, { recursive: true });
    const manifest = { manifestVersion: 1, pluginInterfaceVersion: 1, name: 'csv', version: '0.0.1', executableType: 'exec', entryPoint: 'run.sh', pluginConfig: {}, dependencies: [] }; // prettier-ignore
    await writeFile(`${plugin}/pact-plugin.json`, JSON.stringify(manifest));
    await writeFile(`${plugin}/run.sh`, `#!/bin/sh\n${command()}\n`);
    await chmod(`${plugin}/run.sh`, 0o755);
    const interaction = {
      type: 'Synchronous/HTTP',
      description: 'd',
      request: { method: 'GET', path: '/v1/me' },
      response: { status: 200 },
    };
    const contract = {
      consumer: { name: 'a' },
      provider: { name: 'b' },
      interactions: [interaction, { ...interaction, pluginConfiguration: { csv: {} }, transport: 'grpc' }],
      metadata: {
        pactSpecification: { version: '4.0' },
        plugins: [{ name: 'csv', version: '0.0.1', configuration: {} }],
      },
    };
    await writeFile(directory.at('pact.json'), JSON.stringify(contract));
    const { stdout } = await attack('pact', 'compare', 'pact.json', '--json');
    const { contracts } = JSON.parse(stdout) as { contracts: { interactions: { verdict: string }[] }[] };
    expect(contracts[0]?.interactions.map(({ verdict }) => verdict)).toEqual(['provided', 'not-judged']);
  });
});
