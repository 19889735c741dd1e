import type { Report, Waiver, WaiverResult } from '../../specs/generated/types.ts';
import { isCutBySelection, isWholePass } from './whole-pass.ts';

export interface WaiverOptions {
  /** The day in UTC, as `2026-10-12`; a waiver counts to the end of its last day. */
  readonly today: string;
  /** Only a recorded counterexample was sent again, so a pass does not cover the rest. */
  readonly isReplay?: boolean | undefined;
}

/**
 * The state of each waiver in this run. When its requirement passes only in part, it is `not-judged`: the excused failure
 * may be in the other part. After its last day it is `expired` even then, unless the selection excluded its requirement:
 * a waiver of a requirement that is never judged must not stay unnoticed.
 */
export function judgeWaivers(
  report: Report,
  waivers: readonly Waiver[],
  { today, isReplay = false }: WaiverOptions,
): WaiverResult[] {
  const rows = new Map(report.requirements.map((row) => [row.id, row]));
  return waivers.map(({ requirement, reason, until }) => {
    const row = rows.get(requirement);
    return { requirement, reason, until, state: stateOf() };

    function stateOf(): WaiverResult['state'] {
      if (row?.verdict === 'fail') return isInForce({ until }, today) ? 'applied' : 'expired';
      if (row && !isReplay && isWholePass(report, row)) return 'passes';
      const isExcused = isInForce({ until }, today) || isReplay || isCutBySelection(report, requirement);
      return isExcused ? 'not-judged' : 'expired';
    }
  });
}

/** Whether a waiver still counts on that day (UTC, `2026-10-12`). */
export function isInForce({ until }: Pick<Waiver, 'until'>, today: string): boolean {
  return today <= until;
}
