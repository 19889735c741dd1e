import type { CheckKit } from '../../harness/checks/check.ts';
import { HarnessFault, NotExercised } from '../../harness/checks/faults.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { Session } from '../../harness/checks/session.ts';
import type { Call } from '../../harness/wire/call.ts';
import { quoted } from '../matchers/call-matchers.ts';
import { isPartOf } from './speech.ts';

/** Milliseconds of silence during which a silent caller would hear the speech of other calls. */
export const listenMs = 250;

/** A call that was judged, and the finding about it. */
interface Judged {
  call: Call;
  finding: Finding | undefined;
}

/**
 * Holds three calls at once, in the second of which the caller says the plain sentence, and passes each silent call to
 * `judge` with what it heard of another one, and then the speaking one.
 *
 * @param plain what the AI is known to answer: once a silent caller hears that, nothing more is awaited
 */
export async function holdSilentCallers(
  { phone, sample }: Pick<CheckKit, 'phone' | 'sample'>,
  plain: string,
  judge: (silent: Judged[], speaking: Call) => void,
): Promise<void> {
  await phone.holdSeveral(3, async (dial) => {
    // Before and after the caller who speaks: an endpoint that keeps one connection for all calls keeps the first
    // or the latest.
    const begin = (label: string) => dial({ label, started: sample.callerToCompare() });
    const before = await begin('a silent call, begun before one in which the caller speaks');
    const speaking = await begin('a call between two silent ones');
    const after = await begin('a silent call, begun after one in which the caller speaks');
    const silent = [before, after].map((call) => ({ call, since: call.length - 1 }));
    const asked = speaking.speak(sample.callerSentence);
    const answered = speaking.answer(asked);
    await Promise.race([answered, someHears(silent, plain)]);
    answered.catch(() => undefined);
    await speaking.settle(listenMs);
    const answer = speaking.heardSince(asked) || plain;
    judge(
      silent.map(({ call, since }) => ({ call, finding: unpromptedSpeech({ call, since }, answer) })),
      speaking,
    );
  });
}

/** A call in which nothing is said after the frame with this index. */
interface SilentCall {
  call: Call;
  since: number;
}

/** Resolves once a silent caller has heard part of this answer. */
function someHears(silent: readonly SilentCall[], plain: string): Promise<void> {
  return new Promise((resolve) => {
    for (const { call, since } of silent) {
      const listen = async () => {
        if (!(await call.firstPiece(since))) return;
        await call.settle(listenMs);
        if (isPartOf(plain, call.heardSince(since))) resolve();
      };
      void listen();
    }
  });
}

/** The part of another call's answer that a silent caller heard. */
function unpromptedSpeech({ call, since }: SilentCall, answer: string): Finding | undefined {
  const heard = call.heardSince(since);
  // An AI may ask whether the caller is still there, but must not send the answer to another call.
  if (heard === '' || (answer !== '' && !heard.includes(answer) && !answer.includes(heard))) return undefined;
  return {
    expected: 'nothing, since this caller has said nothing',
    received: `${quoted(heard)} when another caller spoke`,
    frame: call.observation.frames.findIndex(({ from }, at) => at > since && from === 'ai'),
    hint: 'Send each answer to the connection of its call, not to the latest or to all of them.',
  };
}

const mixedUp = new WeakSet<Session>();

/** Whether {@link limitMixedUpCalls} found that the AI mixes up calls. */
export function mixesUpCalls({ session }: Pick<CheckKit, 'session'>): boolean {
  return mixedUp.has(session);
}

/**
 * Limits the run to one call at a time if a silent caller hears the known answer to another one, twice: most calls would
 * wait in vain for their answers. A check judges it.
 */
export async function limitMixedUpCalls(
  kit: Pick<CheckKit, 'session' | 'phone' | 'sample'>,
  plain: string,
): Promise<void> {
  const areMixedUp = async () => {
    let found = false;
    await holdSilentCallers(kit, plain, (silent) => {
      found = silent.some(({ call, finding }) => finding !== undefined && isPartOf(plain, call.heardSince(0)));
    });
    return found;
  };
  try {
    if (!(await areMixedUp()) || !(await areMixedUp())) return;
  } catch (error) {
    if (error instanceof NotExercised || error instanceof HarnessFault) return;
    throw error;
  }
  mixedUp.add(kit.session);
  kit.phone.limitToOneCall();
}
