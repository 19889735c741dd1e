import { openExample } from '../check-run.ts';
import { chainAndVitest, waitsOfExample } from '../forced-waits.ts';
import type { Row } from '../row.ts';

export const rows: readonly Row[] = [
  {
    name: 'full-check',
    what: 'check of the example, six surfaces, default settings',
    unit: 's',
    better: 'less',
    goal: 10,
    rounds: 3,
    run: async (compare) => {
      await using example = await openExample();
      await compare(
        async () => (await example.check()).seconds,
        [
          {
            name: 'longest forced chain, empty Vitest',
            goal: { ratio: 1.3 },
            measure: chainAndVitest(waitsOfExample),
          },
        ],
      );
    },
  },
  {
    name: 'full-check-memory',
    what: 'peak memory of a check of the example',
    unit: 'MB',
    better: 'less',
    goal: 250,
    rounds: 3,
    run: async (compare) => {
      await using example = await openExample();
      await compare(async () => (await example.check()).megabytes, []);
    },
  },
];
