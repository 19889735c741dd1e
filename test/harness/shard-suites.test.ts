import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { lastSuites, shardOf } from '../../harness/checks/shard-suites.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const suites: string[] = [];
for await (const file of glob('suites/*/*.suite.ts', { cwd: root })) suites.push(file);
suites.sort();

const surfaceOf = (file: string) => file.split('/')[1] ?? '';
const every = (of: number, files: readonly string[] = suites) =>
  Array.from({ length: of }, (_, at) => shardOf(files, { index: at + 1, of }));

describe('a shard', () => {
  it('alone is everything, in its order', () => {
    expect(suites.length).toBeGreaterThan(30);
    expect(shardOf(suites, { index: 1, of: 1 })).toEqual(suites);
  });

  it('together with the others is everything, and no suite runs twice but those that judge whole runs', () => {
    for (const count of [2, 3, 4, 7, 12]) {
      const shards = every(count);
      expect(new Set(shards.flat())).toEqual(new Set(suites));
      const plain = shards.flat().filter((file) => !lastSuites.test(file));
      expect(plain).toHaveLength(new Set(plain).size);
      for (const shard of shards) expect(shard.some((file) => !lastSuites.test(file))).toBe(true);
    }
  });

  it('judges whole runs of exactly the surfaces of which it runs something else', () => {
    for (const shard of every(4)) {
      const surfaces = new Set(shard.filter((file) => !lastSuites.test(file)).map(surfaceOf));
      const last = suites.filter((file) => lastSuites.test(file) && surfaces.has(surfaceOf(file)));
      expect(shard.filter((file) => lastSuites.test(file))).toEqual(last);
    }
  });

  it('has the client, and the links, whole or not at all', () => {
    for (const surface of ['api-client', 'deep-links']) {
      const all = suites.filter((file) => surfaceOf(file) === surface);
      const counts = every(4).map((shard) => shard.filter((file) => surfaceOf(file) === surface).length);
      expect(counts.toSorted()).toEqual([0, 0, 0, all.length].toSorted());
    }
  });

  it('has one of the four long suites of generated events', () => {
    for (const shard of every(4)) expect(shard.filter((file) => /\/any-[a-z]+\./.test(file))).toHaveLength(1);
  });

  it('does not depend on the order in which the files are found', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(suites, { minLength: suites.length }), (shuffled) => {
        const shards = every(4);
        expect(every(4, shuffled).map((shard) => shard.toSorted())).toEqual(shards.map((shard) => shard.toSorted()));
      }),
      { numRuns: 20 },
    );
  });

  it('finds its share in compiled suites below any directory too', () => {
    const compiled = suites.map((file) => `/opt/app/node_modules/svc-conform/dist/${file.replace(/ts$/, 'js')}`);
    expect(every(4, compiled).map((shard) => shard.length)).toEqual(every(4).map((shard) => shard.length));
  });

  it('of more shards than there is to share is refused, with how many there can be', () => {
    const links = suites.filter((file) => surfaceOf(file) === 'deep-links');
    expect(() => shardOf(links, { index: 2, of: 4 })).toThrow(HarnessFault);
    expect(() => shardOf(links, { index: 2, of: 4 })).toThrow(
      '--shard 2/4: the selection can be split into at most 1 shards; use --shard 1/1.',
    );
  });
});
