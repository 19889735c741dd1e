import { randomUUID } from 'node:crypto';
import { rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { makeDirectory } from '../../reports/write/make-directory.ts';
import { ReportNotWritten } from '../../reports/write/write-report.ts';

/**
 * Writes a file to the directory of the report and removes it again, with every directory that was created for it, so
 * that an unusable directory is reported before the run. Throws {@link ReportNotWritten}.
 */
export async function tryOutDirectory(directory: string): Promise<void> {
  const place = resolve(directory);
  let made: string | undefined;
  try {
    made = makeDirectory(place);
    const file = join(place, `.svc-conform.${randomUUID()}.tmp`);
    await writeFile(file, '', { flag: 'wx' });
    await rm(file);
  } catch (cause) {
    throw new ReportNotWritten(place, cause);
  } finally {
    if (made !== undefined) await removeMade(place, made);
  }
}

/** Removes the directories from `place` up to `first`, while they are empty. */
async function removeMade(place: string, first: string): Promise<void> {
  for (let path = place; path.length >= first.length; path = dirname(path)) {
    try {
      await rmdir(path);
    } catch {
      return;
    }
  }
}
