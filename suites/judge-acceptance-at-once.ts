import type { CheckKit } from '../harness/checks/check.ts';
import type { Observation } from '../harness/wire/observation.ts';
import { toBeAccepted } from './matchers/answer-matchers.ts';
import { conclude } from './matchers/expect.ts';

/** Why deliveries at the same moment say nothing about their acceptance. */
export const someUnanswered = 'Not every one of the deliveries at the same moment got an answer that can be judged.';

const stateHint =
  'Each of several deliveries alone is accepted. Keep the raw body and all state of a delivery with its request, not in a variable that requests share.';

/**
 * Judges whether deliveries at the same moment were accepted. An answer that is missing or requests a pause is not one of
 * `judged`.
 *
 * @param count number of deliveries
 * @param sendAlone sends one more, to find out whether it is accepted alone
 */
export async function judgeAcceptanceAtOnce(
  kit: CheckKit,
  judged: readonly Observation[],
  count: number,
  sendAlone: () => Promise<Observation>,
): Promise<void> {
  const failed = judged.find((one) => toBeAccepted(one));
  if (failed) {
    const finding = toBeAccepted(failed);
    const isAccepted = await areAcceptedAlone(count, sendAlone);
    return conclude(failed, finding && { ...finding, ...(isAccepted && { hint: stateHint }) });
  }
  if (judged.length < count) kit.notExercised(someUnanswered);
  for (const answer of judged) conclude(answer, undefined);
}

/** Whether as many deliveries as were sent at once are accepted one after the other. */
async function areAcceptedAlone(count: number, sendAlone: () => Promise<Observation>): Promise<boolean> {
  for (let at = 0; at < count; at++) if (toBeAccepted(await sendAlone())) return false;
  return true;
}
