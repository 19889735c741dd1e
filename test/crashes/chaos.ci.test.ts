import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Replayed } from '../../run/replay/replay-result.ts';
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

interface CrashOptions {
  flags?: readonly string[];
  only?: readonly string[];
  instances?: number;
}

/** A directory with the config of an endpoint with this behaviour. */
async function endpointOf(conduct: EffectConduct, instances = 1) {
  const port = await freePort();
  const directory = await temporaryDirectory();
  // The shell replaces the variable.
  const ownPort = instances === 1 ? String(port) : '$PORT';
  const command = [process.execPath, script, conduct, ownPort, directory.at('known')];
  const config = {
    apiWebhooks: { url: `http://127.0.0.1:${port}/hooks`, secret: 'env:HOOK_SECRET' },
    crmWebhook: { url: `http://127.0.0.1:${port}/crm`, token: 'env:CRM_TOKEN' },
    service: { apiKey: 'env:SVC_API_KEY' },
    start: { command: command.map((word) => JSON.stringify(word)).join(' '), instances },
  };
  await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
  return { directory, config };
}

async function check(
  conduct: EffectConduct,
  { flags = ['--chaos'], only: ids = requirements, instances }: CrashOptions = {},
): Promise<{ checks: CheckResult[]; report: Report }> {
  const { directory } = await endpointOf(conduct, instances);
  await using _directory = directory;
  const only = ids.flatMap((id) => ['--only', id]);
  const args = ['check', ...only, '--seed', '5', '--json', ...flags];
  const { stdout, stderr } = await runCommand(args, { cwd: directory.path, env });
  expect(stderr).not.toContain('The endpoint ended');
  expect(stdout, stderr).toMatch(/^\{/);
  const report = JSON.parse(stdout) as Report;
  return { checks: report.checks.filter(({ requirement }) => ids.includes(requirement)), report };
}

describe.concurrent('check --chaos', () => {
  it('fails an endpoint that remembers deliveries in memory only', { timeout: runMs }, async () => {
    const { checks, report } = await check('memory');
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
      const { checks, report } = await check(conduct);
      expect(checks.map((one) => (one.verdict === 'pass' ? '' : one.message))).toEqual(['', '']);
      for (const { evidence } of checks) {
        const outcomes = report.exchanges.filter(({ id }) => evidence.includes(id)).map(({ outcome }) => outcome);
        expect(outcomes).toContain('closed');
      }
    },
    runMs,
  );

  it('judges nothing if the effect comes after the answer', { timeout: runMs }, async () => {
    const { checks } = await check('late');
    for (const { verdict, message } of checks) {
      expect(verdict).toBe('not-exercised');
      expect(message).toContain('No effect at API v1 came before the answer');
    }
    expect(checks).toHaveLength(2);
  });

  it('kills nothing without the flag', { timeout: runMs }, async () => {
    const { checks, report } = await check('memory', { flags: [] });
    expect(checks.map(({ verdict }) => verdict)).toEqual(['not-applicable', 'not-applicable']);
    expect(report.coverage).toMatchObject({ judged: 0, of: 0 });
    expect(checks.map(({ message }) => message)).toEqual(Array(2).fill('The endpoint is killed only with --chaos.'));
  });

  it('repeats the crash with --confirm', { timeout: runMs }, async () => {
    const { checks } = await check('memory', { flags: ['--chaos', '--confirm', '1'] });
    expect(checks.map(({ verdict, repeats }) => ({ verdict, repeats }))).toEqual(
      Array(2).fill({ verdict: 'fail', repeats: { failed: 2, of: 2 } }),
    );
  });

  it('needs an endpoint that the run starts', async () => {
    await using directory = await temporaryDirectory();
    const endpoint = ['--hooks-url', 'http://127.0.0.1:1/hooks', '--hooks-secret', 'env:HOOK_SECRET'];
    const { code, stderr } = await runCommand(['check', '--chaos', ...endpoint], { cwd: directory.path, env });
    expect(stderr).toContain('--chaos kills the endpoint and starts it again: give the command');
    expect(code).toBe(2);
  });
});

describe.concurrent('two instances without --chaos', () => {
  const only = ['api-webhooks/redelivery-has-one-effect'];

  it.each([
    ['memory', 'fail'],
    ['shared', 'pass'],
  ] as const)('get a repeated delivery in turn: %s', { timeout: runMs }, async (conduct, expected) => {
    const { checks } = await check(conduct, { instances: 2, flags: [], only });
    // As many deliveries as there are types come again in the same order, so that each may reach its instance again.
    const ofOne = checks.filter(({ id }) => !id.includes('of-every-type'));
    const judged = ofOne.filter(({ verdict }) => verdict === 'pass' || verdict === 'fail');
    expect(new Set(judged.map(({ verdict }) => verdict))).toEqual(new Set([expected]));
  });
});

describe.concurrent('check --chaos with two instances', () => {
  it('fails an endpoint whose processes do not know of one another', { timeout: runMs }, async () => {
    const { checks, report } = await check('memory', { instances: 2 });
    expect(checks).toHaveLength(2);
    for (const { verdict, message } of checks) {
      expect(verdict).toBe('fail');
      expect(message).toContain('the same request twice: POST /v1/notes');
    }
    expect(report.start).toMatchObject({ instances: 2 });
    expect(report.start).not.toHaveProperty('exits');
  });

  it.each(['shared', 'key'] as const)(
    'passes an endpoint that does not repeat the effect of another process: %s',
    // A busy machine may delay the second process until the first one has been killed.
    { timeout: runMs, retry: 2 },
    async (conduct) => {
      const { checks, report } = await check(conduct, { instances: 2 });
      expect(checks.map((one) => (one.verdict === 'pass' ? '' : one.message))).toEqual(['', '']);
      const lines = report.logs?.map(({ text }) => text) ?? [];
      const first = (wanted: string) => lines.findIndex((line) => line.startsWith(wanted));
      const handled = lines.flatMap((line) => {
        const [, pid = '', id = ''] = /^(\d+) got (.+)$/.exec(line) ?? [];
        return pid === '' ? [] : [{ pid, id }];
      });
      const repeated = [...Map.groupBy(handled, ({ id }) => id)].filter(([, { length }]) => length === 2);
      expect(repeated).toHaveLength(2);
      for (const [id, [killed, other]] of repeated) {
        expect(other?.pid).not.toBe(killed?.pid);
        // The process was already listening, so the delivery did not wait for a restart.
        expect(first(`${other?.pid} listens`)).toBeLessThan(first(`${killed?.pid} got ${id}`));
      }
    },
  );
});

describe.concurrent('replay', () => {
  it(
    'repeats a crash test where it starts the endpoint, and states why it cannot otherwise',
    { timeout: runMs },
    async () => {
      const { directory, config: whole } = await endpointOf('memory');
      await using _directory = directory;
      // Only complete runs are replayed, and one of a single surface takes less time.
      const { crmWebhook: _crm, ...config } = whole;
      await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
      const { cwd, report } = { cwd: directory.path, report: directory.at('conformance-report') };
      const run = ['check', '--chaos', '--no-diagnose', '--runs', '1', '--seed', '5'];
      await runCommand(run, { cwd, env });
      const replay = async (...flags: string[]) => {
        const { stdout } = await runCommand(['replay', report, requirements[0] ?? '', '--json', ...flags], {
          cwd,
          env,
        });
        return (JSON.parse(stdout) as { replayed: Replayed[] }).replayed;
      };
      expect(await replay()).toMatchObject([{ outcome: 'still-failing' }]);
      const { start: _, ...running } = config;
      await writeFile(directory.at('other.config.json'), JSON.stringify(running));
      expect(await replay('--config', directory.at('other.config.json'))).toMatchObject([
        { outcome: 'not-tried', now: expect.stringContaining('only if --start, or --image on this machine') as string },
      ]);
    },
  );
});
