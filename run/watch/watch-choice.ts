import type { Report } from '../../specs/generated/types.ts';

/** What the next run of `--watch` checks, by the reports so far. */
export interface WatchChoice {
  /** Ids of checks; empty for everything. */
  only: string[];
  /** Whether everything that failed passes now. */
  isFixed: boolean;
}

/**
 * Chooses what is re-run: what failed; once that passes, everything if something could not be judged before, and
 * otherwise what failed at first.
 *
 * @param first the report of all checks
 * @param latest the report of the latest run
 */
export function watchChoice(first: Report, latest: Report): WatchChoice {
  const failed = failedChecks(latest);
  if (failed.length > 0) return { only: failed, isFixed: false };
  const isOpen = [first, latest].some(({ checks }) => checks.some(({ verdict }) => verdict === 'blocked'));
  return { only: isOpen ? [] : failedChecks(first), isFixed: !isOpen };
}

/** What an endpoint requested shows only in a run of everything. */
function failedChecks({ checks }: Report): string[] {
  const failed = checks.filter(({ verdict, source }) => verdict === 'fail' && source !== 'observed');
  return failed.map(({ id }) => id);
}
