import type { CheckResult, Report } from '../../specs/generated/types.ts';

/** The checks of the next run of `--watch`, by the reports so far. */
export interface WatchChoice {
  /** Ids of checks; empty for everything. */
  only: string[];
  /** Whether everything that failed passes now. */
  isFixed: boolean;
}

/**
 * Chooses what is re-run: all that failed at first, and once nothing of it fails, everything if the first run left
 * something unjudged, or had a failure that only a run of everything shows.
 *
 * @param first the report of all checks
 * @param latest the report of the latest run
 */
export function watchChoice(first: Report, latest: Report): WatchChoice {
  const failed = failedChecks(first);
  const only = failed.filter(isRepeatable).map(({ id }) => id);
  if (failedChecks(latest).some(isRepeatable)) return { only, isFixed: false };
  const passed = latest.checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  const isBlocked = [first, latest].some(({ checks }) => checks.some(({ verdict }) => verdict === 'blocked'));
  const isOpen = isBlocked || first.selection?.stopped !== undefined || !failed.every(isRepeatable);
  return { only: isOpen ? [] : only, isFixed: !isOpen && failed.every(({ id }) => passed.includes(id)) };
}

/** Whether everything is run without waiting: all that could be re-run alone passes now, and more is left to judge. */
export function isDue(first: Report, latest: Report): boolean {
  const isRerun = latest !== first && latest.checks.every(({ verdict }) => verdict === 'pass');
  return isRerun && watchChoice(first, latest).only.length === 0;
}

function failedChecks({ checks }: Report): CheckResult[] {
  return checks.filter(({ verdict }) => verdict === 'fail');
}

/** Whether the check can be repeated alone: requests of the endpoint occur only in a run of everything. */
function isRepeatable({ source }: CheckResult): boolean {
  return source !== 'observed';
}
