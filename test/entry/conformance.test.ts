import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConformanceOptions } from '../../entry/conformance-settings.ts';
import packageFile from '../../package.json' with { type: 'json' };
import { inheritedEnvironment, temporaryDirectory } from '../bin/run-command.ts';
import { smallEndpoint } from '../bin/small-endpoint.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));

type Directory = Awaited<ReturnType<typeof temporaryDirectory>>;

interface TestResult {
  fullName: string;
  status: 'passed' | 'failed' | 'skipped' | 'pending';
  failureMessages: string[];
}

interface VitestRun {
  tests: TestResult[];
  /** The reason why a file could not be collected. */
  message: string;
  output: string;
}

/** The result of one file. */
type FileResult = Omit<VitestRun, 'output'>;

/** A project of an integrator in which this package is installed, as a link to the build. */
async function project(): Promise<Directory> {
  const directory = await temporaryDirectory();
  await mkdir(directory.at('node_modules'));
  await symlink(root, directory.at('node_modules/svc-conform'), 'junction');
  await symlink(
    fileURLToPath(new URL('../../node_modules/vitest', import.meta.url)),
    directory.at('node_modules/vitest'),
    'junction',
  );
  await writeFile(directory.at('package.json'), '{ "private": true, "type": "module" }');
  return directory;
}

/** Runs the project's Vitest with the file as its only test. */
async function runVitest(directory: Directory, file: string, flags: readonly string[] = []): Promise<VitestRun> {
  const { output, results } = await runFiles(directory, [file], flags);
  return { ...(results[0] ?? { tests: [], message: '' }), output };
}

/** Runs the project's Vitest with these files as its only tests; the results are in the same order. */
async function runFiles(
  directory: Directory,
  files: readonly string[],
  flags: readonly string[] = [],
): Promise<{ output: string; results: FileResult[] }> {
  const names = files.map((_, at) => `conformance-${at}.test.ts`);
  for (const [at, name] of names.entries()) await writeFile(directory.at(name), files[at] ?? '');
  const args = [
    vitest,
    'run',
    ...names,
    '--no-color',
    '--reporter=default',
    '--reporter=json',
    '--outputFile.json=out.json',
    ...flags,
  ];
  const output = await new Promise<string>((resolve) => {
    const env = { ...inheritedEnvironment(), AGENT_SECRET: 'whsec_native', NO_COLOR: '1' };
    execFile(process.execPath, args, { cwd: directory.path, env, timeout: 100_000 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  const { testResults } = JSON.parse(await readFile(directory.at('out.json'), 'utf8')) as {
    testResults: { name: string; assertionResults: TestResult[]; message: string }[];
  };
  const of = (file: string) => testResults.find(({ name }) => name.endsWith(file));
  const results = names.map((file) => ({ tests: of(file)?.assertionResults ?? [], message: of(file)?.message ?? '' }));
  return { output, results };
}

const fileFor = (options: object) =>
  `import { it } from 'vitest';\nimport { conformance } from 'svc-conform/vitest';\nconformance(${JSON.stringify(options)});\nit('is mine', () => {});\n`;

describe('conformance() in a Vitest project', () => {
  const unusable: [object, string][] = [
    [{ config: { chat: { url: 'http://127.0.0.1:9/', secret: 'env:NOT_SET_HERE' } } }, 'NOT_SET_HERE is not set'],
    [{ config: { skills: [] } }, 'The config has no endpoint to check'],
    [{}, 'There is no svc-conform.config.'],
    [
      { crmWebhook: { url: 'http://127.0.0.1:9/', token: 'env:AGENT_SECRET' } },
      'conformance() has no option crmWebhook. It belongs to the config: did you mean conformance({ config: { crmWebhook: … } })?',
    ],
    [{ retries: 3 }, 'conformance() has no option retries. Expected one of config, surface, only, seed,'],
  ];
  let directory: Directory;
  /** Files that need no flags, in one run: Vitest takes longer to start than each of them. */
  let judged: FileResult, unreachable: FileResult, elsewhere: FileResult, refused: FileResult[];
  let output: string;

  beforeAll(async () => {
    directory = await project();
    // Accepts every delivery, with any signature, and answers 201, which is not listed.
    await using endpoint = await smallEndpoint(() => ({ status: 201 }));
    const only = [
      'answers-ping',
      'refuses-missing-signature',
      'answers-with-a-listed-status',
      'note-within-500-characters',
      'refuses-future-timestamp',
    ].map((name) => `own-ai-chat/${name}`);
    const config = {
      chat: { url: endpoint.url, secret: 'env:AGENT_SECRET', timeoutSeconds: 2 },
      waivers: [{ requirement: 'own-ai-chat/refuses-future-timestamp', reason: 'known', until: '2999-01-01' }],
    };
    const notListening = { chat: { url: 'http://127.0.0.1:9/', secret: 'env:AGENT_SECRET' } };
    const files = [
      fileFor({ config, only, seed: 5 }),
      fileFor({ config: notListening, only: ['own-ai-chat/answers-ping'] }),
      `globalThis.window = globalThis;\ntry {\n  const { conformance } = await import('svc-conform/vitest');\n  conformance();\n} finally {\n  delete globalThis.window;\n}\n`,
      ...unusable.map(([options]) => fileFor(options)),
    ];
    const run = await runFiles(directory, files, ['--maxWorkers=1', '--no-isolate']);
    const none = { tests: [], message: 'no result' };
    [judged = none, unreachable = none, elsewhere = none, ...refused] = run.results;
    output = run.output;
  });
  afterAll(() => directory[Symbol.asyncDispose]());

  it('makes a test of each check: passed, failed with the fix, warned, skipped with the reason', () => {
    const { tests } = judged;
    const of = (name: string) => tests.filter(({ fullName }) => fullName.endsWith(`[own-ai-chat/${name}]`));
    expect(of('answers-ping')).toMatchObject([{ status: 'passed' }]);
    for (const { status, failureMessages } of of('refuses-missing-signature')) {
      expect(status).toBe('failed');
      expect(failureMessages[0]).toMatch(
        /^ConformanceFailure: expected .+, received status 201.+\nRule: .+\nFix: .+\nRerun: conformance\(/,
      );
      expect(failureMessages[0]).toContain('"seed":5');
    }
    expect(of('refuses-missing-signature').length).toBeGreaterThan(0);
    expect(of('answers-with-a-listed-status')).toMatchObject([{ status: 'passed' }]);
    expect(output).toMatch(/should: expected status 200, 202 or 204, received status 201/);
    expect(of('note-within-500-characters').map(({ status }) => status)).not.toContain('passed');
    expect(of('refuses-future-timestamp')).toMatchObject([{ status: 'passed' }]);
    expect(output).toContain('Waived until 2999-01-01 (known): expected');
    expect(tests.find(({ fullName }) => fullName === 'is mine')).toMatchObject({ status: 'passed' });
  });

  it('keeps the order of the suites and loads them for each call, whatever the settings of the project', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const config = { chat: { url: endpoint.url, secret: 'env:AGENT_SECRET', timeoutSeconds: 2 } };
    const only = ['own-ai-chat/answers-ping', 'own-ai-chat/answer-is-a-json-object', 'own-ai-chat/answers-in-time'];
    const call = `conformance(${JSON.stringify({ config, only })});\n`;
    const file = `import { conformance } from 'svc-conform/vitest';\n${call.repeat(2)}`;
    const flags = ['--sequence.shuffle', '--sequence.concurrent', '-t', 'own-ai-chat/answers-ping'];
    const { tests, output } = await runVitest(directory, file, flags);
    const passed = tests.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName);
    expect(passed, output).toHaveLength(2);
    for (const name of passed)
      expect(name).toMatch(/^svc-conform behaviour own-ai-chat\/messages .+ \[own-ai-chat\/answers-ping\]$/);
    const subjects = tests.map(({ fullName }) => / own-ai-chat\/(\S+)/.exec(fullName)?.[1]);
    expect(subjects.indexOf('answer-times')).toBeLessThan(subjects.indexOf('messages'));
    expect(subjects.indexOf('messages')).toBeLessThan(subjects.indexOf('answers'));
  });

  it('judges the requests to API v1 that the endpoint sends while it handles events', async () => {
    // Writes a note for every event, without an API key.
    await using endpoint = await smallEndpoint(({ body }) => {
      const { callbackUrl } = JSON.parse(body.toString()) as { callbackUrl: string };
      void fetch(new URL('/v1/notes', callbackUrl), { method: 'POST', body: '{}' }).catch(() => undefined);
      return { status: 204 };
    });
    const config = { crmWebhook: { url: endpoint.url, token: 'env:AGENT_SECRET' } };
    const flags = ['-t', 'answers-every-event|api-client/(carries-an-api-key|uses-listed-paths|waits-after-429)'];
    const { tests, output } = await runVitest(directory, fileFor({ config, seed: 5, trouble: false }), flags);
    const of = (name: string) => tests.find(({ fullName }) => fullName.endsWith(`[api-client/${name}]`));
    expect(of('carries-an-api-key'), output).toMatchObject({ status: 'failed' });
    // Only a run of all checks contains the events that cause these requests.
    expect(of('carries-an-api-key')?.failureMessages[0]).toContain('Rerun: conformance({"seed":5}), with your config');
    expect(of('waits-after-429')?.status).toMatch(/skipped|pending/);
  });

  it('fails checks that could not be judged', () => {
    expect(unreachable.tests.find(({ fullName }) => fullName.includes('answers-ping'))).toMatchObject({
      status: 'failed',
      failureMessages: [expect.stringContaining('It could not be judged (target-unreachable)')],
    });
  });

  it.each(unusable.map(([options, text], at) => [JSON.stringify(options), text, at] as const))(
    'fails the file if its config cannot be used: %s',
    (_, text, at) => {
      expect(refused[at]?.message).toContain(text);
      expect(refused[at]?.tests.filter(({ status }) => status === 'passed')).toEqual([]);
    },
  );

  it('reports in one sentence that Vitest’s environment is not that of Node', () => {
    expect(elsewhere.message).toContain('begin this file with the comment // @vitest-environment node');
  });
});

it('has types that distinguish keys of a config from options', () => {
  const crmWebhook = { url: 'http://127.0.0.1:9/', token: 'env:CRM_TOKEN' };
  const right: ConformanceOptions = { config: { crmWebhook } };
  // @ts-expect-error: a key of the config is not an option
  const wrong: ConformanceOptions = { crmWebhook };
  expect([right, wrong]).toHaveLength(2);
});

/** The error of a program that calls `conformance` outside the Vitest of the package. */
async function errorOutside(directory: Directory, VITEST?: string): Promise<string> {
  const script = `import('svc-conform/vitest').then(({ conformance }) => conformance())`;
  const env = { ...inheritedEnvironment(), VITEST };
  return await new Promise<string>((resolve) => {
    execFile(process.execPath, ['-e', script], { cwd: directory.path, env }, (_error, _stdout, text) => resolve(text));
  });
}

it('names both copies of Vitest if there are two, and the compatible versions', async () => {
  await using directory = await project();
  await rm(directory.at('node_modules/vitest'));
  await mkdir(directory.at('node_modules/vitest'));
  await writeFile(directory.at('node_modules/vitest/package.json'), '{ "name": "vitest", "version": "4.0.1" }');
  const stderr = await errorOutside(directory, 'true');
  expect(stderr).toMatch(/is run by another copy \(4\.0\.1 in .+vitest\)/);
  expect(stderr).toContain(`make your project depend on vitest@${packageFile.dependencies.vitest} and run npm dedupe`);
});

it('reports in one sentence that it is not called in a test file', async () => {
  await using directory = await project();
  const stderr = await errorOutside(directory);
  expect(stderr).toContain('Error: conformance() is called in a test file, which Vitest runs.');
});
