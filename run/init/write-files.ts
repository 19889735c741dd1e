import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { describeFileError } from '../../specs/faults/describe-file-error.ts';

/** Writes a new file. Returns `false`, and writes nothing, if there is one. */
export async function writeNewFile(directory: string, path: string, text: string): Promise<boolean> {
  const file = join(directory, path);
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new HarnessFault('file-not-written:init', { file: path, reason: describeFileError(error) }, { cause: error });
  }
}

/** Adds a line to a file, which need not exist, unless it has this line. Returns whether it was added. */
export async function addLine(directory: string, path: string, line: string): Promise<boolean> {
  const file = join(directory, path);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new HarnessFault('file-not-written:init', { file: path, reason: describeFileError(error) }, { cause: error });
  });
  if (text.split(/\r?\n/).some((one) => one.trim().replace(/^\//, '') === line)) return false;
  await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
  return true;
}
