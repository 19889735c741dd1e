import { frameType } from '../../specs/frame-type.ts';
import { limits } from '../../specs/limits.ts';
import { isJsonObject } from '../checks/json.ts';
import type { CallFrame } from './observation.ts';

/** What the AI says beside the skills that it asks for. */
export interface SkillRemarks {
  note?: string;
  /** Empty: the skill's own is suppressed. */
  announcement?: string;
}

/** What a frame of the AI means to the service (interface: Own-AI phone frames). */
export type FrameMeaning =
  /** Speech for the caller. `text` is empty for a piece that is not passed on. */
  | { kind: 'speech'; text: string; last: boolean }
  | { kind: 'action'; action: 'end' | 'handover'; text: string; note?: string }
  /** Without a skill that is named readably there is no result. */
  | { kind: 'skill'; skills: (string | number)[]; said: SkillRemarks }
  /** Over 64 KB: ends the connection. */
  | { kind: 'too-large' }
  /** Not JSON, of an unknown type or with an unknown action. */
  | { kind: 'ignored' };

/** Reads a frame of the AI as the service does: `token` counts as `text`, a missing `last` as false. */
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

/** Keys and ids that a skill frame names: those of `executeSkills`, else `key`. */
export function namedSkills(value: Record<string, unknown>): (string | number)[] {
  const named: unknown[] = Array.isArray(value.executeSkills) ? value.executeSkills : [value.key];
  return named.filter((name) => typeof name === 'string' || typeof name === 'number');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The field where it is a text. */
function given<Name extends string>(value: Record<string, unknown>, name: Name): Partial<Record<Name, string>> {
  const text = value[name];
  return (typeof text === 'string' ? { [name]: text } : {}) as Partial<Record<Name, string>>;
}
