import type { Level, RunVerdict, Selection, Summary, Verdict } from '../../specs/generated/types.ts';

/** The effect of one requirement on the run: its verdict, with `fail` split by level. */
export type Outcome = 'fail' | 'blocked' | 'warn' | 'advice' | 'pass' | 'not-exercised' | 'not-applicable';

/** All outcomes in reading order, most important first. */
export const outcomes: readonly Outcome[] = [
  'fail',
  'blocked',
  'warn',
  'advice',
  'pass',
  'not-exercised',
  'not-applicable',
];

/** Exit code of a run that never started: wrong usage or config. */
export const usageExitCode = 2;

interface Judged {
  readonly level: Level;
  readonly verdict: Verdict;
}

const byWeight: readonly Verdict[] = ['fail', 'blocked', 'pass', 'not-exercised', 'not-applicable'];

const failing: Record<Level, Outcome> = { must: 'fail', should: 'warn', advice: 'advice' };

const summaryKeys: Record<Outcome, keyof Summary> = {
  pass: 'pass',
  fail: 'fail',
  warn: 'warn',
  advice: 'advice',
  blocked: 'blocked',
  'not-exercised': 'notExercised',
  'not-applicable': 'notApplicable',
};

/** Verdict of a requirement, from its checks. Without checks it is `not-exercised`. */
export function worstVerdict(verdicts: readonly Verdict[]): Verdict {
  return byWeight.find((verdict) => verdicts.includes(verdict)) ?? 'not-exercised';
}

/** The outcome of one requirement. */
export function outcomeOf({ level, verdict }: Judged): Outcome {
  return verdict === 'fail' ? failing[level] : verdict;
}

/** Requirements counted by outcome. */
export function summarise(rows: readonly Judged[]): Summary {
  const summary: Summary = { pass: 0, fail: 0, warn: 0, advice: 0, blocked: 0, notExercised: 0, notApplicable: 0 };
  for (const row of rows) summary[summaryKeys[outcomeOf(row)]] += 1;
  return summary;
}

/** Verdict of the run. A run in which nothing passed is `incomplete`, never conformant, and so is an interrupted one. */
export function runVerdict(summary: Summary, { stopped }: Selection = {}): RunVerdict {
  if (stopped === 'interrupted') return 'incomplete';
  if (summary.fail > 0) return 'non-conformant';
  if (summary.blocked > 0 || summary.pass === 0) return 'incomplete';
  return summary.warn > 0 ? 'conformant-with-warnings' : 'conformant';
}

/** Exit code of a finished run; see `usageExitCode` for one that could not start. */
export function exitCode(verdict: RunVerdict): 0 | 1 | 3 {
  if (verdict === 'non-conformant') return 1;
  return verdict === 'incomplete' ? 3 : 0;
}
