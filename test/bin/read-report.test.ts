import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parseReport, readReport } from '../../run/input/read-report.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { manyFailuresReport } from '../reports/sample-report.ts';
import { temporaryDirectory } from './run-command.ts';

const text = renderJson(manyFailuresReport);
const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

describe('a report', () => {
  it('is read as it was written, by its file or its directory', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('report.json'), text);
    expect(await readReport(directory.at('report.json'))).toEqual(manyFailuresReport);
    expect(await readReport(directory.path)).toEqual(manyFailuresReport);
  });

  it('may begin with a byte order mark', () => {
    expect(parseReport(`\ufeff${text}`, 'a.json')).toEqual(manyFailuresReport);
  });

  it('that does not exist is a usage error that names it', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('gone.json');
    await expect(readReport(file)).rejects.toThrow(HarnessFault);
    await expect(readReport(file)).rejects.toThrow(
      `${file} cannot be read: there is no such file or directory. Expected a report.json of svc-conform, or its directory.`,
    );
    await expect(readReport(directory.path)).rejects.toThrow(directory.at('report.json'));
  });
});

describe('input that is not a report is a usage error that says why', () => {
  const with_ = (change: object) => JSON.stringify({ ...manyFailuresReport, ...change });
  it.each([
    ['', 'a.json: expected the JSON of a report, received an empty file.'],
    ['  \n', 'received an empty file.'],
    ['<html>', 'a.json: expected the JSON of a report, received Unexpected token'],
    [deep, 'a.json: expected the JSON of a report, received JSON nested more than 200 levels deep.'],
    ['null', 'a.json: this is not a report of svc-conform.'],
    ['[]', 'this is not a report of svc-conform.'],
    ['{}', 'this is not a report of svc-conform.'],
    [
      with_({ schemaVersion: 3 }),
      'expected schemaVersion 2, received 3. A newer svc-conform wrote it: update this one.',
    ],
    [
      with_({ schemaVersion: 1 }),
      'expected schemaVersion 2, received 1. A version of svc-conform before 0.1.0 wrote it, and only that version can read it: run the check again.',
    ],
    [with_({ schemaVersion: '2' }), 'at /schemaVersion'],
    [with_({ verdict: 'fine' }), 'at /verdict: expected'],
    [
      with_({ verdict: 'conformant' }),
      'a.json: expected the verdict that follows from its requirements (non-conformant), received conformant. It was changed',
    ],
    [
      with_({ summary: { ...manyFailuresReport.summary, fail: 0 } }),
      `a.json: expected a summary that matches its requirements (fail ${manyFailuresReport.summary.fail}), received fail 0.`,
    ],
    [with_({ checks: [{ id: 1 }, {}, {}, {}] }), /\n {2}and \d+ more$/],
  ])('%.40s', (broken, says) => {
    const reading = () => parseReport(broken, 'a.json');
    expect(reading).toThrow(HarnessFault);
    expect(reading).toThrow(says);
  });
});
