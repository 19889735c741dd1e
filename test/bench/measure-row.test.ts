import { describe, expect, it } from 'vitest';
import { formatResult } from '../../bench/format-result.ts';
import { measureRow } from '../../bench/measure-row.ts';
import { updatedRows } from '../../bench/results.ts';
import { RowSkipped, type Baseline, type MissingBaseline, type Row } from '../../bench/row.ts';

/** A measure that returns these figures in turn. */
function figures(...values: number[]): () => Promise<number> {
  let at = 0;
  return () => Promise.resolve(values[at++ % values.length] ?? NaN);
}

function row(
  ours: () => Promise<number>,
  baselines: readonly (Baseline | MissingBaseline)[],
  over: Partial<Row> = {},
): Row {
  return {
    name: 'sample',
    what: 'a sample',
    unit: 'ms',
    better: 'less',
    rounds: 3,
    run: (compare) => compare(ours, baselines),
    ...over,
  };
}

describe('a measured row', () => {
  it('compares medians, and omits the first measurement of each side', async () => {
    const { ours, baselines } = await measureRow(
      row(figures(900, 30, 10, 20), [{ name: 'bare', measure: figures(900, 5, 20, 10) }]),
    );
    expect(ours).toEqual({ min: 10, median: 20, max: 30 });
    expect(baselines).toEqual([{ name: 'bare', figures: { min: 5, median: 10, max: 20 }, ratio: 2 }]);
  });

  it('measures both sides alternately', async () => {
    const order: string[] = [];
    const noted = (name: string) => () => Promise.resolve(order.push(name));
    await measureRow(row(noted('ours'), [{ name: 'bare', measure: noted('bare') }], { rounds: 2 }));
    expect(order).toEqual(['ours', 'bare', 'ours', 'bare', 'ours', 'bare']);
  });

  it.each([
    { better: 'less', goal: { ratio: 1.5 }, ours: 15, isMet: true },
    { better: 'less', goal: { ratio: 1.5 }, ours: 16, isMet: false },
    { better: 'more', goal: { ratio: 0.7 }, ours: 7, isMet: true },
    { better: 'more', goal: { ratio: 0.7 }, ours: 6, isMet: false },
    { better: 'less', goal: { more: 5 }, ours: 15, isMet: true },
    { better: 'less', goal: { more: 5 }, ours: 16, isMet: false },
  ] as const)(
    'meets the goal $goal with $ours of 10 where $better is better: $isMet',
    async ({ ours, goal, ...of }) => {
      const result = await measureRow(
        row(figures(ours), [{ name: 'bare', goal, measure: figures(10) }], { better: of.better }),
      );
      expect(result.baselines[0]?.isMet).toBe(of.isMet);
      expect(formatResult(result)).toContain(of.isMet ? ': met' : ': missed');
    },
  );

  it('has a goal for our figure alone', async () => {
    expect(await measureRow(row(figures(10), [], { goal: 10 }))).toMatchObject({ isMet: true });
    expect(await measureRow(row(figures(11), [], { goal: 10 }))).toMatchObject({ isMet: false });
  });

  it('is compared with the baselines that could be measured', async () => {
    const result = await measureRow(
      row(figures(10), [
        { name: 'missing', skipped: 'not installed' },
        { name: 'bare', measure: figures(20) },
      ]),
    );
    expect(result.baselines).toMatchObject([{ skipped: 'not installed' }, { ratio: 0.5 }]);
    expect(formatResult(result)).toContain('skipped: not installed');
  });

  it('shows why it could not be measured', async () => {
    const skip = { run: () => Promise.reject(new RowSkipped('there is no browser')) };
    const result = await measureRow(row(figures(1), [], skip));
    expect(result).toMatchObject({ skipped: 'there is no browser', baselines: [] });
    expect(formatResult(result)).toContain('there is no browser');
  });

  it.each([
    ['a measurement that throws', () => Promise.reject(new Error('no answer')), 'no answer'],
    ['a figure that is not a number', () => Promise.resolve(NaN), 'received NaN'],
  ])('reports %s as failed', async (_, measure, reason) => {
    const result = await measureRow(row(measure, []));
    expect(result.failed).toContain(reason);
    expect(formatResult(result)).toContain(`failed: `);
  });
});

describe('recorded rows', () => {
  it('keep earlier figures where a row failed or was not measured', async () => {
    const named = async (name: string, measure: () => Promise<number>) => measureRow(row(measure, [], { name }));
    const earlier = [await named('a', figures(1)), await named('b', figures(1)), await named('removed', figures(1))];
    const measured = [
      await named('a', figures(2)),
      await named('b', () => Promise.reject(new Error('no answer'))),
      await named('d', figures(2)),
    ];
    const names = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
    const rows = updatedRows(earlier, measured, names);
    expect(rows.map(({ name, ours }) => [name, ours?.median])).toEqual([
      ['a', 2],
      ['b', 1],
      ['d', 2],
    ]);
  });
});
