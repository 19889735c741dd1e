import type { Capture } from '../../harness/capture/capture.ts';
import { isJsonObject } from '../../harness/json.ts';
import type { ResolvedConfig } from '../../harness/settings.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { Skill } from '../../specs/types.ts';
import { holdsTo } from '../../specs/validators.ts';

/** Skills of the assistant as far as they are known: those of the config, and all that the recording offers. */
export function skillsIn({ chat, calls }: Capture, { skills }: ResolvedConfig): Skill[] {
  const offered = [
    ...chat.flatMap(({ event }) => offeredBy(event?.data)),
    ...calls.flatMap(({ frames }) => frames.flatMap(({ from, value }) => (from === 'service' ? offeredBy(value) : []))),
  ];
  return [...skills, ...offered];
}

/** Skills that the data of an event or a session.started offers. */
export function offeredBy(value: unknown): Skill[] {
  if (!isJsonObject(value) || !Array.isArray(value.skills)) return [];
  return value.skills.filter((skill): skill is Skill => holdsTo('skill', skill));
}

/** Which skills an assistant has besides those that are offered, only the config tells. */
export function knowsSkills(requirement: RequirementId, { skills }: ResolvedConfig): boolean {
  return skills.length > 0 || !requirement.endsWith('/names-known-skills');
}
