import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { replayChoice } from '../../run/replay/replay-choice.ts';
import { replayExitCode, type ReplayOutcome } from '../../run/replay/replay-result.ts';
import type { CheckResult, Report } from '../../specs/generated/types.ts';
import { completeReport } from './complete-report.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';
import { smallEndpoint, type SmallRequest } from './small-endpoint.ts';

const token = 'Kx7mQp2Vw9Zt4Bn8Rc';
const env = { CRM_TOKEN: token };

/** Behaviour of the endpoint of these tests; it begins with two faults. */
type Mode = 'broken' | 'half' | 'otherwise' | 'shut' | 'fixed';

/** Accepts every token and fails for events with an appointment; the mode determines which of these faults is fixed. */
function answering(mode: () => Mode) {
  return ({ headers, body }: SmallRequest) => {
    if (mode() === 'shut') return { status: 401 };
    const isOpen = mode() === 'broken' || mode() === 'half';
    if (!isOpen && headers.authorization !== `Bearer ${token}`) return { status: 401 };
    const { appointmentData } = JSON.parse(body) as { appointmentData?: unknown };
    if (mode() === 'otherwise' && appointmentData) return { status: 400 };
    return { status: mode() === 'broken' && appointmentData ? 500 : 204 };
  };
}

const refusal = 'crm-webhook/refuses-missing-token';
const property = 'crm-webhook/answers-any-valid-event';

describe('replay', () => {
  it('shows fixed, failing and different checks, from the report alone', async () => {
    await using directory = await temporaryDirectory();
    let mode: Mode = 'broken';
    await using endpoint = await smallEndpoint(answering(() => mode));
    const named = ['--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN'];
    const run = (...args: string[]) => runCommand(args, { cwd: directory.path, env });
    const generated = `${property}#any-event-that-the-interface-allows-is-answered`;
    const checked = await run('check', ...named, '--only', `${refusal},${generated}`, '--seed', '7', '--no-diagnose');
    await completeReport(directory);
    expect(checked.code).toBe(1);
    const report = JSON.parse(await readFile(directory.at('conformance-report/report.json'), 'utf8')) as Report;
    expect(report.checks.map(({ verdict }) => verdict)).toEqual(['fail', 'fail']);
    const replay = async (...args: string[]) => {
      const { code, stdout } = await run('replay', 'conformance-report', ...named, ...args, '--json');
      const { replayed } = JSON.parse(stdout) as { replayed: { id: string; outcome: ReplayOutcome }[] };
      return { code, outcomes: Object.fromEntries(replayed.map(({ id, outcome }) => [id.split('#')[0], outcome])) };
    };
    mode = 'half';
    expect(await replay()).toEqual({ code: 1, outcomes: { [refusal]: 'still-failing', [property]: 'fixed' } });
    mode = 'otherwise';
    expect(await replay()).toEqual({ code: 1, outcomes: { [refusal]: 'fixed', [property]: 'different' } });
    mode = 'fixed';
    const before = endpoint.requests.length;
    const { code, stdout } = await run('replay', 'conformance-report', property, ...named);
    expect({ code, stdout: stdout.replaceAll(/\s+/g, ' ') }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /^✓ fixed crm-webhook\/answers-any-valid-event#.* now it passes .*1 fixed/,
      ) as string,
    });
    // Only its counterexample was sent, not a whole run of generated events.
    expect(endpoint.requests.length - before).toBeLessThan(10);
  });

  it('uses another endpoint if one is given, and lists what it could not replay', async () => {
    await using directory = await temporaryDirectory();
    await using broken = await smallEndpoint(answering(() => 'broken'));
    await using fixed = await smallEndpoint(answering(() => 'fixed'));
    const run = (...args: string[]) => runCommand(args, { cwd: directory.path, env });
    const named = ['--crm-url', broken.url, '--crm-token', 'env:CRM_TOKEN'];
    await run('check', ...named, '--only', refusal, '--no-diagnose');
    await completeReport(directory);
    const there = await run('replay', 'conformance-report', '--url', fixed.url, '--token', 'env:CRM_TOKEN');
    expect(there.stdout).toContain('1 fixed');
    expect(there.code).toBe(0);
    await broken[Symbol.asyncDispose]();
    const gone = await run('replay', 'conformance-report', refusal, ...named);
    expect(gone.stdout).toContain('1 not replayed');
    expect(gone.code).toBe(3);
    const unknown = await run('replay', 'conformance-report', 'crm-webhook/refuses-missing-tokens');
    expect(unknown.stderr).toContain('Did you mean');
    expect(unknown.code).toBe(2);
  });

  it('judges blocked checks, too, not only failed ones', async () => {
    await using directory = await temporaryDirectory();
    const gone = await smallEndpoint(answering(() => 'fixed'));
    await gone[Symbol.asyncDispose]();
    await using there = await smallEndpoint(answering(() => 'fixed'));
    const run = (...args: string[]) => runCommand(args, { cwd: directory.path, env });
    const named = ['--crm-url', gone.url, '--crm-token', 'env:CRM_TOKEN'];
    expect((await run('check', ...named, '--only', refusal, '--no-diagnose')).code).toBe(3);
    await completeReport(directory);
    const still = await run('replay', 'conformance-report', ...named);
    expect({ code: still.code, stdout: still.stdout }).toEqual({
      code: 3,
      stdout: expect.stringContaining('1 not replayed') as string,
    });
    const now = await run('replay', 'conformance-report', '--url', there.url, '--token', 'env:CRM_TOKEN');
    expect({ code: now.code, stdout: now.stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('1 fixed') as string,
    });
  });

  it('reports no difference if nothing could be judged', async () => {
    await using directory = await temporaryDirectory();
    let mode: Mode = 'broken';
    await using endpoint = await smallEndpoint(answering(() => mode));
    const run = (...args: string[]) => runCommand(args, { cwd: directory.path, env });
    const named = ['--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN'];
    await run('check', ...named, '--only', refusal, '--no-diagnose');
    await completeReport(directory);
    // An endpoint that refuses valid requests does not show how it treats invalid ones.
    mode = 'shut';
    const { code, stdout } = await run('replay', 'conformance-report', ...named);
    expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining('1 not replayed') as string });
  });

  it('keeps the name of a check, whatever words a secret is made of', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(answering(() => 'broken'));
    const named = ['--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN'];
    await runCommand(['check', ...named, '--only', refusal, '--no-diagnose'], { cwd: directory.path, env });
    await completeReport(directory);
    const args = ['replay', 'conformance-report', '--url', endpoint.url, '--token', 'env:WORDS', '--json'];
    const { stdout } = await runCommand(args, { cwd: directory.path, env: { WORDS: 'refuses-missing-token' } });
    const { replayed } = JSON.parse(stdout) as { replayed: { id: string }[] };
    expect(replayed.map(({ id }) => id.split('#')[0])).toEqual([refusal]);
  });

  it('reads the same config as check, without flags', async () => {
    await using directory = await temporaryDirectory();
    let mode: Mode = 'broken';
    await using endpoint = await smallEndpoint(answering(() => mode));
    const crmWebhook = { url: endpoint.url, token: 'env:CRM_TOKEN' };
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify({ crmWebhook }));
    await writeFile(
      directory.at('ci.json'),
      JSON.stringify({ crmWebhook: { ...crmWebhook, url: `${endpoint.url}ci` } }),
    );
    const run = (...args: string[]) => runCommand(args, { cwd: directory.path, env });
    await run('check', '--only', refusal, '--no-diagnose');
    await completeReport(directory);
    mode = 'fixed';
    expect((await run('replay', 'conformance-report')).stdout).toContain('1 fixed');
    mode = 'broken';
    await run('check', '--config', 'ci.json', '--only', refusal, '--no-diagnose');
    await completeReport(directory);
    const before = endpoint.requests.length;
    const other = await run('replay', 'conformance-report');
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('repeat this with --config ci.json') });
    expect(endpoint.requests).toHaveLength(before);
    expect((await run('replay', 'conformance-report', '--config', 'ci.json')).stdout).toContain('1 still failing');
  });

  it('does nothing for a report without a failure', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(answering(() => 'fixed'));
    const named = ['--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN'];
    await runCommand(['check', ...named, '--only', refusal], { cwd: directory.path, env });
    await completeReport(directory);
    const { code, stdout } = await runCommand(['replay', 'conformance-report'], { cwd: directory.path });
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'Nothing failed or was blocked in this report, so there is nothing to replay.\n',
    });
    await writeFile(directory.at('report.json'), '{}');
    expect((await runCommand(['replay', 'report.json'], { cwd: directory.path })).code).toBe(2);
  });
});

describe('the meaning of an id', () => {
  const check = (id: string, verdict: 'fail' | 'pass' | 'blocked', evidence: string[]) =>
    ({ id, requirement: id.split('#')[0], verdict, evidence }) as CheckResult;
  const report = {
    checks: [
      check('a/x#one', 'fail', ['ex-1', 'ex-2']),
      check('a/x#two', 'pass', ['ex-1']),
      check('a/y#one', 'pass', ['ex-3']),
      check('a/w#one', 'blocked', ['ex-4']),
      check('a/w#two', 'pass', ['ex-3']),
    ],
    exchanges: [{ id: 'ex-1' }, { id: 'ex-2' }, { id: 'ex-3' }, { id: 'ex-4' }],
    requirements: [{ id: 'a/w' }, { id: 'a/x' }, { id: 'a/y' }, { id: 'a/z' }],
  } as Report;
  const chosen = (id?: string) => {
    const { checks, exchange } = replayChoice(report, id);
    return [...checks.map((one) => one.id), ...(exchange ? [exchange.id] : [])];
  };

  it.each([
    [undefined, ['a/x#one', 'a/w#one']],
    ['a/w', ['a/w#one']],
    ['a/x', ['a/x#one']],
    ['a/y', ['a/y#one']],
    ['a/x#two', ['a/x#two']],
    // It is part of a failure, so that check decides.
    ['ex-2', ['a/x#one']],
    ['ex-1', ['a/x#one']],
    ['ex-4', ['a/w#one']],
    ['ex-3', ['ex-3']],
  ])('%s', (id, expected) => {
    expect(chosen(id)).toEqual(expected);
  });

  it.each(['a/z', 'ex-5', 'a/xx'])('%s: nothing', (id) => {
    expect(() => chosen(id)).toThrow(`${id}: the report has no`);
  });
});

describe('the exit code', () => {
  it.each<[ReplayOutcome[], number]>([
    [['fixed', 'same'], 0],
    [['fixed', 'still-failing', 'not-tried'], 1],
    [['different'], 1],
    [['fixed', 'not-tried'], 3],
    [[], 0],
  ])('%j: %i', (outcomes, code) => {
    const replayed = outcomes.map((outcome) => ({ id: 'x', kind: 'check' as const, outcome, was: '', now: '' }));
    expect(replayExitCode(replayed)).toBe(code);
  });
});
