import { describe } from 'vitest';
import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { Call } from '../../harness/wire/call.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { RequestedSkillResult } from '../../harness/wire/skill-results.ts';
import { resolveRef, schemas } from '../../specs/schemas.ts';
import { expect } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { settleMs } from './speech.ts';
import { expectToContinue, isDown, requirePlainCall } from './talk.ts';
import { keyOfSkill } from '../skill-rules.ts';

type RefusalReason = NonNullable<RequestedSkillResult['reason']>;

const noSkill = 'The AI asked for no skill. With stimuli.phone.skill in the config a sentence can make it do so.';

/** Every reason for which a skill is refused (interface: Errors). */
const reasons = resolveRef('#/$defs/SkillRefused/properties/reason', schemas.skillOutcome.$id).schema
  .enum as readonly RefusalReason[];

describe.concurrent('own-ai-phone skills', () => {
  check('own-ai-phone/takes-skill-results', 'the result of a skill that runs is accepted', (kit) =>
    afterResult(kit, 'a skill that runs', (key) => ({ key, ok: true })),
  );

  check('own-ai-phone/takes-skill-results', 'the result of a skill that waits for approval is accepted', (kit) =>
    afterResult(kit, 'a skill that waits for approval', (key) => ({ key, ok: true, reason: 'pending-approval' })),
  );

  check('own-ai-phone/ignores-unknown-values', 'a reason that came later is ignored', (kit) =>
    afterResult(
      kit,
      'a skill refused for a reason that came later',
      (key) => deviating({ key, ok: false, reason: 'quota-used-up' }, '/reason') as unknown as RequestedSkillResult,
    ),
  );

  for (const reason of reasons) {
    check('own-ai-phone/goes-on-after-refused-skill', `the call continues after ${reason}`, (kit) =>
      afterResult(kit, `a skill refused with ${reason}`, (key) => ({ key, ok: false, reason })),
    );
  }
});

/** Makes the AI ask for a skill, sends it this result, and expects the call to continue. */
async function afterResult(
  kit: CheckKit,
  label: string,
  resultOf: (key: string) => RequestedSkillResult,
): Promise<void> {
  const { phone, settings } = kit;
  const sentence = settings.config.stimuli.phone?.skill;
  if (sentence === undefined) return kit.notExercised(noSkill);
  await requirePlainCall(kit);
  if (!(await asksForSkill(kit, sentence))) return kit.notExercised(noSkill);
  const resultsOf = (named: readonly (string | number)[]) =>
    named.map((name) => resultOf(keyOfSkill(kit.phone.skills, name)));
  await phone.hold({ label, resultsOf }, async (call) => {
    await askForSkill(kit, call, sentence);
    await isDown(call);
    expect(call.observation).toStayUp();
    if (!hasAskedForSkill(call.observation)) return kit.notExercised(noSkill);
    if (!call.isUp) return kit.notExercised('The skill ended the call: it was put through, handed over or ended.');
    await expectToContinue(kit, call);
  });
}

/** Whether the sentence makes this AI ask for a skill at all; tried once, since an AI that does not may not answer. */
function asksForSkill(kit: CheckKit, sentence: string): Promise<boolean> {
  return once(kit.session, 'phone asks for a skill', () =>
    kit.phone.hold({ label: 'the sentence for a skill' }, async (call) => {
      await askForSkill(kit, call, sentence);
      return hasAskedForSkill(call.observation);
    }),
  );
}

/** Says the sentence and waits for the skill, which may come a while after the words, and for what follows it. */
async function askForSkill({ phone }: CheckKit, call: Call, sentence: string): Promise<void> {
  await call.ask(sentence);
  const until = performance.now() + phone.timeoutMs;
  const isAwaited = () => call.isUp && !hasAskedForSkill(call.observation) && performance.now() < until;
  do await call.settle(settleMs, hasAskedForSkill);
  while (isAwaited());
  await call.settle(settleMs);
}

function hasAskedForSkill({ frames }: CallObservation): boolean {
  return frames.some((frame) => {
    if (frame.from !== 'ai') return false;
    const meaning = interpretFrame(frame);
    return meaning.kind === 'skill' && meaning.skills.length > 0;
  });
}
