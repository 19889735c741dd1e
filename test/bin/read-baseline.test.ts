import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readBaseline } from '../../bin/read-baseline.ts';
import { UsageError } from '../../bin/usage-error.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { cleanReport } from '../reports/sample-report.ts';
import { temporaryFolder } from './run-command.ts';

describe('a baseline', () => {
  it('is a report, or the one in a folder', async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.at('main'));
    await writeFile(folder.at('main/report.json'), renderJson(cleanReport));
    for (const place of ['main', 'main/report.json']) {
      expect(await readBaseline(folder.at(place), folder.at('out'))).toEqual(cleanReport);
    }
  });

  it('is not what the run writes over, by whatever name', async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.at('out'));
    await writeFile(folder.at('out/report.json'), renderJson(cleanReport));
    await symlink(folder.at('out'), folder.at('link'));
    for (const place of ['out', 'out/report.json', 'out/../out/report.json', 'link', 'link/report.json']) {
      const read = readBaseline(folder.at(place), folder.at('out'));
      await expect(read).rejects.toThrow(UsageError);
      await expect(read).rejects.toThrow('Keep the baseline elsewhere');
    }
  });

  it('that is not there is told as such, in the folder of the report as elsewhere', async () => {
    await using folder = await temporaryFolder();
    await expect(readBaseline(folder.at('main.json'), folder.at('out'))).rejects.toThrow(
      'main.json: expected a report.json',
    );
  });
});
