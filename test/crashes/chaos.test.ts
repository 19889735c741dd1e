import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { CheckResult, Report } from '../../specs/generated/types.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { credentials } from '../harness/settings-for-tests.ts';
import type { EffectConduct } from './effect-process.ts';

const env = {
  HOOK_SECRET: credentials.hookSecret,
  CRM_TOKEN: credentials.token,
  SVC_API_KEY: credentials.apiKey,
};
const script = fileURLToPath(new URL('effect-process.ts', import.meta.url));
const requirements = ['api-webhooks/one-effect-after-a-crash', 'crm-webhook/one-effect-after-a-crash'];
/** Milliseconds of one run, on a busy machine. */
const runMs = 240_000;

async function check(conduct: EffectConduct, ...flags: string[]): Promise<{ checks: CheckResult[]; report: Report }> {
  const port = await freePort();
  await using directory = await temporaryDirectory();
  const command = [process.execPath, script, conduct, String(port), directory.at('known')];
  const config = {
    apiWebhooks: { url: `http://127.0.0.1:${port}/hooks`, secret: 'env:HOOK_SECRET' },
    crmWebhook: { url: `http://127.0.0.1:${port}/crm`, token: 'env:CRM_TOKEN' },
    service: { apiKey: 'env:SVC_API_KEY' },
    start: { command: command.map((word) => JSON.stringify(word)).join(' ') },
  };
  await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
  const only = requirements.flatMap((id) => ['--only', id]);
  const args = ['check', ...only, '--seed', '5', '--json', ...flags];
  const { stdout, stderr } = await runCommand(args, { cwd: directory.path, env });
  expect(stderr).not.toContain('The endpoint ended');
  const report = JSON.parse(stdout) as Report;
  return { checks: report.checks.filter(({ requirement }) => requirements.includes(requirement)), report };
}

describe('check --chaos', () => {
  it('fails an endpoint that remembers deliveries in memory only', { timeout: runMs }, async () => {
    const { checks, report } = await check('memory', '--chaos');
    expect(checks.map(({ requirement }) => requirement).toSorted()).toEqual(requirements);
    for (const { verdict, message, evidence } of checks) {
      expect(verdict).toBe('fail');
      expect(message).toContain('the same request twice: POST /v1/notes');
      const shown = report.exchanges.filter(({ id }) => evidence.includes(id));
      expect(shown.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual(
        expect.arrayContaining(['http closed', 'http answered', 'api answered']),
      );
    }
  });

  it.each(['file', 'key'] as const)(
    'passes an endpoint that survives a crash: %s',
    async (conduct) => {
      const { checks, report } = await check(conduct, '--chaos');
      expect(checks.map((one) => (one.verdict === 'pass' ? '' : one.message))).toEqual(['', '']);
      for (const { evidence } of checks) {
        const outcomes = report.exchanges.filter(({ id }) => evidence.includes(id)).map(({ outcome }) => outcome);
        expect(outcomes).toContain('closed');
      }
    },
    runMs,
  );

  it('judges nothing where the effect comes after the answer', { timeout: runMs }, async () => {
    const { checks } = await check('late', '--chaos');
    for (const { verdict, message } of checks) {
      expect(verdict).toBe('not-exercised');
      expect(message).toContain('No effect at API v1 came before the answer');
    }
    expect(checks).toHaveLength(2);
  });

  it('kills nothing without the flag', { timeout: runMs }, async () => {
    const { checks } = await check('memory');
    expect(checks.map(({ message }) => message)).toEqual(Array(2).fill('The endpoint is killed only with --chaos.'));
  });

  it('needs an endpoint that the run starts', async () => {
    await using directory = await temporaryDirectory();
    const endpoint = ['--hooks-url', 'http://127.0.0.1:1/hooks', '--hooks-secret', 'env:HOOK_SECRET'];
    const { code, stderr } = await runCommand(['check', '--chaos', ...endpoint], { cwd: directory.path, env });
    expect(stderr).toContain('--chaos kills the endpoint and starts it again: give the command');
    expect(code).toBe(2);
  });
});
