import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formats } from '../../reports/write/formats.ts';

/** What every file of a report names, so that a file of somebody else is told apart. */
const ours = 'svc-conform';

/**
 * Removes from the directory of a report what an earlier run wrote in formats that this one did not write: beside the new
 * record it would tell of another run. A file that is not ours stays.
 */
export async function removeOutdated(directory: string, written: Readonly<Record<string, string>>): Promise<void> {
  const names = Object.values(formats).flatMap(({ files }) => Object.keys(files));
  for (const name of names.filter((one) => !(one in written))) {
    const place = join(directory, name);
    const text = await readFile(place, 'utf8').catch(() => '');
    if (text.includes(ours)) await rm(place, { force: true });
  }
}
