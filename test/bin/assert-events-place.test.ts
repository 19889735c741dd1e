import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { assertEventsPlace } from '../../bin/assert-events-place.ts';
import { UsageError } from '../../bin/usage-error.ts';
import { temporaryFolder } from './run-command.ts';

describe('the file of --events', () => {
  it.each(['report.json', 'report.html', 'junit.xml', 'badge.svg', 'certificate.json'])(
    'is not %s of the report',
    async (name) => {
      await using folder = await temporaryFolder();
      const asserting = assertEventsPlace({ events: folder.at(`out/../out/${name}`), out: folder.at('out') });
      await expect(asserting).rejects.toThrow(UsageError);
      await expect(asserting).rejects.toThrow(/^--events \S+ is a file of the report: choose another name/);
    },
  );

  it('is not a file of the report by a link either, whether or not there is one yet', async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.at('out'));
    await symlink(folder.at('out'), folder.at('link'));
    for (const out of ['out', 'link'])
      for (const events of ['out', 'link']) {
        const asserting = assertEventsPlace({ events: folder.at(`${events}/report.json`), out: folder.at(out) });
        await expect(asserting).rejects.toThrow('is a file of the report');
      }
  });

  it('is not the baseline', async () => {
    await using folder = await temporaryFolder();
    await mkdir(folder.at('main'));
    await writeFile(folder.at('main/report.json'), '{}');
    for (const baseline of ['main', 'main/report.json']) {
      const options = { events: folder.at('main/report.json'), out: folder.at('out'), baseline: folder.at(baseline) };
      await expect(assertEventsPlace(options)).rejects.toThrow(/^--events \S+ would write over the baseline\./);
    }
  });

  it('may lie beside the report, or be standard output', async () => {
    await using folder = await temporaryFolder();
    const out = folder.at('out');
    for (const events of [folder.at('out/events.ndjson'), folder.at('report.json'), '-', undefined])
      expect(await assertEventsPlace({ events, out, baseline: folder.at('main.json') })).toBeUndefined();
  });
});
