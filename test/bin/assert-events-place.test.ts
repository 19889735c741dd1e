import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { assertEventsPlace } from '../../run/plan/assert-events-place.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { temporaryDirectory } from './run-command.ts';

describe('the file of --events', () => {
  it.each(['report.json', 'report.html', 'junit.xml', 'badge.svg', 'certificate.json'])(
    'is not %s of the report',
    async (name) => {
      await using directory = await temporaryDirectory();
      const asserting = assertEventsPlace({ events: directory.at(`out/../out/${name}`), out: directory.at('out') });
      await expect(asserting).rejects.toThrow(HarnessFault);
      await expect(asserting).rejects.toThrow(/^--events \S+ is a file of the report: choose another name/);
    },
  );

  it('is not a link to a file of the report either, whether or not that file exists', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('out'));
    await symlink(directory.at('out'), directory.at('link'));
    for (const out of ['out', 'link'])
      for (const events of ['out', 'link']) {
        const asserting = assertEventsPlace({ events: directory.at(`${events}/report.json`), out: directory.at(out) });
        await expect(asserting).rejects.toThrow('is a file of the report');
      }
  });

  it('is not the baseline', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('main'));
    await writeFile(directory.at('main/report.json'), '{}');
    for (const baseline of ['main', 'main/report.json']) {
      const options = {
        events: directory.at('main/report.json'),
        out: directory.at('out'),
        baseline: directory.at(baseline),
      };
      await expect(assertEventsPlace(options)).rejects.toThrow(/^--events \S+ would overwrite the baseline\./);
    }
  });

  it('may be next to the report, or standard output', async () => {
    await using directory = await temporaryDirectory();
    const out = directory.at('out');
    for (const events of [directory.at('out/events.ndjson'), directory.at('report.json'), '-', undefined])
      expect(await assertEventsPlace({ events, out, baseline: directory.at('main.json') })).toBeUndefined();
  });
});
