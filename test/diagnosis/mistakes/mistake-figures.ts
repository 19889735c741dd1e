import { mistakeGroups, type MistakeGroup } from './mistake.ts';
import type { MistakeResult } from './run-mistake.ts';

/** The result for each endpoint, by its name. */
export type MistakeFigures = Record<
  string,
  { group: MistakeGroup; verdict: MistakeResult['verdict']; deliveries: number; seconds: number }
>;

/** The best first. */
export const verdicts = ['correct', 'undetermined', 'partial', 'silent', 'wrong'] as const;

export const figuresFile = new URL('../mistake-figures.json', import.meta.url);

const [begin, end] = ['<!-- figures of mistakes: node test/diagnosis/mistakes-proof.ts --write -->', '<!-- end -->'];

/** The page with the table of these figures between its marks. Throws TypeError for a page without marks. */
export function withMistakeFigures(page: string, figures: MistakeFigures): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  if (from < 0 || to < from) throw new TypeError('The page has no place for figures.');
  return `${page.slice(0, from + begin.length)}\n\n${table(figures)}\n\n${page.slice(to)}`;
}

function table(figures: MistakeFigures): string {
  const all = Object.values(figures);
  const row = (label: string, some: typeof all) => [
    label,
    some.length,
    ...verdicts.map((wanted) => some.filter(({ verdict }) => verdict === wanted).length),
    spread(some.map(({ deliveries }) => deliveries)),
    spread(some.map(({ seconds }) => Math.round(seconds * 10) / 10)),
  ];
  const groups = Object.entries(mistakeGroups).map(([name, label]) =>
    row(
      label,
      all.filter(({ group }) => group === name),
    ),
  );
  const titles = [
    'endpoint',
    'count',
    ...verdicts.map((one) => (one === 'wrong' ? 'incorrect' : one === 'silent' ? 'no cause' : one)),
    'deliveries',
    'seconds',
  ];
  const mistakes = all.filter(({ group }) => group !== 'right');
  const rows = [titles, ...groups, row('all with a mistake', mistakes), row('all', all)].map((cells) =>
    cells.map(String),
  );
  const widths = titles.map((_, at) => Math.max(...rows.map((cells) => cells[at]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n');
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  return `${sorted[Math.floor((sorted.length - 1) / 2)] ?? 0} / ${sorted.at(-1) ?? 0}`;
}
