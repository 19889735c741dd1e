import type { RequirementResult } from '../../specs/generated/types.ts';
import { outcomeOf, outcomes } from './verdict.ts';
import type { Outcome } from './verdict.ts';

/**
 * The section of a report that lists a requirement: its outcome, with `not-exercised` split into requirements that no
 * check can observe, those that this run omitted, and those for which the endpoint gave nothing to judge.
 */
export type Group = Outcome | 'unobservable' | 'not-selected';

/** All groups, most important first. */
export const groups: readonly Group[] = outcomes.flatMap((outcome): Group[] =>
  outcome === 'not-exercised' ? [outcome, 'unobservable', 'not-selected'] : [outcome],
);

/** The group of a requirement. */
export function groupOf(row: RequirementResult): Group {
  const outcome = outcomeOf(row);
  if (outcome !== 'not-exercised' || row.checks.length > 0) return outcome;
  if (row.notJudged === 'not-selected' || row.notJudged === 'other-shard') return 'not-selected';
  return row.unobservable === undefined ? outcome : 'unobservable';
}
