import { namedSkills } from '../../harness/wire/frame-meaning.ts';
import type { CallFrame } from '../../harness/wire/observation.ts';
import { frameType } from '../../specs/frame-type.ts';
import type { Skill } from '../../specs/generated/types.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { keyOfSkill } from '../skill-rules.ts';

/** Frames of the service that do not begin another answer: what the AI says and asks for continues after them. */
const withinAnswers = new Set<unknown>(['skill.result', 'session.ended']);

/** Names kept of one answer, far more than it may have: a flood of frames must not take ever longer. */
const mostNames = 100;

/**
 * For each frame, the skills that the AI named in earlier frames of the same answer: those since the service last gave
 * it something new to answer. A skill that was refused meanwhile does not count, so that the AI may try it, or another
 * one, instead.
 */
export function skillsNamedBefore(
  frames: readonly CallFrame[],
  skills: readonly Skill[],
): readonly (readonly (string | number)[])[] {
  let named: readonly (string | number)[] = [];
  return frames.map(({ from, value }) => {
    const before = named;
    if (!isJsonObject(value)) {
      if (from === 'service') named = [];
    } else if (from === 'service') {
      if (!withinAnswers.has(value.type)) named = [];
      else if (value.ok === false) named = named.filter((name) => keyOfSkill(skills, name) !== value.key);
    } else if (frameType(value) === 'skill') {
      named = [...named, ...namedSkills(value)].slice(0, mostNames);
    }
    return before;
  });
}
