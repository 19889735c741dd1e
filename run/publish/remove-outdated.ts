import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formats } from '../../reports/write/formats.ts';

/** Every file of a report contains this, which distinguishes it from other files. */
const ours = 'svc-conform';

/**
 * Removes files that an earlier run wrote in formats that this run did not write, because they would not match the new
 * report. Keeps files that are not ours.
 */
export async function removeOutdated(directory: string, written: object): Promise<void> {
  const names = Object.values(formats).flatMap(({ files }) => Object.keys(files));
  for (const name of names.filter((one) => !(one in written))) {
    const place = join(directory, name);
    const text = await readFile(place, 'utf8').catch(() => '');
    if (text.includes(ours)) await rm(place, { force: true });
  }
}
