import type { Figures } from './figures.ts';
import type { SchemeGroup } from './every-scheme.ts';

const [begin, end] = ['<!-- figures of signatures: node test/diagnosis/schemes-proof.ts --write -->', '<!-- end -->'];

/** What endpoints of a group have. */
const groupWords: Record<SchemeGroup, string> = {
  singles: 'one mistake in how signatures are made',
  clock: 'a clock or a time limit that is off',
  careless: 'wrong signatures are let through',
  composites: 'two mistakes at once',
  unknown: 'a scheme that is in no list',
  right: 'nothing wrong, and something unusual',
};

/** The figures as a table of Markdown. Of the last two groups, right means that nothing was named. */
export function figuresTable({ groups }: Figures): string {
  const rows = (Object.keys(groupWords) as SchemeGroup[]).flatMap((name) => {
    const group = groups[name];
    if (!group) return [];
    const { endpoints, right, partly, none, wrong, deliveries, seconds } = group;
    const spread = [deliveries, seconds].map(({ median, worst }) => `${median} / ${worst}`);
    return [[groupWords[name], endpoints, right, partly, none, wrong, ...spread].map(String)];
  });
  const titles = ['the endpoint has', 'endpoints', 'right', 'in part', 'not told', 'wrong', 'deliveries', 'seconds'];
  const all = [titles, ...rows];
  const widths = titles.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...all.slice(1).map(line)].join('\n');
}

/** A page with these figures between its marks. Throws TypeError for a page without them. */
export function withFigures(page: string, figures: Figures): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new TypeError('The page has no place for figures.');
  return `${page.slice(0, from + begin.length)}\n\n${figuresTable(figures)}\n\n${page.slice(to)}`;
}
