import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { previousReport, usualDurationMs } from '../../run/plan/previous-run.ts';
import type { Report } from '../../specs/generated/types.ts';
import { cleanReport } from '../reports/sample-report.ts';
import { temporaryDirectory } from './run-command.ts';

const { target, selection } = cleanReport;

it('is the run whose report the directory contains, if it had the same endpoints and selection', async () => {
  await using directory = await temporaryDirectory();
  const previous = async (report: Report, now: Parameters<typeof previousReport>[1] = { target, selection }) => {
    await writeFile(directory.at('report.json'), renderJson(report));
    return (await previousReport(directory.path, now))?.startedAt;
  };
  expect(await previousReport(directory.path, { target, selection })).toBeUndefined();
  expect(await previous(cleanReport)).toBe(cleanReport.startedAt);
  expect(await previous(cleanReport, { target: {}, selection })).toBeUndefined();
  expect(await previous(cleanReport, { target, selection: { runs: 1 } })).toBeUndefined();
  expect(await previous({ ...cleanReport, verdict: 'incomplete' })).toBeUndefined();
  expect(await previous({ ...cleanReport, anonymized: true })).toBeUndefined();
});

it('predicts the duration of a run, unless an option changes it', () => {
  expect(usualDurationMs(cleanReport, {})).toBe(cleanReport.durationMs);
  const options = [{ thorough: true }, { contracts: true }, { chaos: true }, { confirm: 2 }, { budget: 600 }];
  for (const option of options) expect(usualDurationMs(cleanReport, option)).toBeUndefined();
});
