import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { formatFault, type FaultCode } from '../../specs/faults/fault-table.ts';
import { makeDirectory } from './make-directory.ts';

/** The report could not be written; the message says where and why. */
export class ReportNotWritten extends Error {
  readonly code = 'report-not-written' satisfies FaultCode;
  readonly directory: string;

  constructor(directory: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(formatFault('report-not-written', { directory, reason }), { cause });
    this.name = 'ReportNotWritten';
    this.directory = directory;
  }
}

/** The text of a file, or its parts, of which one is in memory at a time. */
export type FileText = string | Iterable<string>;

/**
 * Writes the files (plain name to text) into the directory, creating it. Each appears whole or not at all, and none is
 * replaced before all could be written. Returns their paths. Throws `ReportNotWritten`.
 */
export async function writeReport(directory: string, files: Readonly<Record<string, FileText>>): Promise<string[]> {
  const place = resolve(directory);
  const pending = Object.entries(files).map(([name, text]) => {
    if (basename(name) !== name)
      throw new ReportNotWritten(place, new Error(`a file name with a directory in it: ${name}`));
    return { text, path: join(place, name), temporary: join(place, `.${name}.${randomUUID()}.tmp`) };
  });
  try {
    makeDirectory(place);
    for (const { temporary, text } of pending) await writeFile(temporary, text, { flag: 'wx' });
    for (const { temporary, path } of pending) await rename(temporary, path);
  } catch (cause) {
    await Promise.allSettled(pending.map(({ temporary }) => rm(temporary, { force: true })));
    throw new ReportNotWritten(place, cause);
  }
  return pending.map(({ path }) => path);
}
