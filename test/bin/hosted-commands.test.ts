import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../specs/generated/types.ts';
import { runCommand, startCommand, temporaryDirectory } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = { CRM_TOKEN: 'Kx7mQp2Vw9Zt4Bn8Rc', HOOK_SECRET: 'hook_Qm7vXz2Lk9Rt4Wp8nB5' };

/** Runs every check of two surfaces against an endpoint that refuses nothing. */
async function resultOf(run: typeof runCommand) {
  await using directory = await temporaryDirectory();
  // Two ports: the surfaces pass through some phases by themselves.
  await using crm = await smallEndpoint(() => ({ status: 204 }));
  await using hooks = await smallEndpoint(() => ({ status: 204 }));
  const surfaces = ['--crm-url', crm.url, '--hooks-url', hooks.url];
  const secrets = ['--crm-token', 'env:CRM_TOKEN', '--hooks-secret', 'env:HOOK_SECRET'];
  const few = ['--seed', '5', '--runs', '3', '--callback-wait', '1', '--no-diagnose'];
  const { code, stderr } = await run(['check', ...surfaces, ...secrets, ...few], { cwd: directory.path, env });
  const report = JSON.parse(await readFile(directory.at('conformance-report/report.json'), 'utf8')) as Report;
  return {
    code,
    failed: stderr.split('\n').filter((line) => line.startsWith('✗')).length,
    verdict: report.verdict,
    summary: report.summary,
    checks: report.checks.map(({ id, verdict, code: reason, level }) => [id, verdict, reason, level].join(' ')),
  };
}

describe('a hosted command', () => {
  // A busy machine may change a verdict about times in one of the two.
  it('has the result of the same command in its own process, which runs Vitest', { retry: 2 }, async () => {
    const [hosted, usual] = await Promise.all([
      resultOf(runCommand),
      resultOf((args, options) => startCommand(args, options).ended),
    ]);
    expect(usual.code).toBe(1);
    expect(usual.checks.length).toBeGreaterThan(100);
    expect(hosted).toEqual(usual);
  });
});
