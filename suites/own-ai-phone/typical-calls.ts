import type { CheckKit } from '../../harness/checks/check.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { SessionStarted } from '../../specs/generated/types.ts';
import { once } from '../once.ts';
import { longAnswer } from './slow-calls.ts';
import { settleMs } from './speech.ts';

/**
 * A call for each configured sentence, also while skills are not offered: the rules about frames are judged on these
 * and on every other call of the run.
 */
export function typicalCalls(kit: CheckKit): Promise<CallObservation[]> {
  const { session, phone, sample, settings } = kit;
  const say = (label: string, text: string, started: Partial<SessionStarted> = {}) =>
    phone.hold({ label, started }, async (call) => {
      await call.ask(text);
      await call.settle(settleMs);
      return call.observation;
    });
  return once(session, 'phone typical calls', async () => {
    const { long: _, ...others } = { ...settings.config.stimuli.phone };
    const sentences = Object.entries(others as Record<string, string>);
    const skill = settings.config.stimuli.phone?.skill;
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
