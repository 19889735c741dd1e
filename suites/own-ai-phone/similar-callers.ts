import type { CheckKit } from '../../harness/checks/check.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { HoldOptions } from '../../harness/wire/phone-driver.ts';
import type { SessionStarted } from '../../specs/generated/types.ts';
import { talk } from './effective-call.ts';

/** How to distinguish calls of one contact. */
export const similarCallsHint =
  'Recognise a call by its callId (X-Svc-Call-Id) alone, not by contact, project, number or sentence.';
/** Reason why calls at once are not judged. */
export const oneCallReason = 'Calls at once are refused or mixed up, which is reported elsewhere.';

/** What the calls of one contact in one project have in common. */
export function similarTo({ sample }: CheckKit): Partial<SessionStarted> {
  const { contact, from, projectId } = sample.sessionStarted();
  return { contact, from, projectId };
}

/** Two calls at once, in each of which the same sentence is said at the same moment. */
export async function holdCallsAtOnce(
  kit: CheckKit,
  [ofFirst, ofSecond]: readonly [Partial<SessionStarted>, Partial<SessionStarted>],
): Promise<CallObservation[]> {
  const neverAnswers = (await kit.phone.silentCall()) !== undefined;
  return await kit.phone.holdSeveral(2, async (dial) => {
    const first = await dial({ label: 'one of two calls at once', started: ofFirst, needsNoAnswer: neverAnswers });
    const second = await dialAlongside(kit, dial, {
      label: 'the other of two calls at once',
      started: ofSecond,
      needsNoAnswer: neverAnswers,
    });
    return await Promise.all([first, second].map((held) => talk(held, kit.sample.callerSentence, neverAnswers)));
  });
}

/** Dials a second call. How many calls an endpoint accepts is not stated, so it may also refuse one of the same number. */
async function dialAlongside(
  { notExercised }: CheckKit,
  dial: (options: HoldOptions) => Promise<Call>,
  options: HoldOptions,
): Promise<Call> {
  try {
    return await dial(options);
  } catch (error) {
    if (!(error instanceof HarnessFault) || error.code !== 'control-failed') throw error;
    return notExercised('The endpoint accepted no second call of this number alongside the first one.');
  }
}
