import { asObject, asText } from './json.ts';

/** Most that one answer may ask for, of which one may forward (interface: Limits). */
const MOST_SKILLS = 5;

/** A skill that an event or a call offers. Only what is allowed right now is listed there. */
export interface OfferedSkill {
  key: string;
  name: string;
  kind: string;
}

/** The usable ones of `skills`, as it came; none when it is missing or something else. */
export function offeredSkills(skills: unknown): OfferedSkill[] {
  return Array.isArray(skills) ? skills.flatMap(offeredSkill) : [];
}

function offeredSkill(value: unknown): OfferedSkill[] {
  const skill = asObject(value);
  const key = asText(skill?.['key']);
  const kind = asText(skill?.['kind']);
  return key === undefined || kind === undefined ? [] : [{ key, kind, name: asText(skill?.['name']) ?? key }];
}

/** Which of the wanted skills may be asked for: offered, each once, few enough, and the forward last. */
export function chooseSkills(wanted: readonly string[], offered: readonly OfferedSkill[]): OfferedSkill[] {
  const found = [...new Set(wanted)].flatMap((wantedKey) => offered.find(({ key }) => key === wantedKey) ?? []);
  const forward = found.filter(({ kind }) => kind === 'forward').slice(0, 1);
  const others = found.filter(({ kind }) => kind !== 'forward').slice(0, MOST_SKILLS - forward.length);
  return [...others, ...forward];
}
