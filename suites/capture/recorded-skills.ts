import type { Capture } from '../../harness/capture/capture.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { Skill } from '../../specs/generated/types.ts';
import { matchesSchema } from '../../specs/validators.ts';

/** Cached, once for each recording and each event, because every rule needs them for every answer. */
const ofCaptures = new WeakMap<Capture, { config: ResolvedConfig; skills: readonly Skill[] }>();
const ofEvents = new WeakMap<object, Skill[]>();

/** Known skills of the assistant: those of the config, and all that the recording offers. */
export function skillsIn(capture: Capture, config: ResolvedConfig): readonly Skill[] {
  const known = ofCaptures.get(capture);
  if (known?.config === config) return known.skills;
  const offered = [
    ...capture.chat.flatMap(({ event }) => offeredBy(event?.data)),
    ...capture.calls.flatMap(({ frames }) =>
      frames.flatMap(({ from, value }) => (from === 'service' ? offeredBy(value) : [])),
    ),
  ];
  // Most events of an assistant offer the same ones.
  const skills = [...new Map([...config.skills, ...offered].map((skill) => [JSON.stringify(skill), skill])).values()];
  ofCaptures.set(capture, { config, skills });
  return skills;
}

/** Skills that the data of an event or a session.started offers. */
export function offeredBy(value: unknown): Skill[] {
  if (!isJsonObject(value)) return [];
  const known = ofEvents.get(value);
  if (known) return known;
  const skills: unknown[] = Array.isArray(value.skills) ? value.skills : [];
  const offered = skills.filter((skill): skill is Skill => matchesSchema('skill', skill));
  ofEvents.set(value, offered);
  return offered;
}

/** Only the config says which skills an assistant has in addition to the offered ones. */
export function knowsSkills(requirement: RequirementId, { skills }: ResolvedConfig): boolean {
  return skills.length > 0 || !requirement.endsWith('/names-known-skills');
}
