import type { BaselineResult, Figures, RowResult } from './measure-row.ts';

/** A measured row for the terminal. */
export function formatResult(row: RowResult): string {
  const lines = [`${row.name}: ${row.what}`];
  if (row.failed !== undefined) return [...lines, `  failed: ${row.failed}`].join('\n');
  if (row.skipped !== undefined) return [...lines, `  skipped: ${row.skipped}`].join('\n');
  if (row.ours) lines.push(line('ours', formatFigures(row.ours, row.unit), formatOwnGoal(row)));
  for (const one of row.baselines) {
    const shown = one.figures ? formatFigures(one.figures, row.unit) : `skipped: ${one.skipped}`;
    lines.push(line(one.name, shown, [formatRatio(one), formatGoal(one, row)].filter(Boolean).join(', ')));
  }
  return lines.join('\n');
}

function line(name: string, figures: string, verdict: string): string {
  return `  ${name.padEnd(34)} ${figures}${verdict === '' ? '' : `  ${verdict}`}`;
}

/** Median, and in brackets the smallest and the largest figure if there are several. */
export function formatFigures({ min, median, max }: Figures, unit: string): string {
  if (min === max) return `${formatNumber(median)} ${unit}`;
  return `${formatNumber(median)} ${unit} (${formatNumber(min)} to ${formatNumber(max)})`;
}

export function formatRatio({ ratio }: BaselineResult): string {
  return ratio === undefined ? '' : `ratio ${formatNumber(ratio)}`;
}

/** The goal that compares us with a baseline, and whether it is met; empty without a goal. */
export function formatGoal({ goal, isMet }: BaselineResult, { better, unit }: RowResult): string {
  if (!goal) return '';
  const bound = better === 'less' ? 'at most' : 'at least';
  const limit = 'ratio' in goal ? `${bound} ${goal.ratio} times` : `at most ${goal.more} ${unit} more`;
  return `goal ${limit}${formatVerdict(isMet)}`;
}

/** The limit of our own median, and whether it is met; empty without one. */
export function formatOwnGoal({ goal, isMet, better, unit }: RowResult): string {
  if (goal === undefined) return '';
  return `goal ${better === 'less' ? 'at most' : 'at least'} ${goal} ${unit}${formatVerdict(isMet)}`;
}

function formatVerdict(isMet: boolean | undefined): string {
  return isMet === undefined ? '' : isMet ? ': met' : ': missed';
}

/** Three significant digits. */
export function formatNumber(value: number): string {
  if (Math.abs(value) >= 1000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}
