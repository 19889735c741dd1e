import { limits } from '../specs/limits.ts';
import type { Skill, SkillOutcome } from '../specs/types.ts';

/** What becomes of one requested skill. */
export type SkillResult = Pick<SkillOutcome, 'key' | 'ok' | 'reason'>;
type Reason = NonNullable<SkillResult['reason']>;

/**
 * What the service makes of the skills of one request (interface: Skills as tools; Errors): each that is offered runs,
 * alerts first and the one forward last; the others are refused with the reason.
 */
export function skillResults(named: readonly (string | number)[], offered: readonly Skill[]): SkillResult[] {
  const taken = new Set<string>();
  let forwards = 0;
  const results = named.map((name, at): SkillResult & { forward: boolean } => {
    const skill = offered.find(({ id, key }) => key === name || id === name);
    const key = skill?.key ?? String(name);
    const refused = (reason: Reason) => ({ key, ok: false, reason, forward: false });
    if (!skill) return refused('unknown-skill');
    if (taken.has(key) || at >= limits.executeSkillsPerAnswer) return refused('not-allowed');
    taken.add(key);
    if (skill.kind !== 'forward') return { key, ok: true, forward: false };
    if (++forwards > limits.forwardsPerAnswer) return refused('one-forward-per-turn');
    return { key, ok: true, forward: true };
  });
  return results
    .toSorted((a, b) => Number(a.forward) - Number(b.forward))
    .map(({ key, ok, reason }) => ({ key, ok, ...(reason !== undefined && { reason }) }));
}
