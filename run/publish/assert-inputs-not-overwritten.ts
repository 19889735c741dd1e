import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { reportFile } from '../input/read-report.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/**
 * The first report that would be written over, as its file; `undefined` when none would.
 *
 * @param read reports that are read, each a file or the directory that holds `report.json`
 * @param written files that are written
 */
export async function writtenOver(read: readonly string[], written: readonly string[]): Promise<string | undefined> {
  const taken = new Set(await Promise.all(written.map(realPlace)));
  for (const file of read.flatMap((place) => [place, join(place, reportFile)])) {
    if (taken.has(await realPlace(file))) return file;
  }
  return undefined;
}

/**
 * Refuses an `--out` by which a report that is read would be written over.
 *
 * @throws HarnessFault
 */
export async function assertInputsNotOverwritten(
  read: readonly string[],
  { out, written }: { out: string; written: readonly string[] },
): Promise<void> {
  const over = await writtenOver(read, written);
  if (over === undefined) return;
  throw new HarnessFault('file-exists:input', { out, file: over });
}

/** Links may lead to one file by two names, and one that is not there yet may come to lie behind a link. */
async function realPlace(place: string): Promise<string> {
  const whole = resolve(place);
  const above = dirname(whole);
  return realpath(whole).catch(async () => (above === whole ? whole : join(await realPlace(above), basename(whole))));
}
