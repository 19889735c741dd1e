import { runSkills } from '../../service/skill-rule.ts';
import type { Skill, SkillOutcome } from '../../specs/types.ts';

/** What becomes of one requested skill. */
export type SkillResult = Pick<SkillOutcome, 'key' | 'ok' | 'reason'>;

/**
 * What the service makes of the skills of one request where every skill that is offered runs (interface: Skills as
 * tools; Errors).
 */
export function skillResults(named: readonly (string | number)[], offered: readonly Skill[]): SkillResult[] {
  return runSkills(named, offered);
}
