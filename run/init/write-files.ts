import { appendFile, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { describeFileError } from '../../specs/faults/describe-file-error.ts';

/** Writes a new file. Returns `false`, and writes nothing, if there is one. Throws {@link HarnessFault} `file-not-written`. */
export async function writeNewFile(directory: string, path: string, text: string): Promise<boolean> {
  const file = join(directory, path);
  try {
    await mkdir(dirname(file), { recursive: true });
  } catch (error) {
    throw notWritten(path, error);
  }
  try {
    await writeFile(file, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // On a full disk, it is there without its text.
    await rm(file, { force: true });
    throw notWritten(path, error);
  }
}

/**
 * Adds a line to a file, which need not exist, unless it has this line. Returns whether it was added. Throws
 * {@link HarnessFault} `file-not-written`.
 */
export async function addLine(directory: string, path: string, line: string): Promise<boolean> {
  const file = join(directory, path);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw notWritten(path, error);
  });
  // A link to a missing file is there, too, and is not ours.
  const isNew = text === '' && (await lstat(file).catch(() => undefined)) === undefined;
  if (text.split(/\r?\n/).some((one) => one.trim().replace(/^\//, '') === line)) return false;
  try {
    await appendFile(file, `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`);
  } catch (error) {
    if (isNew) await rm(file, { force: true });
    throw notWritten(path, error);
  }
  return true;
}

function notWritten(file: string, error: unknown): HarnessFault {
  return new HarnessFault('file-not-written:init', { file, reason: describeFileError(error) }, { cause: error });
}
