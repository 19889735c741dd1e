import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { expect } from '../matchers/expect.ts';
import { holdLateRefusal, noSkillReason, overReason } from './skill-calls.ts';
import { requirePlainCall } from './talk.ts';

describe.concurrent('own-ai-phone late refusals', () => {
  check(
    'own-ai-phone/goes-on-after-refused-skill',
    'the call continues after a refusal that comes late',
    async (kit) => {
      await requirePlainCall(kit);
      const call = await holdLateRefusal(kit);
      if (!call) return kit.notExercised(noSkillReason);
      expect(call).toStayUp();
      // The first sentence is the one for the skill.
      if (!call.answers[1]) return kit.notExercised(overReason);
      expect(call).toBeAnswered();
    },
  );
});
