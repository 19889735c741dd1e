import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../specs/generated/types.ts';
import {
  inheritedEnvironment,
  program,
  runCommand,
  startCommand,
  temporaryDirectory,
  type Ended,
} from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const only = ['--only', 'crm-webhook/answers-every-event', '--seed', '5'];
const env = { CRM_TOKEN: 'planted-secret-0123456789' };

type Directory = Awaited<ReturnType<typeof temporaryDirectory>>;

/** A correct CRM webhook that knows no callers. */
const correctEndpoint = () => smallEndpoint(({ headers }) => ({ status: headers.authorization ? 204 : 401 }));

const checkOf = (url: string) => ['check', '--crm-url', url, '--crm-token', 'env:CRM_TOKEN', ...only];

/** Asserts that a run against a correct endpoint never fails it, whatever goes wrong in our process. */
async function assertNoFalseVerdict({ code, stderr }: Ended, directory: Directory): Promise<void> {
  // Code `null`: Node itself was ended by a signal, which is neither a verdict nor a pass.
  expect([0, 2, 3, null], stderr).toContain(code);
  expect(stderr).not.toMatch(/^\s+at .+:\d+\)?$/m);
  const file = directory.at('conformance-report/partial/report.json');
  const report = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Report) : undefined;
  if (code === 0) expect(report?.verdict).toBe('conformant');
  else if (code !== null) expect(stderr.trim()).not.toBe('');
  if (report?.verdict.startsWith('conformant') === true) {
    expect(report.checks.map(({ verdict }) => verdict)).toEqual(Array<string>(14).fill('pass'));
  }
  expect(report?.verdict).not.toBe('non-conformant');
}

/** Runs the command with at most this many open files, a limit that a POSIX shell sets. */
function withFileHandles(limit: number, args: readonly string[], cwd: string): Promise<Ended> {
  const child = spawn('sh', ['-c', 'ulimit -n "$0" && exec "$@"', String(limit), process.execPath, program, ...args], {
    cwd,
    env: { ...inheritedEnvironment(), ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

describe.skipIf(process.platform === 'win32')('a process with few file handles', () => {
  it.each([18, 22, 26, 40, 64])('gives no verdict: %i', async (limit) => {
    await using directory = await temporaryDirectory();
    // Below some number, Node cannot load any program, and ends before ours begins.
    if ((await withFileHandles(limit, ['--version'], directory.path)).code !== 0) return;
    await using endpoint = await correctEndpoint();
    const ended = await withFileHandles(limit, checkOf(endpoint.url), directory.path);
    expect(ended.code).toBe(3);
    // Node may print a warning first, for example that it could not open the file of NODE_EXTRA_CA_CERTS.
    expect(ended.stderr).toMatch(/^There is no verdict \(out-of-resources\): .+ulimit -n/m);
    await assertNoFalseVerdict(ended, directory);
  });
});

describe('a call to the system that fails', () => {
  const hook = fileURLToPath(new URL('inject-fault.ts', import.meta.url));
  const withFault = async (fault: string) => {
    await using endpoint = await correctEndpoint();
    await using directory = await temporaryDirectory();
    const ended = await runCommand(checkOf(endpoint.url), {
      cwd: directory.path,
      env: { ...env, FAULT: fault, NODE_OPTIONS: `--import ${JSON.stringify(hook)}` },
      // Node can hang when something exits while V8 works in another thread (nodejs/node#54918).
      ...(fault.includes(' exits ') && { nodeArgs: ['--single-threaded'] }),
    });
    await assertNoFalseVerdict(ended, directory);
    return ended;
  };

  it.each([
    ['main mkdirSync 1 throws EMFILE', 2],
    ['main writeFile 1 rejects ENOSPC', 2],
    ['main writeFile 2 rejects ENOSPC', 2],
    ['main writeFile 3 rejects EACCES', 2],
    ['main rename 1 rejects EMFILE', 2],
    ['main rename 2 rejects EACCES', 2],
    ['main listen 1 emits-error EMFILE', 3],
    ['worker listen 1 emits-error EMFILE', 3],
    ['worker connect 1 destroys EMFILE', 3],
  ])('decides nothing about the endpoint: %s', async (fault, code) => {
    const { stderr, code: ended } = await withFault(fault);
    expect(ended, stderr).toBe(code);
    expect(stderr).toContain('injected into');
  });

  it.each([
    'main readFile 1 nothing-catches EIO',
    'main readFile 1 nothing-handles EIO',
    'worker listen 1 nothing-catches EIO',
    'worker listen 1 nothing-handles EIO',
  ])('is an internal fault if nothing catches it: %s', async (fault) => {
    const { stderr, code } = await withFault(fault);
    expect(code, stderr).toBe(3);
    expect(stderr).toMatch(/^Internal error of svc-conform; there is no verdict \(engine-failed\): .*EIO: injected/m);
  });

  it.each(['main readFile 1 exits EIO', 'worker listen 1 ends-thread EIO'])(
    'and ends the program is incomplete: %s',
    async (fault) => {
      const { stderr, code } = await withFault(fault);
      expect(code, stderr).toBe(3);
      expect(stderr).toContain('there is no verdict');
    },
  );
});

describe('a clock that is set during a run', () => {
  const hourMs = 3_600_000;
  const hook = fileURLToPath(new URL('step-clock.ts', import.meta.url));
  const judged = [
    'crm-webhook/lookup-within-two-seconds',
    'own-ai-chat/accepts-valid-signature',
    'own-ai-chat/answers-at-least-one-message',
    'own-ai-chat/refuses-stale-timestamp#a-delivery-signed-more-than-5-minutes-ago-is-refused',
  ];

  // The example runs in the same process, so its clock is set, too.
  it.each([
    ['an hour ahead', hourMs],
    ['an hour back', -hourMs],
  ])('changes no verdict: %s', async (_, stepMs) => {
    await using directory = await temporaryDirectory();
    const step = directory.at('step');
    const command = startCommand(['demo', '--answer', 'later', '--only', judged.join(','), '--json', '--seed', '5'], {
      cwd: directory.path,
      env: { CLOCK_STEP: JSON.stringify([step, stepMs]), NODE_OPTIONS: `--import ${JSON.stringify(hook)}` },
    });
    await command.reported('crm-webhook: ');
    await writeFile(step, '');
    const { code, stdout, stderr } = await command.ended;
    expect(code, stderr).toBe(0);
    const { checks, durationMs, startedAt, exchanges } = JSON.parse(stdout) as Report;
    const jumped = exchanges.map((one) => Math.abs(Date.parse(one.startedAt) - Date.parse(startedAt)) > hourMs / 2);
    expect(new Set(jumped)).toEqual(new Set([false, true]));
    const verdicts = checks.map(({ id, verdict, message }) => ({ id, verdict, message }));
    expect(verdicts.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(new Set(checks.map(({ requirement }) => requirement))).toEqual(
      new Set(judged.map((id) => id.split('#')[0])),
    );
    expect(durationMs).toBeGreaterThan(0);
    expect(durationMs).toBeLessThan(Math.abs(stepMs));
  });
});

it('gives no verdict without memory', async () => {
  await using endpoint = await correctEndpoint();
  await using directory = await temporaryDirectory();
  // Enough to start, not enough for the modules of a run.
  const nodeArgs = ['--max-old-space-size=12'];
  const { code } = await runCommand(checkOf(endpoint.url), { cwd: directory.path, env, nodeArgs });
  expect([3, null]).toContain(code);
});
