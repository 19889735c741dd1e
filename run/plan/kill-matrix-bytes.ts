import { readFile } from 'node:fs/promises';

/**
 * Reads the kill matrix of this program; `undefined` if the build has none. It is next to the built files, and in the
 * sources with the proof.
 */
export async function killMatrixBytes(): Promise<Buffer | undefined> {
  const place = import.meta.url.endsWith('.ts') ? '../../test/proving/kill-matrix.json' : '../../kill-matrix.json';
  try {
    return await readFile(new URL(place, import.meta.url));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
