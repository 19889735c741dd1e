import type { CheckKit } from '../../harness/checks/check.ts';
import { HarnessFault, NotExercised } from '../../harness/checks/faults.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { Session } from '../../harness/checks/session.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { quoted } from '../matchers/call-matchers.ts';
import { once } from '../once.ts';
import { isPartOf } from './speech.ts';

/** Milliseconds of silence during which a silent caller would hear the speech of other calls. */
export const listenMs = 250;

type Kit = Pick<CheckKit, 'session' | 'phone' | 'sample'>;

/** What callers who say nothing heard when another one spoke. */
export interface SilentCallers {
  silent: { observation: CallObservation; heard: string; finding: Finding | undefined }[];
  speaking: CallObservation;
}

/**
 * Three calls at once, in the second of which the caller says the plain sentence; held once in a run.
 *
 * @param plain what the AI is known to answer: once a silent caller hears that, nothing more is awaited
 */
export function silentCallers(kit: Kit, plain: string): Promise<SilentCallers> {
  return once(kit.session, 'phone silent callers', () => holdSilentCallers(kit, plain));
}

async function holdSilentCallers({ phone, sample }: Kit, plain: string): Promise<SilentCallers> {
  return await phone.holdSeveral(3, async (dial) => {
    // Before and after the caller who speaks: an endpoint that keeps one connection for all calls keeps the first
    // or the latest.
    const begin = (label: string) => dial({ label, started: sample.callerToCompare() });
    const before = await begin('a silent call, begun before one in which the caller speaks');
    const speaking = await begin('a call between two silent ones');
    const after = await begin('a silent call, begun after one in which the caller speaks');
    const silent = [before, after].map((call) => ({ call, since: call.length - 1 }));
    const asked = speaking.speak(sample.callerSentence);
    const answered = speaking.answer(asked);
    answered.catch(() => undefined);
    const observe = async (): Promise<SilentCallers> => {
      await speaking.settle(listenMs);
      const answer = speaking.heardSince(asked) || plain;
      return {
        silent: silent.map(({ call, since }) => ({
          observation: call.observation,
          heard: call.heardSince(since),
          finding: unpromptedSpeech({ call, since }, answer),
        })),
        speaking: speaking.observation,
      };
    };
    await Promise.race([answered, someHears(silent, plain)]);
    const early = await observe();
    if (early.silent.some(({ finding }) => finding)) return early;
    await answered;
    return await observe();
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
 * wait in vain for their answers. A check judges it, and also what ended these calls.
 */
export async function limitMixedUpCalls(kit: Kit, plain: string): Promise<void> {
  const { phone, session } = kit;
  if (!phone.acceptsConcurrentCalls) return;
  const areMixedUp = ({ silent }: SilentCallers) =>
    silent.some(({ finding, heard }) => finding !== undefined && isPartOf(plain, heard));
  try {
    if (!areMixedUp(await silentCallers(kit, plain)) || !areMixedUp(await holdSilentCallers(kit, plain))) return;
  } catch (error) {
    if (error instanceof NotExercised || error instanceof HarnessFault) return;
    throw error;
  }
  mixedUp.add(session);
  phone.limitToOneCall();
}
