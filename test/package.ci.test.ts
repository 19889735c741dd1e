import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, glob, lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { schemas } from '../specs/schemas.ts';
import type { Report } from '../specs/generated/types.ts';
import { validate } from '../specs/validators.ts';
import { surfaces } from '../specs/surfaces.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const secrets = {
  CRM_TOKEN: 'package-test-token',
  HOOK_SECRET: 'package-test-hook',
  AGENT_SECRET: 'whsec_cGFja2FnZSB0ZXN0',
  SVC_API_KEY: 'svc_sk_package_test',
};
// The Node that runs the tests, also where a script says `env node`.
const { NO_COLOR: _n, FORCE_COLOR: _f, NODE_OPTIONS: _o, ...inherited } = process.env;
const env = { ...inherited, ...secrets, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}` };

/** Unit of `Stats.blocks`, whatever the file system uses. */
const blockBytes = 512;
const megabyte = 1024 * 1024;

let directory: string;

async function run(file: string, args: readonly string[], cwd = directory) {
  const shell = process.platform === 'win32';
  return await promisify(execFile)(file, args, { cwd, env, shell, maxBuffer: 64 * 1024 * 1024 });
}

beforeAll(async () => {
  const parent = await mkdtemp(join(tmpdir(), 'svc-conform-package-'));
  directory = join(parent, 'somewhere else');
  await mkdir(directory);
  await writeFile(join(directory, 'package.json'), '{ "private": true }');
  // Scripts off: `prepare` would rebuild dist/ while other tests use it.
  await run('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', parent], root);
  const packed = (await readdir(parent)).find((name) => name.endsWith('.tgz'));
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--ignore-scripts'];
  await run('npm', ['install', ...quiet, join(parent, packed ?? 'nothing was packed')]);
}, 300_000);

afterAll(() => rm(dirname(directory), { recursive: true, force: true }));

const installed = (path: string) => join(directory, 'node_modules', 'svc-conform', path);

/** Starts the packed example in a separate process and reads its addresses. */
async function startExample(): Promise<AsyncDisposable & { urls: Record<string, string> }> {
  const child = spawn(process.execPath, [installed('dist/examples/integrator/server.js')], {
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const urls: Record<string, string> = {};
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
    if (/^state .*\n/m.test(text)) break;
  }
  for (const [, name = '', url = ''] of text.matchAll(/^(.+?)\s+((?:http|ws):\S+)$/gm)) urls[name] = url;
  return {
    urls,
    [Symbol.asyncDispose]: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

describe('installed into an empty directory', () => {
  it('contains neither our tests nor files for development', async () => {
    const top = await readdir(installed('.'));
    expect(top.sort()).toEqual([
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'artillery-engine',
      'bin',
      'dist',
      'docs',
      'package.json',
      'specs',
    ]);
    expect(await readdir(installed('specs'))).toEqual(['signing-vectors.json']);
    expect(await readdir(installed('dist'))).not.toContain('test');
    const packages = await readdir(join(directory, 'node_modules'));
    expect(packages).not.toContain('typescript');
    expect(packages).not.toContain('eslint');
  });

  it('answers --help and explain', async () => {
    expect((await run('npx', ['svc-conform', '--help'])).stdout).toContain('Usage: svc-conform');
    const { stdout } = await run('npx', ['svc-conform', 'explain', 'own-ai-chat/refuses-altered-body']);
    expect(stdout).toContain('own-ai-chat/refuses-altered-body#');
  });

  it('checks all six surfaces of the example, which runs in a separate process', async () => {
    await using example = await startExample();
    const config = JSON.parse(await readFile(installed('dist/examples/svc-conform.config.json'), 'utf8'));
    config.crmWebhook.url = example.urls['CRM webhook'];
    config.apiWebhooks.url = example.urls['API webhooks'];
    config.chat.url = example.urls['own-AI chat'];
    config.phone.url = example.urls['own-AI phone'];
    config.observe.url = example.urls['state'];
    // The files are next to the original config, not next to the copy.
    expect(config.apiClient.exercise.command).toBe('node integrator/sync.js');
    config.apiClient.exercise.command = `node "${installed('dist/examples/integrator/sync.js')}"`;
    config.deepLinks.file = installed(`dist/examples/${config.deepLinks.file}`);
    await writeFile(join(directory, 'svc-conform.config.json'), JSON.stringify(config));
    const { stdout } = await run('npx', ['svc-conform', 'check']);
    expect(stdout).toMatch(/^CONFORMANT/m);
    const report = JSON.parse(await readFile(join(directory, 'conformance-report/report.json'), 'utf8')) as Report;
    expect(validate('report', report)).toEqual([]);
    expect(report.verdict).toBe('conformant');
    expect(Object.keys(report.target)).toEqual(surfaces);
    for (const surface of surfaces) {
      const passed = report.requirements.filter((row) => row.surface === surface && row.verdict === 'pass');
      expect(passed.length, surface).toBeGreaterThan(10);
    }
  });

  it('serves the API, its description, and a page about the package of its reference', async () => {
    const child = spawn(process.execPath, [installed('bin/svc-conform.js'), 'serve', '--json'], {
      cwd: dirname(directory),
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    try {
      let printed = '';
      for await (const chunk of child.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
        printed += String(chunk);
        if (printed.includes('\n')) break;
      }
      const { baseUrl, apiKey } = JSON.parse(printed.split('\n', 1)[0] ?? '');
      const get = async (path: string) => await fetch(baseUrl + path, { headers: { 'x-api-key': apiKey } });
      const me = await get('/v1/me');
      expect(me.status).toBe(200);
      expect(await me.json()).toMatchObject({ workspaceId: expect.any(Number), workspaceName: expect.any(String) });
      expect(await (await get('/v1/openapi.json')).json()).toMatchObject({ openapi: expect.stringMatching(/^3\.1/) });
      const page = await (await get('/v1/docs/')).text();
      expect(page).toMatch(/npm install [^<]*--ignore-scripts [^<]*@scalar\/fastify-api-reference@1/);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
  });

  it('does not include packages that few commands need, and names them', async () => {
    const packages = await readdir(join(directory, 'node_modules'));
    for (const name of ['@pact-foundation', '@pactflow', '@scalar', 'testcontainers'])
      expect(packages).not.toContain(name);
    const asked = await run('npx', ['svc-conform', 'pact', 'generate']).catch((error: unknown) => error);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('@pact-foundation/pact@17') });
  });

  it('needs less than 90 MB of disk space, and none of its packages has an install script', async () => {
    let bytes = 0;
    const withScripts: string[] = [];
    for await (const file of glob('**', { cwd: join(directory, 'node_modules') })) {
      const entry = await lstat(join(directory, 'node_modules', file));
      bytes += entry.blocks * blockBytes;
      if (!/(?:^|node_modules\/)(?:@[^/]+\/)?[^/]+\/package\.json$/.test(file)) continue;
      const { scripts = {} } = JSON.parse(await readFile(join(directory, 'node_modules', file), 'utf8'));
      if (['preinstall', 'install', 'postinstall'].some((name) => name in scripts)) withScripts.push(file);
    }
    expect(bytes).toBeGreaterThan(30 * megabyte);
    expect(bytes).toBeLessThan(90 * megabyte);
    expect(withScripts).toEqual([]);
  });

  it('builds and checks links', async () => {
    const built = await run('npx', ['svc-conform', 'link', 'build', '--scheme', '--dial', '+4930901820']);
    expect(built.stdout).toBe('svc://open/dial?number=%2B4930901820\n');
    const checked = await run('npx', ['svc-conform', 'link', 'check', built.stdout.trim()]);
    expect(checked.stdout).toContain('1 link: 1 valid.');
  });

  it('runs the demo', async () => {
    const flags = ['--surface', 'api-webhooks,api-client', '--out', 'demo-report'];
    const { stdout } = await run('npx', ['svc-conform', 'demo', ...flags]);
    expect(stdout).toMatch(/^PASSED, partial: \d+ of \d+/m);
    expect(stdout).toMatch(/^api-client +✓ \d\d pass/m);
  });

  it('accepts a typed config in TypeScript', async () => {
    const lines = [
      `import { defineConfig } from 'svc-conform';`,
      `export default defineConfig({ crmWebhook: { url: 'http://127.0.0.1:1/', token: 'env:NOT_SET_HERE' } });`,
    ];
    await writeFile(join(directory, 'typed.config.ts'), lines.join('\n'));
    const ended = await run('npx', ['svc-conform', 'check', '--config', 'typed.config.ts']).catch(
      (error: unknown) => error,
    );
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('NOT_SET_HERE') });
    await writeFile(join(directory, 'wrong.config.ts'), lines.join('\n').replace('crmWebhook', 'crmWebhok'));
    const printed = await typeErrors('typed.config.ts', 'wrong.config.ts');
    expect(printed).toMatch(/^wrong\.config\.ts\(.*crmWebhok/m);
    expect(filesIn(printed)).toEqual(['wrong.config.ts']);
  });

  it('writes the schemas', async () => {
    await run('npx', ['svc-conform', 'schemas']);
    const written = await readdir(join(directory, 'schemas'));
    expect(written).toEqual(expect.arrayContaining(['openapi.json', 'asyncapi.json']));
    expect(written.filter((name) => name.endsWith('.schema.json'))).toHaveLength(Object.keys(schemas).length);
  });

  it('runs a custom suite together with the built-in ones', async () => {
    await using example = await startExample();
    await mkdir(join(directory, 'suites'), { recursive: true });
    const suite = join(directory, 'suites/plain-words.suite.ts');
    await copyFile(join(root, 'examples/suites/plain-words.suite.ts'), suite);
    const target = ['--chat-url', example.urls['own-AI chat'] ?? '', '--chat-secret', 'env:AGENT_SECRET'];
    const ids = ['own-ai-chat/answers-ping', 'own-ai-chat/acme-names-no-price', 'own-ai-chat/acme-answers-briefly'];
    const flags = ['--suites', 'suites/*.suite.ts', '--only', ids.join(','), '--out', 'own-report'];
    await run('npx', ['svc-conform', 'check', ...target, ...flags]);
    const report = JSON.parse(await readFile(join(directory, 'own-report/report.json'), 'utf8')) as Report;
    const rows = report.requirements.filter(({ id }) => ids.includes(id));
    expect(rows.map(({ id, verdict, own = false }) => [id, verdict, own])).toEqual(
      expect.arrayContaining([
        ['own-ai-chat/answers-ping', 'pass', false],
        ['own-ai-chat/acme-names-no-price', 'pass', true],
        ['own-ai-chat/acme-answers-briefly', 'pass', true],
      ]),
    );
  });

  it('is part of a Vitest project of an integrator', async () => {
    await using example = await startExample();
    const config = {
      apiWebhooks: { url: example.urls['API webhooks'], secret: 'env:HOOK_SECRET' },
      chat: { url: example.urls['own-AI chat'], secret: 'env:AGENT_SECRET' },
    };
    await mkdir(join(directory, 'native'));
    await writeFile(join(directory, 'native/svc-conform.config.json'), JSON.stringify(config));
    await copyFile(join(root, 'examples/suites/conformance.test.ts'), join(directory, 'native/conformance.test.ts'));
    const flags = ['--reporter=json', '--outputFile=native.json', '-t', 'signature'];
    await run('npx', ['vitest', 'run', ...flags], join(directory, 'native'));
    const result = JSON.parse(await readFile(join(directory, 'native/native.json'), 'utf8')) as {
      numFailedTests: number;
      testResults: { assertionResults: { fullName: string; status: string }[] }[];
    };
    const passed = result.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .filter(({ status }) => status === 'passed');
    for (const surface of ['api-webhooks', 'own-ai-chat']) {
      const ofSurface = passed.filter(({ fullName }) => fullName.includes(`[${surface}/`));
      expect(ofSurface.length, surface).toBeGreaterThan(10);
    }
    expect(result.numFailedTests).toBe(0);
  });

  it('gives types to custom suites and to a Vitest project', async () => {
    await mkdir(join(directory, 'types'));
    const examples = ['plain-words.suite.ts', 'conformance.test.ts'];
    for (const name of examples) await copyFile(join(root, 'examples/suites', name), join(directory, 'types', name));
    await writeFile(join(directory, 'types/wrong.suite.ts'), wrongSuite);
    const files = [...examples, 'wrong.suite.ts'].map((name) => `types/${name}`);
    const printed = await typeErrors('--target', 'es2024', '--skipLibCheck', ...files);
    expect(printed).toContain(`wrong.suite.ts(2,7): error TS2345: Argument of type 'string'`);
    expect(filesIn(printed)).toEqual(['types/wrong.suite.ts']);
  });
});

const wrongSuite = `import { check } from 'svc-conform/suite';
check('own-ai-chat/answers-ping', 'ours', async () => {});
`;

/** Type-checks files of the directory as a strict project without other settings, and returns what is printed. */
async function typeErrors(...args: readonly string[]): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--ignoreConfig'];
  return await run(process.execPath, [tsc, ...options, ...args]).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error as { stdout: string }).stdout,
  );
}

/** The files with type errors, each once. */
function filesIn(printed: string): string[] {
  return [...new Set([...printed.matchAll(/^(\S+)\(\d+,\d+\): error /gm)].map(([, file = '']) => file))];
}
