import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { startIntegrator, type Integrator } from '../../examples/integrator/server.ts';
import type { Config } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { recordingServer } from '../server-fixture.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';

const env = {
  CRM_TOKEN: 'Tk9Wm3Xq7Lr2Bv5Nc8Zd1Fh4Js6Gp0Ya',
  AGENT_SECRET: 'whsec_Kx7mQp2Vw9Zt4Bn8RcHq5Zt8Ny1Mb4Ud',
};

let integrator: Integrator;

beforeAll(async () => {
  integrator = await startIntegrator({
    crmToken: env.CRM_TOKEN,
    hookSecret: 'hook_Ub7Rm4Xe1Qs8Wn5Kd2Vf9Lh6Cz3Tg0P',
    agentSecret: env.AGENT_SECRET,
    apiKey: 'svc_sk_Hq5Zt8Ny1Mb4',
    log: () => undefined,
  });
});
afterAll(async () => await integrator.close());

type Directory = Awaited<ReturnType<typeof temporaryDirectory>>;

const init = ({ path }: Directory, args: readonly string[], variables: NodeJS.ProcessEnv = env) =>
  runCommand(['init', ...args], { cwd: path, env: variables });
const chat = (url: string, ...more: string[]) => ['--yes', '--chat-url', url, ...more];

async function configIn(directory: Directory): Promise<Config> {
  const config = JSON.parse(await readFile(directory.at('svc-conform.config.json'), 'utf8')) as Config;
  expect(validate('config', config)).toEqual([]);
  return config;
}

describe('svc-conform init', () => {
  it('probes the endpoints, and writes a config that works, with stimuli that show a behaviour', async () => {
    await using directory = await temporaryDirectory();
    const { crmUrl, chatUrl } = integrator;
    const flags = ['--crm-url', crmUrl, '--known-caller', '+4930901820', '--start', 'npm start'];
    const { code, stdout, stderr } = await init(directory, chat(chatUrl, ...flags));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`✓ crm-webhook  ${crmUrl}`);
    expect(stdout).toContain(`✓ own-ai-chat  ${chatUrl}`);
    expect(stdout).toContain('“I want to speak to a person.”: handover to the team.');
    expect(stdout).toMatch(/A signed ping was answered with status 20\d/);
    expect(await configIn(directory)).toEqual({
      $schema: './node_modules/svc-conform/dist/specs/schemas/config.schema.json',
      crmWebhook: { url: crmUrl, token: 'env:CRM_TOKEN' },
      chat: { url: chatUrl, secret: 'env:AGENT_SECRET' },
      stimuli: {
        knownCaller: '+4930901820',
        chat: {
          answer: 'What can you do?',
          handover: 'I want to speak to a person.',
          end: 'Thank you, that is all. Goodbye.',
        },
      },
      start: { command: 'npm start' },
    });
    expect(await readFile(directory.at('.gitignore'), 'utf8')).toBe('conformance-report/\n');
    for (const secret of Object.values(env)) expect(stdout).not.toContain(secret);
  });

  it('proposes sentences for calls, one of which makes the AI speak long enough to be interrupted', async () => {
    await using directory = await temporaryDirectory();
    const { code, stdout } = await init(directory, ['--yes', '--phone-url', integrator.voiceUrl]);
    expect(code).toBe(0);
    expect(stdout).toContain('Calls to the phone');
    expect(stdout).toContain('“I want to speak to a person.”: handover to the team.');
    expect((await configIn(directory)).stimuli).toEqual({
      phone: {
        answer: 'What can you do?',
        handover: 'I want to speak to a person.',
        end: 'Thank you, that is all. Goodbye.',
        long: 'Tell me everything about your services, step by step and in detail.',
      },
    });
  });

  it('reports what is wrong with an address, and its fix', async () => {
    await using directory = await temporaryDirectory();
    await using moved = await recordingServer((_, response) =>
      response.writeHead(301, { location: 'https://www.example.org/' }).end(),
    );
    const { code, stdout } = await init(directory, chat(`http://${moved.host}/`));
    expect(code).toBe(0);
    expect(stdout).toContain(`✗ own-ai-chat  http://${moved.host}/`);
    expect(stdout).toContain('After the fixes above, run npx svc-conform check');
    expect(stdout).toMatch(/redirects to https:\/\/www\.example\.org\/[\s\S]*Fix: Enter the final address/);
    // No messages to an endpoint that accepts none.
    expect(stdout).not.toContain('Messages to the chat');
    expect(await configIn(directory)).not.toHaveProperty('stimuli');
  });

  it('sends nothing without the secret, or with --no-probe', async () => {
    await using directory = await temporaryDirectory();
    await using other = await temporaryDirectory();
    await using endpoint = await recordingServer((_, response) => response.writeHead(204).end());
    const url = `http://${endpoint.host}/chat`;
    const { stdout } = await init(directory, chat(url, '--chat-secret', 'env:OTHER_SECRET'));
    expect(stdout).toContain(`✓ own-ai-chat  ${url}`);
    expect(stdout).toContain('OTHER_SECRET is not set, so nothing was sent.');
    expect(stdout).toContain('Set the environment variable OTHER_SECRET.');
    expect((await configIn(directory)).chat).toEqual({ url, secret: 'env:OTHER_SECRET' });
    expect((await init(other, chat(url, '--no-probe'))).stdout).not.toContain('own-ai-chat');
    expect(endpoint.requests).toEqual([]);
  });

  it('never overwrites a file', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('.github/workflows'), { recursive: true });
    await writeFile(directory.at('.github/workflows/conformance.yml'), 'mine');
    await writeFile(directory.at('.gitignore'), 'dist/\n/conformance-report/');
    const { stdout } = await init(directory, chat('http://127.0.0.1:9/chat', '--no-probe'));
    expect(stdout).toContain('Unchanged (already exists): .github/workflows/conformance.yml');
    expect(await readFile(directory.at('.github/workflows/conformance.yml'), 'utf8')).toBe('mine');
    expect(await readFile(directory.at('.gitignore'), 'utf8')).toBe('dist/\n/conformance-report/');
    const written = await readFile(directory.at('svc-conform.config.json'), 'utf8');
    const again = await init(directory, chat('http://127.0.0.1:10/chat', '--no-probe'));
    expect(again).toMatchObject({ code: 2, stdout: '' });
    expect(again.stderr).toContain('svc-conform.config.json already exists; init never overwrites a file.');
    expect(await readFile(directory.at('svc-conform.config.json'), 'utf8')).toBe(written);
  });

  it('writes no config if another file cannot be written', async () => {
    await using directory = await temporaryDirectory();
    await using other = await temporaryDirectory();
    await writeFile(directory.at('.github'), 'a file');
    const args = chat('http://127.0.0.1:9/chat', '--no-probe', '--ci');
    const blocked = await init(directory, [...args, 'github']);
    expect(blocked).toMatchObject({ code: 2, stdout: '' });
    expect(blocked.stderr).toContain('.github/workflows/conformance.yml cannot be written: ');
    expect(await readdir(directory.path)).toEqual(['.github']);
    await symlink('missing/file', other.at('.gitignore'));
    const dangling = await init(other, [...args, 'none']);
    expect(dangling).toMatchObject({ code: 2, stdout: '' });
    expect(dangling.stderr).toContain('.gitignore cannot be written: ');
    expect(await readdir(other.path)).toEqual(['.gitignore']);
  });

  it('does not show a chat as reached that refuses the secret', async () => {
    await using directory = await temporaryDirectory();
    const other = { ...env, AGENT_SECRET: 'whsec_Zt4Bn8RcHq5Zt8Ny1Mb4UdKx7mQp2Vw9' };
    const { code, stdout } = await init(directory, chat(integrator.chatUrl), other);
    expect(code).toBe(0);
    expect(stdout).toContain(`✗ own-ai-chat  ${integrator.chatUrl}`);
    expect(stdout).toContain('Fix: Check AGENT_SECRET, or run npx svc-conform diagnose own-ai-chat.');
    expect(stdout).not.toContain('Messages to the chat');
  });

  it('appends to a .gitignore without a final line break', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('.gitignore'), 'dist/');
    await init(directory, chat('http://127.0.0.1:9/chat', '--no-probe'));
    expect(await readFile(directory.at('.gitignore'), 'utf8')).toBe('dist/\nconformance-report/\n');
  });

  it.each([
    ['.github/', '.github/workflows/conformance.yml'],
    ['.gitlab-ci.yml', 'conformance.gitlab-ci.yml'],
    ['Jenkinsfile', 'conformance.Jenkinsfile'],
  ])('recognises CI by %s, and writes %s', async (sign, file) => {
    await using directory = await temporaryDirectory();
    if (sign.endsWith('/')) await mkdir(directory.at(sign));
    else await writeFile(directory.at(sign), 'mine');
    await writeFile(directory.at('package-lock.json'), '{}');
    await init(directory, chat('http://127.0.0.1:9/chat', '--no-probe'));
    const local = await readFile(directory.at(file), 'utf8');
    expect(local).toMatch(/^[\s-]*(?:run: )?npm ci$/m);
    await using unlocked = await temporaryDirectory();
    if (file.endsWith('.yml')) expect(parse(local)).toBeTypeOf('object');
    expect(local).toMatch(/AGENT_SECRET="whsec_\$\(openssl rand -base64 32\)"/);
    expect(local).toMatch(/npx --yes svc-conform@\S+ check --start 'npm start' --format html,junit/);
    expect(local).not.toContain('secrets.');
    expect(local).toMatch(/^(?:#|\/\/) What to change: the command that starts your endpoints\./);
    await using other = await temporaryDirectory();
    const system = { '.github/': 'github', '.gitlab-ci.yml': 'gitlab', Jenkinsfile: 'jenkins' }[sign] ?? '';
    await init(unlocked, chat('http://127.0.0.1:9/chat', '--no-probe', '--ci', system));
    expect(await readFile(unlocked.at(file), 'utf8')).not.toContain('npm ci');
    const { stdout } = await init(other, chat('https://staging.example.com/chat', '--no-probe', '--ci', system));
    expect(stdout).toMatch(/Next:[\s\S]*: (?:Store|Set) AGENT_SECRET as/);
    const remote = await readFile(other.at(file), 'utf8');
    if (file.endsWith('.yml')) expect(parse(remote)).toBeTypeOf('object');
    expect(remote).not.toMatch(/openssl|npm ci|--start/);
    expect(remote).toMatch(/secrets\.AGENT_SECRET|Set AGENT_SECRET as masked|credentials\('AGENT_SECRET'\)/);
  });

  it.each(['github', 'gitlab', 'jenkins'])(
    'writes a file for %s that runs a client and starts no endpoint',
    async (system) => {
      await using directory = await temporaryDirectory();
      await writeFile(directory.at('package-lock.json'), '{}');
      const flags = ['--yes', '--client-command', 'npm run sync', '--links-file', 'links.txt', '--ci', system];
      const { code, stdout } = await init(directory, flags);
      expect(code).toBe(0);
      expect(stdout).toContain('Write your deep links to links.txt, one per line.');
      expect(await configIn(directory)).toMatchObject({
        apiClient: { exercise: { command: 'npm run sync' } },
        deepLinks: { file: 'links.txt' },
      });
      const [, file = ''] = /^Written: .*?(\S*(?:conformance\.yml|gitlab-ci\.yml|Jenkinsfile))/m.exec(stdout) ?? [];
      const text = await readFile(directory.at(file), 'utf8');
      expect(text).toContain('npm ci');
      expect(text).toMatch(/svc-conform@\S+ check --format html,junit/);
      expect(text).not.toMatch(/openssl|secrets|GITHUB_ENV|--start/);
      expect(text).toContain('What to change: nothing.');
    },
  );

  it('writes no CI file where none is in use, or with --ci none', async () => {
    await using directory = await temporaryDirectory();
    await using other = await temporaryDirectory();
    await init(directory, chat('http://127.0.0.1:9/chat', '--no-probe'));
    expect((await readdir(directory.path)).toSorted()).toEqual(['.gitignore', 'svc-conform.config.json']);
    await writeFile(other.at('Jenkinsfile'), '');
    await init(other, chat('http://127.0.0.1:9/chat', '--no-probe', '--ci', 'none'));
    expect(await readdir(other.path)).toHaveLength(3);
  });

  it.each([
    ['without a terminal', ['--chat-url', 'http://127.0.0.1:9/'], 'on a terminal. Elsewhere, give --yes'],
    ['without a surface', ['--yes'], '--yes asks nothing: give what you have'],
    ['with a secret itself', chat('http://127.0.0.1:9/', '--chat-secret', 'whsec_x'), 'env:NAME'],
    ['with a secret alone', ['--yes', '--chat-secret', 'env:A'], '--chat-secret needs --chat-url'],
    ['with an address without TLS', chat('http://a.example/'), 'chat.url is http://a.example/; http: is allowed for'],
    ['with a number that is none', chat('http://127.0.0.1:9/', '--known-caller', '110'), 'stimuli.knownCaller'],
  ])('writes nothing %s', async (_, args, message) => {
    await using directory = await temporaryDirectory();
    const { code, stderr } = await init(directory, args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('whsec_x');
    expect(await readdir(directory.path)).toEqual([]);
  });
});
