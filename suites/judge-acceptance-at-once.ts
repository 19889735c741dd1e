import type { CheckKit } from '../harness/checks/check.ts';
import { HarnessFault, NotExercised } from '../harness/checks/faults.ts';
import type { Observation } from '../harness/wire/observation.ts';
import { toBeAccepted } from './matchers/answer-matchers.ts';
import { isSuccess } from '../harness/wire/answer-status.ts';
import { conclude, expect } from './matchers/expect.ts';

/** Why deliveries at the same moment say nothing about their acceptance. */
export const someUnanswered = 'Not every one of the deliveries at the same moment got an answer that can be judged.';

/** Deliveries that are sent alone, to find out whether only those at the same moment fail. */
const aloneAtMost = 2;
/** Milliseconds of an answer from which that would take too long for a hint. */
const slowMs = 2_000;

const stateHint =
  'Deliveries alone are accepted. Keep everything that belongs to a delivery with its request, not in a variable that requests share, and let it wait for a lock instead of failing on it.';

/** Answers of a limit per second or per minute, which the run may have used up. */
const busyStatuses: readonly number[] = [429, 503];

/**
 * Judges whether deliveries at the same moment were accepted. Those without an answer, and those that a limit may have
 * refused, are not judged: unless one of the others failed, the check is not exercised then.
 *
 * @param sendAlone sends one more, to find out whether it is accepted alone
 * @param isLimited whether a limit may be the reason; default: 429, 503, and what was sent again after a pause
 */
export async function judgeAcceptanceAtOnce(
  kit: CheckKit,
  deliveries: readonly Observation[],
  sendAlone: () => Promise<Observation>,
  isLimited = mayBeLimited,
): Promise<void> {
  const judged = deliveries.filter((one) => one.answer.outcome !== 'no-answer' && !isLimited(one));
  const failed = judged.find((one) => toBeAccepted(one));
  if (failed) {
    const finding = toBeAccepted(failed);
    const isAccepted = await areAcceptedAlone(kit, judged, sendAlone);
    return conclude(failed, finding && { ...finding, ...(isAccepted && { hint: stateHint }) });
  }
  if (judged.length < deliveries.length) throw new NotExercised(someUnanswered, { mayBeOfTraffic: true });
  for (const answer of judged) conclude(answer, undefined);
}

function mayBeLimited({ answer, wasPaused }: Observation): boolean {
  return wasPaused === true || (answer.outcome === 'answered' && busyStatuses.includes(answer.status));
}

/** Whether deliveries are accepted one after the other; `false` if that is not known, since it is only for a hint. */
async function areAcceptedAlone(
  { session }: CheckKit,
  judged: readonly Observation[],
  sendAlone: () => Promise<Observation>,
): Promise<boolean> {
  if (session.limits.isActive || judged.some(({ times }) => (times.totalMs ?? 0) > slowMs)) return false;
  try {
    for (let at = 0; at < aloneAtMost; at++) if (toBeAccepted(await sendAlone())) return false;
    return true;
  } catch (error) {
    if (error instanceof HarnessFault) return false;
    throw error;
  }
}

/** Judges the times of deliveries at the same moment. Not exercised if some were refused, which is quick, and no other one is late. */
export function judgeTimesAtOnce(deliveries: readonly Observation[]): void {
  const isRefused = ({ answer }: Observation) => answer.outcome === 'answered' && !isSuccess(answer.status);
  for (const one of deliveries) if (!isRefused(one)) expect(one).toBeInTime();
  const refused = deliveries.filter(isRefused).length;
  if (refused === 0) return;
  const why = `${refused} of ${deliveries.length} were refused, so not all of them were handled at once.`;
  throw new NotExercised(why, { mayBeOfTraffic: true });
}
