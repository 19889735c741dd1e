import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { RequestedSkillResult } from '../../harness/wire/skill-results.ts';
import { resolveRef, schemas } from '../../specs/schemas.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { closingFinding } from '../matchers/call-matchers.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { askForSkill, asksForSkill, hasAskedForSkill, noSkillReason, overReason } from './skill-calls.ts';
import { expectToContinue, isDown, requirePlainCall } from './talk.ts';
import { keyOfSkill } from '../skill-rules.ts';

type RefusalReason = NonNullable<RequestedSkillResult['reason']>;

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

  for (const [what, result] of [
    ['a skill that ran', { ok: true }],
    ['a refused skill', { ok: false, reason: 'failed' }],
  ] as const) {
    check('own-ai-phone/closes-each-answer', `what is said after the result of ${what} is closed`, async (kit) => {
      const label = `a call with words after the result of ${what}`;
      await holdWithResult(
        kit,
        label,
        (key) => ({ key, ...result }),
        async (call) => {
          const { observation } = call;
          const at = observation.frames.findLastIndex(({ from, value }) => from === 'service' && isResult(value));
          if (!(await call.firstPiece(at, kit.phone.usualFirstPieceMs)) || call.heardSince(at) === '')
            return kit.notExercised('The AI said nothing after the result of its skill.');
          const answer = await call.answer(at);
          await isDown(call);
          conclude(observation, closingFinding(observation, answer));
        },
      );
    });
  }
});

/** Makes the AI ask for a skill, sends it this result, and expects the call to continue. */
function afterResult(kit: CheckKit, label: string, resultOf: (key: string) => RequestedSkillResult): Promise<void> {
  return holdWithResult(kit, label, resultOf, (call) => expectToContinue(kit, call));
}

function isResult(value: unknown): boolean {
  return isJsonObject(value) && value.type === 'skill.result';
}

/** Makes the AI ask for a skill, sends it this result, and continues while the call is up. */
async function holdWithResult(
  kit: CheckKit,
  label: string,
  resultOf: (key: string) => RequestedSkillResult,
  talk: (call: Call) => Promise<void>,
): Promise<void> {
  const { phone, settings } = kit;
  const sentence = settings.config.stimuli.phone?.skill;
  if (sentence === undefined) return kit.notExercised(noSkillReason);
  await requirePlainCall(kit);
  if (!(await asksForSkill(kit, sentence))) return kit.notExercised(noSkillReason);
  const resultsOf = (named: readonly (string | number)[]) =>
    named.map((name) => resultOf(keyOfSkill(kit.phone.skills, name)));
  await phone.hold({ label, resultsOf }, async (call) => {
    await askForSkill(kit, call, sentence);
    await isDown(call);
    expect(call.observation).toStayUp();
    if (!hasAskedForSkill(call.observation)) return kit.notExercised(noSkillReason);
    if (!call.isUp) return kit.notExercised(overReason);
    await talk(call);
  });
}
