import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { generateTypes } from '../../scripts/generate-types.ts';

it('specs/generated/types.ts is what npm run types makes of the schemas', async () => {
  const file = await readFile(new URL('../../specs/generated/types.ts', import.meta.url), 'utf8');
  expect(file, 'expected fresh types, received stale ones: npm run types').toBe(await generateTypes());
});

it('specs/generated/types.ts declares each type once', async () => {
  const names = [...(await generateTypes()).matchAll(/^export (?:type|interface) (\w+)/gm)].map(
    ([, name]) => name ?? '',
  );
  expect(names.length).toBeGreaterThan(40);
  expect(new Set(names).size).toBe(names.length);
  // A second type of the same title gets a number.
  expect(names.filter((name) => /\d$/.test(name))).toEqual([]);
});
