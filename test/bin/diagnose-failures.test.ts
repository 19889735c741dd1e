import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { validate } from '../../specs/validators.ts';
import type { Report } from '../../specs/generated/types.ts';
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
      exchanges: exchanges.map(({ kind, label, outcome, response }) => [kind, label, outcome, response?.status]),
      timings: timings.map(({ name, samples }) => [name, samples.length]),
      verdict,
      summary,
    });
    expect(traffic(diagnosed.report)).toEqual(traffic(plain.report));
  });
});
