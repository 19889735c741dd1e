import { describeFileError } from '../specs/faults/describe-file-error.ts';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Documents } from '../generators/schema-diff/compare-documents.ts';
import { fileBounds, readBoundedJson } from '../specs/bounded-json.ts';
import { HarnessFault } from '../harness/checks/faults.ts';

/** One version of a set of documents. */
export interface DocumentSet {
  readonly isDirectory: boolean;
  /** The documents to compare, by file name, including those of subdirectories, as `contracts/name.json`. */
  readonly documents: Documents;
  /** Documents that only references may name: the neighbours of a single file. */
  readonly others: Documents;
}

/** Larger files are not schemas, and reading them would only use memory. */
const largestBytes = 20 * 1024 * 1024;

/**
 * Reads a directory of documents, or one document and its neighbours.
 *
 * @throws HarnessFault when there is no document, or one to be compared is not JSON
 */
export async function readDocuments(path: string): Promise<DocumentSet> {
  const found = await stat(path).catch((error: unknown) => {
    throw new HarnessFault('file-unreadable:path', { path, reason: describeFileError(error) }); // prettier-ignore
  });
  if (!found.isDirectory()) {
    const others = await readDirectory(dirname(path), false).catch(() => ({}));
    return { isDirectory: false, documents: { [basename(path)]: await readJson(path) }, others };
  }
  const documents = await readDirectory(path, true);
  if (Object.keys(documents).length === 0) {
    throw new HarnessFault('file-unreadable:no-json', { path });
  }
  return { isDirectory: true, documents, others: {} };
}

/** @param strict whether a file that is not JSON is an error; otherwise it is skipped */
async function readDirectory(directory: string, strict: boolean, inner = ''): Promise<Documents> {
  const documents: Record<string, unknown> = {};
  for (const entry of await readdir(join(directory, inner), { withFileTypes: true })) {
    const name = inner === '' ? entry.name : `${inner}/${entry.name}`;
    if (entry.isDirectory() && strict && inner === '')
      Object.assign(documents, await readDirectory(directory, strict, name));
    if (!entry.isFile() || !name.endsWith('.json')) continue;
    try {
      documents[name] = await readJson(join(directory, name));
    } catch (error) {
      if (strict) throw error;
    }
  }
  return documents;
}

async function readJson(path: string): Promise<unknown> {
  try {
    if ((await stat(path)).size > largestBytes) throw new Error(`it is larger than ${largestBytes} bytes`);
    const read = readBoundedJson(await readFile(path), fileBounds);
    if ('error' in read) throw new Error(read.cause ?? `it is ${read.error}`);
    return read.value;
  } catch (error) {
    throw new HarnessFault('file-unreadable:json', { path, reason: describeFileError(error) });
  }
}
