import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { CheckResult, Report } from '../../specs/generated/types.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { credentials } from '../harness/settings-for-tests.ts';
import { endpointProcess, type EndpointProcess } from './crashing-process.ts';
import type { Conduct } from './endpoint-process.ts';

/** The secrets of the endpoint. */
export const env = { AGENT_SECRET: credentials.agentSecret, HOOK_SECRET: credentials.hookSecret };

/** The flags that address each surface of an endpoint. */
export const surfaces = {
  'api-webhooks': (origin: string) => ['--hooks-url', `${origin}/hooks`, '--hooks-secret', 'env:HOOK_SECRET'],
  'own-ai-chat': (origin: string) => ['--chat-url', `${origin}/chat`, '--chat-secret', 'env:AGENT_SECRET'],
  'own-ai-phone': (origin: string) => [
    ...['--phone-url', `${origin.replace('http:', 'ws:')}/voice`],
    ...['--phone-secret', 'env:AGENT_SECRET'],
  ],
};
export type CrashSurface = keyof typeof surfaces;

/** Milliseconds of one run, on a busy machine. */
export const runMs = 240_000;

/** Generated events of a property: what ends a process here is a signature. */
const fewRuns = ['--runs', '10'];

/** Runs `check` against one surface of the endpoint. */
export async function check(
  surface: CrashSurface,
  { origin }: EndpointProcess,
  ...more: string[]
): Promise<{ code: number | null; report: Report; stdout: string }> {
  await using directory = await temporaryDirectory();
  const args = ['check', ...surfaces[surface](origin), '--seed', '5', ...fewRuns, ...more];
  const { code, stdout } = await runCommand(args, { cwd: directory.path, env });
  const report = JSON.parse(await readFile(directory.at('conformance-report/report.json'), 'utf8')) as Report;
  return { code, report, stdout };
}

/** Ids of checks that passed although the connection of one of their deliveries was closed without an answer. */
export function passedUnanswered({ checks, exchanges }: Report): string[] {
  const closed = new Set(
    exchanges.filter((exchange) => exchange.outcome === 'closed' && !exchange.response).map(({ id }) => id),
  );
  return checks
    .filter(({ verdict, evidence }) => verdict === 'pass' && evidence.some((id) => closed.has(id)))
    .map(({ id }) => id);
}

const messages = (checks: readonly CheckResult[]) =>
  checks.map(({ id, message = '', hint = '' }) => `${id}: ${message} ${hint}`).join('\n');
export const stoppedWhile =
  /the endpoint stopped while handling a (?:delivery|call) .*: the connection closed without an answer, and then nothing listened at (?:http|ws):/;
export const falseCauses =
  /0\.0\.0\.0|by turns|locks out|after a few wrong signatures|(?:Is|Check that) the endpoint (?:is )?running/i;

/**
 * Registers the tests of a crash over a signature on one surface. Each run has its own endpoint and mostly waits, so they
 * run at the same time.
 */
export function testCrashes(surface: CrashSurface): void {
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

  // Runs alone, because it judges how soon the next process listens, which a busy machine may still delay.
  it('fails each such requirement of a process that is started again', { timeout: runMs, retry: 2 }, async () => {
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
}

/**
 * Registers the tests of endings that are not crashes on one surface: these behaviours, and a reset.
 */
export function testOtherEndings(surface: CrashSurface, conducts: readonly Conduct[]): void {
  it.concurrent.for(conducts)(
    'is never seen in a process that is %s',
    // A restarting process is briefly unavailable if a busy machine delays its start.
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
}
