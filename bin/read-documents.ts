import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Documents } from '../generators/schema-diff/compare-documents.ts';
import { fileBounds, readBoundedJson } from '../specs/bounded-json.ts';
import { UsageError } from './usage-error.ts';

/** One version of a set of documents. */
export interface DocumentSet {
  readonly isFolder: boolean;
  /** What is to be compared, by file name; of a folder also those of its folders, as `contracts/name.json`. */
  readonly documents: Documents;
  /** What only references may name: the files beside a single one. */
  readonly others: Documents;
}

/** Larger files are no schemas, and reading them would only take memory. */
const largestBytes = 20 * 1024 * 1024;

/**
 * Reads a folder of documents, or one of them with those beside it.
 *
 * @throws UsageError when there is none, or one of those to be compared is not JSON
 */
export async function readDocuments(path: string): Promise<DocumentSet> {
  const found = await stat(path).catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${(error as Error).message}. Name a folder or a file that schemas --out wrote.`); // prettier-ignore
  });
  if (!found.isDirectory()) {
    const others = await readFolder(dirname(path), false).catch(() => ({}));
    return { isFolder: false, documents: { [basename(path)]: await readJson(path) }, others };
  }
  const documents = await readFolder(path, true);
  if (Object.keys(documents).length === 0) {
    throw new UsageError(`${path} holds no JSON file. Name a folder that schemas --out wrote, or one file.`);
  }
  return { isFolder: true, documents, others: {} };
}

/** @param strict whether a file that is not JSON is an error; else it is left out */
async function readFolder(folder: string, strict: boolean, inner = ''): Promise<Documents> {
  const documents: Record<string, unknown> = {};
  for (const entry of await readdir(join(folder, inner), { withFileTypes: true })) {
    const name = inner === '' ? entry.name : `${inner}/${entry.name}`;
    if (entry.isDirectory() && strict && inner === '') Object.assign(documents, await readFolder(folder, strict, name));
    if (!entry.isFile() || !name.endsWith('.json')) continue;
    try {
      documents[name] = await readJson(join(folder, name));
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
    throw new UsageError(`${path} cannot be read as JSON: ${(error as Error).message}.`);
  }
}
