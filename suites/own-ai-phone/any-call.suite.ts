import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { Prompt, SessionStarted } from '../../specs/generated/types.ts';
import { extremeEvents, moderateEvents } from '../events-to-send.ts';
import { toBeAnswered, toStayUp } from '../matchers/call-matchers.ts';
import { forAnyEvent } from '../for-any-event.ts';
import { playDialogues } from './play-dialogues.ts';
import { isSpeaking, latestClosing, settleMs } from './speech.ts';
import { askUntilHeard, requirePlainCall, waitForTurn } from './talk.ts';

/** Generated events per call: each needs a call with one or two sentences. */
const runsPerCall = 3;

describe.concurrent('own-ai-phone any call', () => {
  for (const [requirement, title, choose] of [
    ['own-ai-phone/accepts-any-call', 'any call that the interface allows is answered', moderateEvents],
    [
      'own-ai-phone/accepts-extreme-call-values',
      'a call with long strings and large numbers is answered like any other',
      extremeEvents,
    ],
  ] as const) {
    check(requirement, title, async (kit) => {
      await requirePlainCall(kit);
      const chosen = choose<SessionStarted>('sessionStarted', kit.settings);
      await forAnyEvent<SessionStarted, CallObservation>(kit, {
        ...chosen,
        runs: Math.ceil(chosen.runs / runsPerCall),
        // An id belongs to one call, so each call needs its own.
        deliver: (event) => answered(kit, { ...event, ...kit.sample.newCallIds() }),
        judge: (call) => toStayUp(call) ?? toBeAnswered(call),
      });
    });
  }

  check('own-ai-phone/survives-any-sentence', 'after any sentence the call continues', async (kit) => {
    await requirePlainCall(kit);
    const chosen = moderateEvents<Prompt>('prompt', kit.settings);
    await forAnyEvent<Prompt, CallObservation>(kit, {
      ...chosen,
      runs: Math.ceil(chosen.runs / runsPerCall),
      deliver: (event) => saidBefore(kit, event),
      // The AI may end the call by an action at any sentence; nothing more is answered then.
      judge: (call) => toStayUp(call) ?? (call.answers.length === 0 ? undefined : toBeAnswered(call)),
    });
  });

  check('own-ai-phone/holds-any-dialogue', 'any order of steps leaves the AI able to continue', playDialogues);
});

/** A call that begins in this way with a plain sentence, until the AI begins to answer. */
function answered(kit: CheckKit, startedAs: SessionStarted): Promise<CallObservation> {
  return kit.phone.hold({ label: 'a generated call', startedAs }, async (call) => {
    // The AI may speak at once in a resumed call. Whatever follows a closing piece is judged as the next answer.
    if ('resumed' in startedAs) {
      await call.settle(settleMs, (observation) => latestClosing(observation) >= 0);
      if (isSpeaking(call.observation)) await waitForTurn(call);
    }
    await askUntilHeard(kit, call, (said) => call.answerStart(said));
    return call.observation;
  });
}

/** A call in which a generated sentence comes before a plain one. The AI need not answer the former: it may be noise. */
function saidBefore(kit: CheckKit, { text }: Prompt): Promise<CallObservation> {
  const { phone } = kit;
  return phone.hold({ label: 'a generated sentence' }, async (call) => {
    const said = call.speak(text);
    if (await call.firstPiece(said, phone.usualFirstPieceMs)) await call.waitForAnswerEnd(said);
    if (isSpeaking(call.observation)) await waitForTurn(call);
    if (call.isUp) await askUntilHeard(kit, call, (said) => call.answerStart(said));
    return call.observation;
  });
}
