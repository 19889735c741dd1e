import type { CheckKit } from '../../harness/checks/check.ts';
import { NotExercised } from '../../harness/checks/faults.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { HoldOptions } from '../../harness/wire/phone-driver.ts';
import type { SessionStarted } from '../../specs/generated/types.ts';
import { once } from '../once.ts';
import { longAnswer } from './slow-calls.ts';
import { isSpeaking, latestClosing, settleMs } from './speech.ts';
import { isSilent } from './talk.ts';

/**
 * A call for each configured sentence, also while skills are not offered: the rules about frames are judged on these
 * and on every other call of the run. With an AI that answers no plain sentence, only the other ones are said.
 */
export function typicalCalls(kit: CheckKit): Promise<CallObservation[]> {
  const { session, phone, sample, settings } = kit;
  const say = (label: string, text: string, started: Partial<SessionStarted> = {}) =>
    phone.hold({ label, started }, async (call) => {
      const said = call.speak(text);
      await call.answer(said);
      await call.settle(settleMs);
      // Speech after a closing piece is part of the same answer, and needs a closing piece too.
      if (call.isUp && isSpeaking(call.observation))
        await call.answer(said, { after: latestClosing(call.observation) });
      return call.observation;
    });
  return once(session, 'phone typical calls', async () => {
    const { long: _, ...others } = { ...settings.config.stimuli.phone };
    const sentences = Object.entries(others as Record<string, string>);
    const skill = settings.config.stimuli.phone?.skill;
    if (await isSilent(kit)) return await sayAtOnce(kit);
    await longAnswer(kit);
    return await Promise.all([
      say('a plain sentence', sample.callerSentence),
      ...sentences.map(([name, text]) => say(`the sentence "${name}"`, text)),
      ...(skill === undefined
        ? []
        : [
            say('the sentence "skill" while no skill is offered', skill, { skills: [] }),
            ...phone.skills.map((offered) =>
              say(`the sentence "skill" while only ${offered.key} is offered`, skill, { skills: [offered] }),
            ),
          ]),
    ]);
  });
}

/** A call for each configured sentence but the plain one, all at once, and whether the AI begins to answer. */
async function sayAtOnce({ phone, settings }: CheckKit): Promise<CallObservation[]> {
  const { answer: _, ...others } = { ...settings.config.stimuli.phone };
  const sentences = Object.entries(others as Record<string, string>);
  if (sentences.length === 0) return [];
  const say = async (dial: (options: HoldOptions) => Promise<Call>, [name, text]: [string, string]) => {
    const call = await dial({ label: `the sentence "${name}"`, needsNoAnswer: true });
    await call.answerStart(call.speak(text));
    return call.observation;
  };
  try {
    return await phone.holdSeveral(sentences.length, (dial) => Promise.all(sentences.map((one) => say(dial, one))));
  } catch (error) {
    if (!(error instanceof NotExercised)) throw error;
    // It accepts fewer calls at once.
    const calls: CallObservation[] = [];
    for (const one of sentences) calls.push(await phone.holdSeveral(1, (dial) => say(dial, one)));
    return calls;
  }
}
