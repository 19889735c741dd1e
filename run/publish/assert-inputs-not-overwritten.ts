import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { reportFile } from '../input/read-report.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/**
 * Finds the first report that would be overwritten; `undefined` if there is none.
 *
 * @param read reports to read, each a file or the directory of `report.json`
 * @param written files to write
 */
export async function findOverwritten(
  read: readonly string[],
  written: readonly string[],
): Promise<string | undefined> {
  const places = new Set(await Promise.all(written.map(realPlace)));
  for (const file of read.flatMap((place) => [place, join(place, reportFile)])) {
    if (places.has(await realPlace(file))) return file;
  }
  return undefined;
}

/**
 * Refuses an `--out` that would overwrite a report in `read`.
 *
 * @throws HarnessFault
 */
export async function assertInputsNotOverwritten(
  read: readonly string[],
  { out, written }: { out: string; written: readonly string[] },
): Promise<void> {
  const over = await findOverwritten(read, written);
  if (over === undefined) return;
  throw new HarnessFault('file-exists:input', { out, file: over });
}

/** Resolves links, also those above a file that does not exist yet. */
async function realPlace(place: string): Promise<string> {
  const whole = resolve(place);
  const above = dirname(whole);
  return realpath(whole).catch(async () => (above === whole ? whole : join(await realPlace(above), basename(whole))));
}
