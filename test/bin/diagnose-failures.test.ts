import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { validate } from '../../specs/validators.ts';
import type { Report } from '../../specs/generated/types.ts';
import type { CollectedRun } from '../../run/collect/collect-run.ts';
import { diagnoseFailures } from '../../run/diagnose/diagnose-failures.ts';
import type { RunContext } from '../../run/run-context.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = { CRM_TOKEN: 'Kx7mQp2Vw9Zt4Bn8Rc' };

describe('causes in the report of check', () => {
  it('are in the hint, with their id, and nothing else changes', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const run = async (...more: string[]) => {
      const named = ['--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN'];
      const args = ['check', ...named, '--only', 'crm-webhook/refuses-wrong-token', '--seed', '7', ...more];
      const { code, stdout, stderr } = await runCommand(args, { cwd: directory.path, env });
      const report = JSON.parse(
        await readFile(directory.at('conformance-report/partial/report.json'), 'utf8'),
      ) as Report;
      return { code, stdout, stderr, report, sent: endpoint.requests.splice(0).length };
    };
    const plain = await run('--no-diagnose');
    const diagnosed = await run();
    expect([plain.code, diagnosed.code]).toEqual([1, 1]);
    expect(plain.report.checks[0]).not.toHaveProperty('causes');
    expect(plain.stderr).not.toContain('Searching for the causes');
    expect(validate('report', diagnosed.report)).toEqual([]);
    expect(diagnosed.report.checks[0]).toMatchObject({
      causes: [
        {
          id: 'token/not-checked',
          certain: true,
          summary: expect.stringContaining('does not check the token') as string,
        },
      ],
    });
    expect(diagnosed.stdout).toMatch(/^ {4}cause {7}token\/not-checked$/m);
    expect(diagnosed.stderr).toContain('Searching for the causes');
    expect(diagnosed.sent).toBeGreaterThan(plain.sent);
    // The requests of the diagnosis are neither evidence nor timings.
    const traffic = ({ exchanges, timings, verdict, summary }: Report) => ({
      // Some are sent at the same time.
      exchanges: exchanges
        .map(({ kind, label, outcome, response }) => `${kind} ${label}: ${outcome} ${response?.status}`)
        .sort(),
      timings: timings.map(({ name, samples }) => [name, samples.length]),
      verdict,
      summary,
    });
    expect(traffic(diagnosed.report)).toEqual(traffic(plain.report));
  });

  it.each([
    ['advice', 'Searching for the causes of the advice, for at most 4 s'],
    ['should', 'Searching for the causes of the failures, for at most 20 s'],
  ] as const)('take little time if all that fails is of level advice: %s', async (level, note) => {
    const notes: unknown[] = [];
    const settings = { config: {}, seed: 1 };
    const output = { emit: (event: unknown) => notes.push(event) };
    const requirement = 'crm-webhook/refuses-wrong-token';
    const checks = [{ id: requirement, requirement, surface: 'crm-webhook', level, verdict: 'fail', evidence: [] }];
    const context = { settings, redact: (text: string) => text, output } as unknown as RunContext;
    await diagnoseFailures(context, { checks, exchanges: [] } as unknown as CollectedRun);
    expect(notes).toEqual([{ step: 'note', text: expect.stringContaining(note) as string }]);
  });
});
