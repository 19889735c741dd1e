import { stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { writeReport } from '../reports/write/write-report.ts';
import type { Notation } from '../run/output/runner-safe.ts';
import { write } from '../run/output/terminal.ts';
import { assertInputsNotOverwritten } from '../run/publish/assert-inputs-not-overwritten.ts';
import { HarnessFault } from '../harness/checks/faults.ts';

/**
 * Writes files (plain name to text): a single file to standard output or to the file `out`, several into the directory
 * `out`. A path that ends in a slash, or is an existing directory, is a directory.
 *
 * @param read the reports that the files were made from, each a file or its directory
 * @throws HarnessFault when there are several files and no directory, or when a file would overwrite a report in `read`
 * @throws ReportNotWritten
 */
export async function writeRendered(
  files: Readonly<Record<string, string>>,
  { out, read }: { out: string | undefined; read: readonly string[] },
): Promise<void> {
  const entries = Object.entries(files);
  const [[name, text] = []] = entries;
  if (out === undefined) {
    if (entries.length !== 1 || name === undefined || text === undefined) {
      throw new HarnessFault('flag-missing:directory', { names: entries.map(([one]) => one) });
    }
    await write(process.stdout, text, { notation: notationOf(name) });
    return;
  }
  const isOneFile = entries.length === 1 && text !== undefined && !(await isDirectory(out));
  const places = isOneFile ? [out] : Object.keys(files).map((one) => join(out, one));
  await assertInputsNotOverwritten(read, { out, written: places });
  const written = isOneFile
    ? await writeReport(dirname(resolve(out)), { [basename(out)]: text })
    : await writeReport(out, files);
  process.stderr.write(written.map((path) => `${path}\n`).join(''));
}

const notations: Readonly<Record<string, Notation>> = {
  'annotations.txt': 'commands',
  '.json': 'json',
  '.sarif': 'json',
  '.har': 'json',
  '.xml': 'markup',
  '.html': 'markup',
  '.svg': 'markup',
};

function notationOf(file: string): Notation {
  return notations[file] ?? notations[extname(file)] ?? 'plain';
}

async function isDirectory(place: string): Promise<boolean> {
  if (/[/\\]$/.test(place)) return true;
  return stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
