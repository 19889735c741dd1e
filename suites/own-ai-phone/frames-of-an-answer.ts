import { namedSkills } from '../../harness/wire/frame-meaning.ts';
import type { CallFrame } from '../../harness/wire/observation.ts';
import { frameType } from '../../specs/frame-type.ts';
import type { Skill } from '../../specs/generated/types.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { keyOfSkill } from '../skill-rules.ts';

/** Frames of the service that do not begin another answer: what the AI says and asks for continues after them. */
const withinAnswers = new Set<unknown>(['skill.result', 'session.ended']);

/**
 * Skills that the AI named in earlier frames of the same answer: those since the service last gave it something new to
 * answer. A skill that was refused meanwhile does not count, so that the AI may try it, or another one, instead.
 */
export function skillsNamedBefore(
  frames: readonly CallFrame[],
  index: number,
  skills: readonly Skill[],
): (string | number)[] {
  const refused = new Set<unknown>();
  const named: (string | number)[] = [];
  for (let at = index - 1; at >= 0; at--) {
    const { from, value } = frames[at] ?? {};
    if (!isJsonObject(value)) {
      if (from === 'service') break;
    } else if (from === 'service') {
      if (!withinAnswers.has(value.type)) break;
      if (value.ok === false) refused.add(value.key);
    } else if (frameType(value) === 'skill') {
      named.unshift(...namedSkills(value).filter((name) => !refused.has(keyOfSkill(skills, name))));
    }
  }
  return named;
}
