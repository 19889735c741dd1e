import { readFile } from 'node:fs/promises';

/**
 * The bytes of the kill matrix that this program was proven with; `undefined` where the build had none. It lies beside
 * the built files, and with the proof in the sources.
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
