import { readdir, readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { generatedFiles } from '../scripts/generated-files.ts';

const root = new URL('../', import.meta.url);

describe('generated files', () => {
  it.each(Object.entries(generatedFiles))('%s is up to date', async (path, make) => {
    const text = await readFile(new URL(path, root), 'utf8');
    // Compared as one boolean: a diff of these files is too long to read.
    expect(text === (await make()), `${path} is stale: npm run generate`).toBe(true);
  });

  it('are the only files in docs/reference', async () => {
    const entries = await readdir(new URL('docs/reference/', root), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => resolve(parentPath, name));
    const paths = files.map((file) => relative(fileURLToPath(root), file));
    expect(Object.keys(generatedFiles)).toEqual(expect.arrayContaining(paths));
  });
});
