import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readBaseline } from '../../run/input/read-baseline.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { cleanReport } from '../reports/sample-report.ts';
import { temporaryDirectory } from './run-command.ts';

describe('a baseline', () => {
  it('is a report, or the one in a directory', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('main'));
    await writeFile(directory.at('main/report.json'), renderJson(cleanReport));
    for (const place of ['main', 'main/report.json']) {
      expect(await readBaseline(directory.at(place), directory.at('out'))).toEqual(cleanReport);
    }
  });

  it('is not a file that the run overwrites, under any name', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('out'));
    await writeFile(directory.at('out/report.json'), renderJson(cleanReport));
    await symlink(directory.at('out'), directory.at('link'));
    for (const place of ['out', 'out/report.json', 'out/../out/report.json', 'link', 'link/report.json']) {
      const read = readBaseline(directory.at(place), directory.at('out'));
      await expect(read).rejects.toThrow(HarnessFault);
      await expect(read).rejects.toThrow('Keep the baseline elsewhere');
    }
  });

  it('that does not exist is reported as missing, in the directory of the report and elsewhere', async () => {
    await using directory = await temporaryDirectory();
    await expect(readBaseline(directory.at('main.json'), directory.at('out'))).rejects.toThrow(
      'main.json cannot be read: there is no such file or directory. Expected a report.json',
    );
  });
});
