import type { Report, Waiver, WaiverResult } from '../../specs/types.ts';
import { isCutBySelection, isWholePass } from './whole-pass.ts';

/** When waivers are judged, and by what kind of run. */
export interface WaiverOptions {
  /** The day in UTC, as `2026-10-12`; a waiver counts to the end of its last day. */
  readonly today: string;
  /** Only a recorded counterexample was sent again, so that a pass says nothing of the rest. */
  readonly isReplay?: boolean | undefined;
}

/**
 * What each waiver is worth in this run. One whose requirement passes only in part is `not-judged`: what it excuses may
 * be in the part that was not seen. One that is over is `expired` all the same, unless the selection left its requirement
 * out: it must not rest unseen where nothing ever judges it.
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
