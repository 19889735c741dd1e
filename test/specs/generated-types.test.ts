import { expect, it } from 'vitest';
import { generateTypes } from '../../scripts/generate-types.ts';

it('specs/generated/types.ts declares each type once', async () => {
  const names = [...(await generateTypes()).matchAll(/^export (?:type|interface) (\w+)/gm)].map(
    ([, name]) => name ?? '',
  );
  expect(names.length).toBeGreaterThan(40);
  expect(new Set(names).size).toBe(names.length);
  // A second type of the same title gets a number.
  expect(names.filter((name) => /\d$/.test(name))).toEqual([]);
});
