import { frameType } from '../../specs/frame-type.ts';
import { limits } from '../../specs/limits.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { CallFrame } from './observation.ts';

/** Remarks that accompany a skill request of the AI. */
export interface SkillRemarks {
  note?: string;
  /** Empty: suppresses the skill's own announcement. */
  announcement?: string;
}

/** The meaning of an AI's frame to the service (interface: Own-AI phone frames). */
export type FrameMeaning =
  /** Speech for the caller. `text` is empty for a piece without speech. */
  | { kind: 'speech'; text: string; last: boolean }
  | { kind: 'action'; action: 'end' | 'handover'; text: string; note?: string }
  /** Without a readable skill name there is no result. */
  | { kind: 'skill'; skills: (string | number)[]; said: SkillRemarks }
  /** More than 64 KB: ends the connection. */
  | { kind: 'too-large' }
  /** Not JSON, of an unknown type or with an unknown action. */
  | { kind: 'ignored' };

/** Interprets a frame of the AI like the service: `token` counts as `text`, a missing `last` as false. */
export function interpretFrame({ bytes, value }: CallFrame): FrameMeaning {
  if (bytes > limits.phoneFrameBytes) return { kind: 'too-large' };
  if (!isJsonObject(value)) return { kind: 'ignored' };
  switch (frameType(value)) {
    case 'text':
      return { kind: 'speech', text: textOf(value.text ?? value.token), last: value.last === true };
    case 'action':
      return value.action === 'end' || value.action === 'handover'
        ? { kind: 'action', action: value.action, text: textOf(value.text), ...given(value, 'note') }
        : { kind: 'ignored' };
    case 'skill':
      return {
        kind: 'skill',
        skills: namedSkills(value),
        said: { ...given(value, 'note'), ...given(value, 'announcement') },
      };
    case undefined:
      return { kind: 'ignored' };
  }
}

/** Skill keys and ids in a skill frame: those of `executeSkills`, else `key`. */
export function namedSkills(value: Record<string, unknown>): (string | number)[] {
  const named: unknown[] = Array.isArray(value.executeSkills) ? value.executeSkills : [value.key];
  return named.filter((name) => typeof name === 'string' || typeof name === 'number');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The field if it is a string. */
function given<Name extends string>(value: Record<string, unknown>, name: Name): Partial<Record<Name, string>> {
  const text = value[name];
  return (typeof text === 'string' ? { [name]: text } : {}) as Partial<Record<Name, string>>;
}
