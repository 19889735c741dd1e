import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { readBaseline } from '../../run/input/read-baseline.ts';
import { reportDirectory } from '../../run/plan/report-directory.ts';
import { replayReport } from '../../run/replay/replay-report.ts';
import type { Report, Selection } from '../../specs/generated/types.ts';
import { reportOf } from '../reports/sample-gates.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const partialSelections: readonly Selection[] = [
  { only: ['own-ai-chat/a'] },
  { surfaces: ['own-ai-chat'] },
  { contracts: true },
  { capture: true },
  { shard: { index: 1, of: 2 } },
];
const completeSelections: readonly (Selection | undefined)[] = [undefined, { runs: 1 }, { callbackWaitMs: 5 }];

/** A directory with the report of a run with this selection. */
async function withReport(selection: Selection | undefined) {
  const directory = await temporaryDirectory();
  await mkdir(directory.at('out'));
  const report = reportOf({ a: 'pass', b: {} }, selection && { selection });
  await writeFile(directory.at('out/report.json'), renderJson(report));
  return { ...directory, out: directory.at('out') };
}

async function faultOf(action: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await action.catch((reason: unknown) => reason);
  return error instanceof HarnessFault ? error.code : undefined;
}

describe.each(partialSelections)('a partial run, %j', (selection) => {
  it('has a separate directory', async () => {
    expect(await reportDirectory({ defaultOut: 'conformance-report' }, selection)).toBe(
      join('conformance-report', 'partial'),
    );
    expect(await reportDirectory({}, selection)).toBeUndefined();
  });

  it.each(completeSelections)('does not write over a complete run, %j', async (before) => {
    await using directory = await withReport(before);
    expect(await faultOf(reportDirectory({ out: directory.out }, selection))).toBe('file-exists');
  });

  it('writes to a directory that the user named', async () => {
    await using directory = await withReport(selection);
    expect(await reportDirectory({ out: directory.out }, selection)).toBe(directory.out);
    expect(await reportDirectory({ out: directory.at('new') }, selection)).toBe(directory.at('new'));
  });

  it('is neither a baseline nor replayed', async () => {
    await using directory = await withReport(selection);
    expect(await faultOf(readBaseline(directory.out, undefined))).toBe('report-partial');
    const replayed = replayReport(directory.out, undefined, {}, () => undefined);
    expect(await faultOf(replayed)).toBe(selection.capture ? 'not-replayable' : 'report-partial');
  });
});

it.each(completeSelections)(
  'a complete run, %j, writes to the usual directory and is a baseline',
  async (selection) => {
    await using directory = await withReport(selection);
    expect(await reportDirectory({ defaultOut: directory.out }, selection)).toBe(directory.out);
    expect(await reportDirectory({ out: directory.out }, selection)).toBe(directory.out);
    expect((await readBaseline(directory.out, undefined)).verdict).toBe('conformant');
    expect((await replayReport(directory.out, undefined, {}, () => undefined)).replayed).toEqual([]);
  },
);

const refusal = 'crm-webhook/refuses-wrong-token';

it('the pasted repeat command leaves the report of the complete run unchanged', { timeout: 120_000 }, async () => {
  await using directory = await temporaryDirectory();
  await using endpoint = await smallEndpoint(({ headers }) => ({
    status: headers.authorization === 'Bearer Kx7mQp2Vw9Zt4Bn8Rc' ? 204 : 401,
  }));
  const env = { CRM_TOKEN: 'Kx7mQp2Vw9Zt4Bn8Rc' };
  const run = (...args: string[]) => runCommand(args, { cwd: directory.path, env });
  const complete = renderJson(reportOf({ [refusal]: 'fail', 'crm-webhook/b': 'fail' }));
  await mkdir(directory.at('conformance-report'));
  await writeFile(directory.at('conformance-report/report.json'), complete);

  const again = ['check', '--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN', '--only', refusal, '--seed', '7'];
  const { code, stdout } = await run(...again);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^PASSED, partial: 1 of \d{3} {2}/m) });
  expect(stdout).toContain(join('conformance-report', 'partial', 'report.html'));
  expect(await readFile(directory.at('conformance-report/report.json'), 'utf8')).toBe(complete);
  const text = await readFile(directory.at('conformance-report/partial/report.json'), 'utf8');
  expect((JSON.parse(text) as Report).partial).toMatchObject({ checked: 1 });

  const before = endpoint.requests.length;
  const over = await run(...again, '--out', 'conformance-report');
  expect(over).toMatchObject({ code: 2, stderr: expect.stringContaining('contains the report of a complete run') });
  const based = await run(...again.slice(0, 5), '--baseline', 'conformance-report/partial');
  expect(based).toMatchObject({ code: 2, stderr: expect.stringContaining('is the report of a partial run') });
  const replayed = await run('replay', 'conformance-report/partial', ...again.slice(1, 5));
  expect(replayed).toMatchObject({ code: 2, stderr: expect.stringContaining('is the report of a partial run') });
  expect(endpoint.requests).toHaveLength(before);
  expect(await readFile(directory.at('conformance-report/report.json'), 'utf8')).toBe(complete);
});
