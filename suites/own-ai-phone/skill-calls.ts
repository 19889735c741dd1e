import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { RequestedSkillResult } from '../../harness/wire/skill-results.ts';
import { once } from '../once.ts';
import { keyOfSkill } from '../skill-rules.ts';
import { longSilenceMs } from './slow-calls.ts';
import { settleMs } from './speech.ts';
import { askUntilHeard, isDown, isSilent, waitForTurn } from './talk.ts';

/** Reasons why what follows the result of a skill cannot be judged. */
export const noSkillReason =
  'The AI asked for no skill. With stimuli.phone.skill in the config a sentence can make it do so.';
export const overReason = 'The skill ended the call: it was put through, handed over or ended.';

/**
 * A call whose skills are refused only after a while, as when a telephone rings in vain, and a plain sentence after
 * that. `undefined` if the AI asks for no skill.
 */
export function holdLateRefusal(kit: CheckKit): Promise<CallObservation | undefined> {
  const { session, phone, settings } = kit;
  return once(session, 'phone late refusal', async () => {
    const sentence = settings.config.stimuli.phone?.skill;
    if (sentence === undefined || (await isSilent(kit)) || !(await asksForSkill(kit, sentence))) return undefined;
    const delayed: RequestedSkillResult[] = [];
    let hasRung = false;
    const resultsOf = (named: readonly (string | number)[]) => {
      const results = named.map((name) => {
        const key = keyOfSkill(phone.skills, name);
        const isForward = phone.skills.some((skill) => skill.key === key && skill.kind === 'forward');
        // Only a telephone is not answered.
        return { key, ok: false, reason: isForward ? 'no-answer' : 'failed' } as const;
      });
      if (hasRung) return results;
      delayed.push(...results);
      return [];
    };
    return await phone.hold({ label: 'a call whose skill is refused after a while', resultsOf }, async (call) => {
      await askForSkill(kit, call, sentence);
      if (delayed.length === 0) return undefined;
      await call.pass(longSilenceMs);
      hasRung = true;
      if (call.isUp) for (const result of delayed) call.sendSkillResult(result);
      await waitForTurn(call);
      if (call.isUp) await askUntilHeard(kit, call);
      await isDown(call);
      return call.observation;
    });
  });
}

/** Whether the sentence makes this AI ask for a skill at all; tried once, since an AI that does not may not answer. */
export function asksForSkill(kit: CheckKit, sentence: string): Promise<boolean> {
  return once(kit.session, 'phone asks for a skill', () =>
    kit.phone.hold({ label: 'the sentence for a skill' }, async (call) => {
      await askForSkill(kit, call, sentence);
      return hasAskedForSkill(call.observation);
    }),
  );
}

/** Says the sentence and waits for the skill, which may come a while after the words, and for what follows it. */
export async function askForSkill({ phone }: CheckKit, call: Call, sentence: string): Promise<void> {
  await call.ask(sentence);
  const until = performance.now() + phone.timeoutMs;
  const isAwaited = () => call.isUp && !hasAskedForSkill(call.observation) && performance.now() < until;
  do await call.settle(settleMs, hasAskedForSkill);
  while (isAwaited());
  await call.settle(settleMs);
}

export function hasAskedForSkill({ frames }: CallObservation): boolean {
  return frames.some((frame) => {
    if (frame.from !== 'ai') return false;
    const meaning = interpretFrame(frame);
    return meaning.kind === 'skill' && meaning.skills.length > 0;
  });
}
