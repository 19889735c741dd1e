import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { usualDurationMs } from '../../run/plan/usual-duration.ts';
import { cleanReport } from '../reports/sample-report.ts';
import { temporaryDirectory } from './run-command.ts';

it('is that of the latest run, unless an option changes the duration', async () => {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('report.json'), renderJson(cleanReport));
  const { target, selection, durationMs } = cleanReport;
  const usual = (options: Parameters<typeof usualDurationMs>[1]) =>
    usualDurationMs(directory.path, options, { target, selection });
  expect(await usual({})).toBe(durationMs);
  const options = [{ thorough: true }, { contracts: true }, { chaos: true }, { confirm: 2 }, { budget: 600 }];
  for (const option of options) expect(await usual(option)).toBeUndefined();
});
