import { limits } from '../specs/limits.ts';
import type { Skill, SkillOutcome } from '../specs/generated/types.ts';

/** Why a skill is refused, or that it waits for approval. */
export type SkillReason = NonNullable<SkillOutcome['reason']>;

/** Reasons of a forward that was tried: no other forward is tried after it. */
const triedReasons: readonly (SkillReason | undefined)[] = [undefined, 'pending-approval', 'no-answer', 'failed'];

/**
 * Decides the skills that one answer names by keys or ids (interface: Skills as tools; Errors). The alerts run first
 * and the forward last, at most five in all; an unknown skill, a repeated one or a second forward is refused. `run`
 * carries one out and returns the reason why it does not run, or waits; the default refuses none. The outcomes are in
 * the order of the names, that of the forward last.
 */
export function runSkills<S extends Skill>(
  named: readonly (string | number)[],
  skills: readonly S[],
  run: (skill: S) => SkillReason | undefined = () => undefined,
): SkillOutcome[] {
  const taken = new Set<S>();
  const requests = named.map((name, at) => {
    const skill = skills.find(({ id, key }) => key === name || id === name);
    const request: { key: string; skill?: S; reason?: SkillReason | undefined } = { key: skill?.key ?? keyOf(name) };
    if (!skill) return { ...request, reason: 'unknown-skill' as const };
    if (taken.has(skill) || at >= limits.executeSkillsPerAnswer) return { ...request, reason: 'not-allowed' as const };
    taken.add(skill);
    return { ...request, skill };
  });
  for (const request of requests) {
    if (request.skill && request.skill.kind !== 'forward') request.reason = run(request.skill);
  }
  let forwards = 0;
  let last: (typeof requests)[number] | undefined;
  for (const request of requests) {
    if (request.skill?.kind !== 'forward') continue;
    const isOneMore = forwards >= limits.forwardsPerAnswer;
    request.reason = isOneMore ? 'one-forward-per-turn' : run(request.skill);
    if (isOneMore || !triedReasons.includes(request.reason)) continue;
    forwards++;
    last = request;
  }
  return requests
    .toSorted((a, b) => Number(a === last) - Number(b === last))
    .map(({ key, reason }) => outcomeOf(key, reason));
}

/** A reported outcome: ok without a reason, or with pending-approval (assumption skill-reason-when-done). */
export function outcomeOf(key: string, reason: SkillReason | undefined): SkillOutcome {
  if (reason === undefined) return { key, ok: true };
  return reason === 'pending-approval' ? { key, ok: true, reason } : { key, ok: false, reason };
}

/** The key of an unknown skill: the name that was given, as a string (assumption skill-result-key). */
export function keyOf(name: string | number): string {
  return name === '' ? '""' : String(name);
}
