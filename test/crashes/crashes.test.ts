import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { CheckResult, Diagnosis, Report } from '../../specs/generated/types.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { answerText, rawServer } from '../harness/raw-server.ts';
import { credentials } from '../harness/settings-for-tests.ts';
import { endpointProcess, type EndpointProcess } from './crashing-process.ts';

const env = { AGENT_SECRET: credentials.agentSecret, HOOK_SECRET: credentials.hookSecret };

const surfaces = {
  'api-webhooks': (origin: string) => ['--hooks-url', `${origin}/hooks`, '--hooks-secret', 'env:HOOK_SECRET'],
  'own-ai-chat': (origin: string) => ['--chat-url', `${origin}/chat`, '--chat-secret', 'env:AGENT_SECRET'],
  'own-ai-phone': (origin: string) => [
    ...['--phone-url', `${origin.replace('http:', 'ws:')}/voice`],
    ...['--phone-secret', 'env:AGENT_SECRET'],
  ],
};
type Surface = keyof typeof surfaces;

/** Milliseconds of one run, on a busy machine. */
const runMs = 240_000;

async function check(
  surface: Surface,
  { origin }: EndpointProcess,
  ...more: string[]
): Promise<{ code: number | null; report: Report; stdout: string }> {
  await using directory = await temporaryDirectory();
  const args = ['check', ...surfaces[surface](origin), '--seed', '5', ...more];
  const { code, stdout } = await runCommand(args, { cwd: directory.path, env });
  const report = JSON.parse(await readFile(directory.at('conformance-report/report.json'), 'utf8')) as Report;
  return { code, report, stdout };
}

/** Deliveries whose connection was closed without an answer are evidence of no pass. */
function passedUnanswered({ checks, exchanges }: Report): string[] {
  const closed = new Set(
    exchanges.filter((exchange) => exchange.outcome === 'closed' && !exchange.response).map(({ id }) => id),
  );
  return checks
    .filter(({ verdict, evidence }) => verdict === 'pass' && evidence.some((id) => closed.has(id)))
    .map(({ id }) => id);
}

const messages = (checks: readonly CheckResult[]) =>
  checks.map(({ id, message = '', hint = '' }) => `${id}: ${message} ${hint}`).join('\n');
const stoppedWhile =
  /the endpoint stopped while handling a (?:delivery|call) .*: the connection closed without an answer, and then nothing listened at (?:http|ws):/;
const falseCauses =
  /0\.0\.0\.0|by turns|locks out|after a few wrong signatures|(?:Is|Check that) the endpoint (?:is )?running/i;

// Each run has its own endpoint and mostly waits: those of one surface run side by side.
describe.for(['api-webhooks', 'own-ai-chat', 'own-ai-phone'] as const)('a crash over a signature, %s', (surface) => {
  it.concurrent(
    'fails the requirement whose delivery crashed the process, and blocks what was not reached',
    { timeout: runMs },
    async () => {
      await using endpoint = await endpointProcess('crashes');
      const { code, report, stdout } = await check(surface, endpoint);
      expect(code).toBe(1);
      expect(endpoint.crashes()).toBe(1);
      const failed = report.checks.filter(({ verdict }) => verdict === 'fail');
      const refusal = failed.find(({ requirement }) => requirement.startsWith(`${surface}/refuses-`));
      expect(refusal?.message).toMatch(stoppedWhile);
      for (const { message, causes = [] } of failed) {
        expect(message).toMatch(stoppedWhile);
        expect(causes.map(({ id }) => id)).toEqual(['http/crashes']);
        expect(causes[0]?.remediation).toContain('length');
      }
      const blocked = report.checks.filter(({ verdict }) => verdict === 'blocked');
      expect(blocked.length).toBeGreaterThan(5);
      for (const one of blocked) {
        expect(one).toMatchObject({ code: 'target-stopped', causes: [{ id: 'http/crashes', certain: true }] });
        expect(one.message).toMatch(/stopped .*a (?:delivery|call) /);
      }
      expect(passedUnanswered(report)).toEqual([]);
      expect(`${messages(report.checks)}\n${stdout}`).not.toMatch(falseCauses);
    },
  );

  it.concurrent.for(['plain', 'closes-idle', 'closes-each', 'restarts'] as const)(
    'is never seen in a process that is %s',
    // A process that restarts while a busy machine delays its start is not there for a moment.
    { timeout: runMs, retry: 2 },
    async (conduct) => {
      await using endpoint = await endpointProcess(conduct);
      const { report } = await check(surface, endpoint);
      const accused = report.checks.filter(
        ({ verdict, requirement }) => verdict === 'blocked' || (verdict === 'fail' && requirement.includes('refuses-')),
      );
      expect(messages(accused)).toBe('');
      expect(messages(report.checks)).not.toContain('the endpoint stopped');
    },
  );

  it.concurrent(
    'is not what a deliberate reset is, which is no pass of a refusal either',
    { timeout: runMs },
    async () => {
      await using endpoint = await endpointProcess('resets');
      const { report } = await check(surface, endpoint);
      expect(passedUnanswered(report)).toEqual([]);
      expect(messages(report.checks)).not.toContain('the endpoint stopped');
      const refusals = report.checks.filter(({ requirement }) => /\/refuses-(?!with)/.test(requirement));
      expect(new Set(refusals.map(({ verdict }) => verdict))).toEqual(new Set(['not-exercised']));
      const slug = surface === 'own-ai-phone' ? 'refuses-with-4xx' : 'bad-signature-is-answered';
      const answered = report.checks.find(({ requirement }) => requirement === `${surface}/${slug}`);
      expect(answered).toMatchObject({ verdict: 'fail' });
    },
  );

  // Alone: what it judges is how soon the next process listens.
  it('fails each such requirement of a process that is started again', { timeout: runMs }, async () => {
    await using endpoint = await endpointProcess('crashes', { supervised: true });
    const { code, report, stdout } = await check(surface, endpoint);
    expect(code).toBe(1);
    for (const slug of ['refuses-short-v1', 'refuses-long-v1']) {
      const checks = report.checks.filter(({ requirement }) => requirement === `${surface}/${slug}`);
      for (const one of checks) {
        expect(one).toMatchObject({ verdict: 'fail', causes: [{ id: 'http/crashes', certain: true }] });
        expect(one.message).toMatch(stoppedWhile);
      }
    }
    const others = report.checks.filter(({ requirement }) => !/refuses-|bad-signature/.test(requirement));
    expect(others.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked').map(({ id }) => id)).toEqual([]);
    expect(passedUnanswered(report)).toEqual([]);
    expect(`${messages(report.checks)}\n${stdout}`).not.toMatch(falseCauses);
  });
});

describe('a process in Python that ends on a signature of another length', () => {
  it.for([false, true])('fails the refusal that ended it, supervised: %s', { timeout: runMs }, async (supervised) => {
    await using endpoint = await endpointProcess('python-crashes', { supervised });
    const { code, report } = await check('own-ai-chat', endpoint);
    expect(code).toBe(1);
    const failed = report.checks.filter(
      ({ verdict, message = '' }) => verdict === 'fail' && stoppedWhile.test(message),
    );
    expect(failed.length).toBeGreaterThan(0);
    expect(passedUnanswered(report)).toEqual([]);
  });
});

describe('diagnose', () => {
  it.concurrent.for([
    ['own-ai-chat', false],
    ['api-webhooks', true],
    ['own-ai-phone', false],
  ] as const)(
    'reports a crash of %s as the cause, supervised: %s',
    { timeout: runMs },
    async ([surface, supervised]) => {
      await using endpoint = await endpointProcess('crashes', { supervised });
      await using directory = await temporaryDirectory();
      const [, url = '', , secret = ''] = surfaces[surface](endpoint.origin);
      const args = ['diagnose', surface, '--url', url, '--secret', secret, '--json'];
      const { stdout } = await runCommand(args, { cwd: directory.path, env });
      const diagnosis = JSON.parse(stdout) as Diagnosis;
      expect(diagnosis.cause).toMatchObject({ id: 'http/crashes' });
      expect(diagnosis.cause?.summary).toMatch(
        /^The endpoint stopped while handling a (?:delivery|call) .*nothing listened at/,
      );
      expect(stdout).not.toMatch(falseCauses);
    },
  );

  it.concurrent('reports the pause that an address asks for', { timeout: runMs }, async () => {
    await using endpoint = await rawServer((socket) =>
      socket.write(answerText('429 Too Many Requests', { 'Retry-After': '3600' })),
    );
    await using directory = await temporaryDirectory();
    const args = ['check', ...surfaces['own-ai-chat'](`${endpoint.origin}`), '--seed', '5'];
    const { code } = await runCommand(args, { cwd: directory.path, env });
    expect(code).toBe(3);
    expect(endpoint.requests).toHaveLength(1);
    const report = JSON.parse(await readFile(directory.at('conformance-report/report.json'), 'utf8')) as Report;
    const blocked = report.checks.filter(({ verdict }) => verdict === 'blocked');
    expect(blocked.length).toBeGreaterThan(50);
    for (const one of blocked) {
      expect(one).toMatchObject({ code: 'target-throttles', causes: [{ id: 'http/rate-limited', certain: true }] });
      expect(one.message).toContain('asked for a pause of 3600 s');
      expect(one.causes?.[0]?.remediation).toContain('Raise the limit for the test address');
    }
  });
});
