import { formatNames } from '../../reports/text/format-names.ts';
import { renderFormats } from '../../reports/write/formats.ts';
import type { Row } from '../row.ts';
import { sizedReport } from '../sized-report.ts';

const exchanges = 1_000;

export const rows: readonly Row[] = [
  {
    name: 'report-formats',
    what: `all formats of a report with ${exchanges} exchanges`,
    unit: 'ms',
    better: 'less',
    goal: 500,
    run: async (compare) => {
      const report = sizedReport(exchanges, 60);
      await compare(
        () => timeOf(() => renderFormats(report, formatNames)),
        [{ name: 'JSON.stringify', measure: () => timeOf(() => JSON.stringify(report, undefined, 2)) }],
      );
    },
  },
];

function timeOf(work: () => unknown): Promise<number> {
  const from = performance.now();
  work();
  return Promise.resolve(performance.now() - from);
}
