import { runSkills } from '../../service/skill-rule.ts';
import type { Skill, SkillOutcome } from '../../specs/generated/types.ts';

/** Result of one requested skill. */
export type RequestedSkillResult = Pick<SkillOutcome, 'key' | 'ok' | 'reason'>;

/**
 * The service's results for the skills of one request, if every offered skill runs (interface: Skills as tools;
 * Errors).
 */
export function skillResults(named: readonly (string | number)[], offered: readonly Skill[]): RequestedSkillResult[] {
  return runSkills(named, offered);
}
