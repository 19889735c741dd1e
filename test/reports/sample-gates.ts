import { buildReport, type Catalogue, type RunRecord } from '../../reports/model/build-report.ts';
import type { CheckResult, Level, Report, Selection, Verdict } from '../../specs/generated/types.ts';
import { cleanRun } from './sample-report.ts';

/** A requirement of a sample report: its verdict, or the verdict of each of its checks by slug. */
export interface SampleRow {
  readonly level?: Level;
  readonly verdict?: Verdict;
  readonly checks?: Readonly<Record<string, Verdict>>;
  readonly statement?: string;
  readonly message?: string;
}

export interface SampleRun {
  readonly run?: Partial<RunRecord>;
  readonly selection?: Selection;
}

/** A report whose catalogue contains only these requirements; names without a surface get the prefix `own-ai-chat/`. */
export function reportOf(
  rows: Readonly<Record<string, SampleRow | Verdict>>,
  { run, selection }: SampleRun = {},
): Report {
  const entries = Object.entries(rows).map(([name, row]): [string, SampleRow] => [
    idOf(name),
    typeof row === 'string' ? { verdict: row } : row,
  ]);
  const catalogue: Catalogue = Object.fromEntries(
    entries.map(([id, { level = 'must', statement = `${id} holds.` }]) => [
      id,
      { section: 'Some section', level, statement, remediation: 'Fix it.' },
    ]),
  );
  return buildReport(
    {
      ...cleanRun,
      configured: [...new Set(entries.map(([id]) => id.split('/', 1)[0] as RunRecord['configured'][number]))],
      target: { 'own-ai-chat': { url: 'https://a.example/chat' } },
      checks: entries.flatMap(([id, row]) => checksOf(id, row)),
      exchanges: [],
      timings: [],
      selection,
      ...run,
    },
    catalogue,
  );
}

/** The id for a name of a sample report. */
export function idOf(name: string): string {
  return name.includes('/') ? name : `own-ai-chat/${name}`;
}

function checksOf(id: string, { level = 'must', verdict, checks, message }: SampleRow): CheckResult[] {
  const given = checks ?? (verdict === undefined ? {} : { check: verdict });
  return Object.entries(given).map(([slug, one]) => ({
    id: `${id}#${slug}`,
    requirement: id,
    surface: id.split('/', 1)[0] ?? id,
    title: slug,
    ...(slug.startsWith('contract-') && { source: 'contract' as const }),
    level,
    verdict: one,
    durationMs: 1,
    ...(one !== 'pass' && { message: message ?? `${one} of ${id}` }),
    evidence: [],
  }));
}
