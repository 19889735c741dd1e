import type { CauseSearchOptions } from '../../diagnosis/add-causes.ts';
import { establishedCause, isBlockedByConnection, isDiagnosedFailure } from '../../diagnosis/probe-for.ts';
import type { CheckResult } from '../../specs/generated/types.ts';
import { diagnosisMs } from '../../harness/checks/time-budget.ts';
import type { CollectedRun } from '../collect/collect-run.ts';
import type { RunContext } from '../run-context.ts';

/** Maximum milliseconds for the causes of advice alone, which needs no fix. */
const longestForAdviceMs = 4_000;

/**
 * Searches for the causes of failed checks. Returns all checks, with the causes that were found.
 *
 * @param elapsedMs milliseconds of the run so far
 */
export async function diagnoseFailures(
  { settings: { config, seed, budgetMs, answeringBudgetMs = budgetMs ?? Infinity }, redact, output }: RunContext,
  run: CollectedRun,
  elapsedMs = 0,
): Promise<CheckResult[]> {
  const isWanted = (check: CheckResult) =>
    isDiagnosedFailure(check) || isBlockedByConnection(check) || establishedCause(check) !== undefined;
  const wanted = run.checks.filter(isWanted);
  if (wanted.length === 0) return run.checks;
  const isAdvice = wanted.every((check) => check.level === 'advice' && isDiagnosedFailure(check));
  const withinMs = Math.min(diagnosisMs(answeringBudgetMs, elapsedMs), isAdvice ? longestForAdviceMs : Infinity);
  const note = (text: string) => output.emit({ step: 'note', text });
  note(
    `Searching for the causes of the ${isAdvice ? 'advice' : 'failures'}, for at most ${Math.round(withinMs / 100) / 10} s; --no-diagnose skips this.`,
  );
  const checks = await withCauses(run, { config, seed, redact, withinMs, note });
  for (const { id, causes = [] } of checks) {
    for (const cause of causes) if (cause.certain) output.emit({ step: 'cause-found', check: id, cause: cause.id });
  }
  return checks;
}

/** Separate from the function with `using`, in which tsc (6.0) does not rewrite the specifier of a dynamic import. */
async function withCauses(run: CollectedRun, options: CauseSearchOptions): Promise<CheckResult[]> {
  try {
    const { addCauses } = await import('../../diagnosis/add-causes.ts');
    return await addCauses(run, options);
  } catch (error) {
    // The result of the run does not depend on the diagnosis.
    options.note?.(`The search for causes failed: ${String(error)}`);
    return run.checks;
  }
}
