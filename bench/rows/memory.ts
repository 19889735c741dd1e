import { openExample } from '../check-run.ts';
import type { Row } from '../row.ts';
import { runProcess } from '../start-process.ts';

/** Most that ten times as much may need: a part of it is garbage that V8 has not collected. */
const flat = 1.15;
const runs = 1_000;
const exchanges = 100_000;

export const rows: readonly Row[] = [
  {
    name: 'memory-thorough',
    what: `peak memory of a check of the chat with --thorough, which sends ${runs} generated events of each property`,
    unit: 'MB',
    better: 'less',
    rounds: 1,
    run: async (compare) => {
      await using example = await openExample();
      const peak = async (...flags: string[]) => (await example.check('--surface', 'own-ai-chat', ...flags)).megabytes;
      await compare(
        () => peak('--thorough'),
        [{ name: 'a tenth of the events', goal: { ratio: flat }, measure: () => peak('--runs', String(runs / 10)) }],
      );
    },
  },
  {
    name: 'memory-report',
    what: `peak memory of a process that writes a report of ${exchanges.toLocaleString('en-US')} exchanges`,
    unit: 'MB',
    better: 'less',
    goal: 400,
    rounds: 3,
    run: async (compare) => {
      const peak = (count: number) => runProcess<number>('report-writer.ts', String(count));
      await compare(() => peak(exchanges), [{ name: 'a tenth of the exchanges', measure: () => peak(exchanges / 10) }]);
    },
  },
];
