import type { FinishedCheck } from '../../harness/checks/engine.ts';
import type { CheckResult } from '../../specs/generated/types.ts';

/**
 * Whether a check that failed has nothing to judge any more because the endpoint now behaves in another way that the
 * interface permits: a delivery that it judged was sent again, and no check of the surface fails or is blocked that was
 * not so in the report. The requirement decides, not the recorded answer.
 *
 * @param labels of the deliveries that it judged in the report
 * @param now all checks of the surface, repeated
 * @param recorded the checks of the report
 */
export function behavesOtherwise(
  labels: readonly string[],
  now: readonly FinishedCheck[],
  recorded: readonly CheckResult[],
): boolean {
  const before = new Map(recorded.map(({ id, verdict }) => [id, verdict]));
  const isNew = ({ id, level, verdict }: FinishedCheck) =>
    level !== 'advice' && (verdict === 'fail' || verdict === 'blocked') && before.get(id) !== verdict;
  const isSent = now.some(({ evidence }) => evidence.some(({ label }) => labels.includes(label)));
  return isSent && now.some(({ verdict }) => verdict === 'pass') && !now.some(isNew);
}
