import type { CheckKit } from '../../harness/checks/check.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { SessionStarted, SkillRefused } from '../../specs/generated/types.ts';
import { toBeAnswered, toStayUp } from '../matchers/call-matchers.ts';
import { conclude } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { holdUntilCertain, stoppedSpeech, type StoppedSpeech } from './late-speech.ts';
import { interruptGraceMs, overrunListenMs } from './speech.ts';
import { askUntilHeard, plainCall, requireAnswer, waitForTurn } from './talk.ts';

/** Why a takeover did not work out. */
export const takeoverReasons = ['no-answer', 'failed'] as const;
export type TakeoverReason = (typeof takeoverReasons)[number];

/** Faults of a call that the endpoint refuses. */
const refusals: readonly string[] = ['control-failed', 'target-throttles'];

/** A takeover that did not work out, from the call before it to the one in which the caller is back with the AI. */
export interface Takeover {
  before: StoppedSpeech;
  /** The call that comes back with the same call id; the fault with which it was refused. */
  same: CallObservation | HarnessFault;
  /** The call that continues: the same one, or one with another call id. */
  after: CallObservation;
}

/**
 * The team takes the call over and no one picks up: `session.ended`, whose connection stays open for a moment, then a
 * second upgrade of the same call with `resumed`. Whether that keeps the call id is not shown, so a call that does not
 * continue with the same id is repeated with another one.
 */
export function takeover(kit: CheckKit, reason: TakeoverReason): Promise<Takeover> {
  const { session, phone, sample, ids } = kit;
  return once(session, `phone takeover ${reason}`, async () => {
    await plainCall(kit);
    const { started, ...before } = await holdUntilCertain(kit, async () => {
      const startedAs = sample.sessionStarted();
      return await phone.hold({ label: 'a call that the team takes over', startedAs }, async (call) => {
        await requireAnswer(kit, call);
        const at = call.length;
        await call.end({ listenMs: interruptGraceMs + overrunListenMs });
        return { ...stoppedSpeech(call, at), started: startedAs };
      });
    });
    const resumed = { resumed: 'handover_failed', resumedAfter: failedForward(started, reason) };
    const resume = (callId: string) =>
      phone.hold(
        { label: `a call that comes back after ${reason}`, startedAs: { ...started, ...resumed, callId } },
        async (call) => {
          // The AI may speak by itself; what it says then is not an answer, even if it comes after the first sentence.
          await waitForTurn(call);
          for (let asked = 1; asked <= 2 && call.isUp; asked++) await askUntilHeard(kit, call);
          return call.observation;
        },
      );
    const same = await resume(started.callId).catch((error: unknown) => {
      // An endpoint may refuse a call id that it knows in any way, also as if it were busy.
      if (error instanceof HarnessFault && refusals.includes(error.code)) return error;
      throw error;
    });
    const after = !(same instanceof HarnessFault) && continues(same) ? same : await resume(ids.text());
    return { before, same, after };
  });
}

/**
 * Judges whether the caller is back with the AI under the same call id. A finding needs a call with another id that
 * continues after each takeover, while none with the same id does: a single silence may be intended.
 */
export async function judgeSameCallId(kit: CheckKit): Promise<void> {
  const takeovers: Takeover[] = [];
  for (const reason of takeoverReasons) takeovers.push(await takeover(kit, reason));
  const back = takeovers.find(({ same, after }) => same === after && continues(after));
  if (back) return conclude(back.after, undefined);
  if (takeovers.some(({ after }) => !continues(after)))
    return kit.notExercised('A call with another call id did not continue either; another check judges that.');
  for (const { before, same } of takeovers) {
    const finding = same instanceof HarnessFault ? refusedFinding(same) : (toStayUp(same) ?? toBeAnswered(same));
    if (!finding) return kit.notExercised('The endpoint was busy when the call came back.');
    conclude(same instanceof HarnessFault ? before.observation : same, {
      ...finding,
      expected: `${finding.expected}, in a call that comes back with the call id that it had`,
      received: `${finding.received}; the same call continued with another call id`,
      hint:
        same instanceof HarnessFault
          ? 'Accept a second connection with a known call id: the call may come back with the id that it had.'
          : 'Send answers on the latest connection of a call id, not on the first one.',
    });
  }
}

/** The finding about a refused call; `undefined` if the fault is another one. */
function refusedFinding({ data }: HarnessFault): Finding | undefined {
  if (data.name !== 'control-failed:call') return undefined;
  return { expected: 'the call to be accepted (status 101)', received: data.args.received };
}

/** The result of a failed takeover, with a forward that the call offers, where it offers one. */
export function failedForward({ skills }: SessionStarted, reason: TakeoverReason): SkillRefused {
  return { key: skills.find(({ kind }) => kind === 'forward')?.key ?? 'sales', ok: false, reason };
}

/** Whether the call stayed up, and its sentence, if the AI let it come to one, was answered. */
export function continues(call: CallObservation): boolean {
  return toStayUp(call) === undefined && (call.answers.length === 0 || toBeAnswered(call) === undefined);
}
