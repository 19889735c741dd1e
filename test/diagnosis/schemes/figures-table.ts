import type { FigureGroup, Figures } from './figures.ts';

const [begin, end] = ['<!-- figures of signatures: node test/diagnosis/schemes-proof.ts --write -->', '<!-- end -->'];

/** Label of each group of endpoints. */
const groupWords: Record<FigureGroup, string> = {
  singles: 'one mistake in the signature',
  usual: 'the same, without --thorough',
  clock: 'an incorrect clock or time limit',
  careless: 'accepts invalid signatures',
  composites: 'two mistakes at once',
  unknown: 'an unknown scheme',
  right: 'correct, but unusual',
};

/** The figures as a Markdown table. In the last two groups, a correct result names no cause. */
export function figuresTable({ groups }: Figures): string {
  const rows = (Object.keys(groupWords) as FigureGroup[]).flatMap((name) => {
    const group = groups[name];
    if (!group) return [];
    const { endpoints, right, partly, none, wrong, deliveries, seconds } = group;
    const spread = [deliveries, seconds].map(({ median, worst }) => `${median} / ${worst}`);
    return [[groupWords[name], endpoints, right, partly, none, wrong, ...spread].map(String)];
  });
  const titles = ['endpoint', 'count', 'correct', 'partial', 'no cause', 'incorrect', 'deliveries', 'seconds'];
  const all = [titles, ...rows];
  const widths = titles.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...all.slice(1).map(line)].join('\n');
}

/** The page with these figures between its marks. Throws TypeError for a page without marks. */
export function withFigures(page: string, figures: Figures): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new TypeError('The page has no place for figures.');
  return `${page.slice(0, from + begin.length)}\n\n${figuresTable(figures)}\n\n${page.slice(to)}`;
}
