import { isJsonObject } from '../specs/json-object.ts';
import type { CallFrame } from '../harness/wire/observation.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { frameType, hasUnknownType } from '../specs/frame-type.ts';
import { limits } from '../specs/limits.ts';
import type { RequirementId } from '../specs/requirements/catalogue.ts';
import type { SchemaName } from '../specs/schemas.ts';
import { validate, type SchemaViolation } from '../specs/validators.ts';

/** A fault of one frame of the AI, and the requirement that it breaks. */
export interface PhoneFrameFault {
  readonly requirement: RequirementId;
  /** The faulty field; absent for a fault of the whole frame. */
  readonly field?: string;
  readonly expected: string;
  readonly received: string;
}

const schemaOf = { text: 'textFrame', action: 'actionFrame', skill: 'skillFrame' } as const satisfies Record<
  string,
  SchemaName
>;

/**
 * Faults of a frame of the AI, as far as contracts cover them (interface: Own-AI phone frames); empty for a valid
 * frame, and for text that is not a JSON object.
 */
export function phoneFrameFaults({ bytes, value }: Pick<CallFrame, 'bytes' | 'value'>): PhoneFrameFault[] {
  if (bytes > limits.phoneFrameBytes) {
    return [
      {
        requirement: 'own-ai-phone/frame-within-64-kb',
        expected: `a frame of at most ${limits.phoneFrameBytes} bytes (64 KB)`,
        received: `one of ${bytes} bytes, which ends the connection`,
      },
    ];
  }
  if (!isJsonObject(value)) return [];
  const type = frameType(value);
  const faults = type === undefined ? [] : validate(schemaOf[type], { ...value, type }).flatMap(faultsIn(type, value));
  if (!hasUnknownType(value)) return faults;
  const received = value.type === undefined ? 'no type' : shortJson(value.type);
  const expected = `type to be one of ${Object.keys(schemaOf).join(', ')}`;
  return [{ requirement: 'own-ai-phone/frame-type-is-known', field: 'type', expected, received }, ...faults];
}

/** Lengths of strings are left to the suites: no message of the contract is about them. */
function faultsIn(type: keyof typeof schemaOf, value: Record<string, unknown>) {
  return ({ pointer, expected, received, rule }: SchemaViolation): PhoneFrameFault[] => {
    const field = pointer.split('/')[1] ?? '';
    const isTooMuch = rule.keyword === 'maxLength' || rule.keyword === 'maxItems';
    if (isTooMuch && field === 'executeSkills') {
      return [
        {
          requirement: 'own-ai-phone/at-most-five-skills',
          field,
          expected: `at most ${limits.executeSkillsPerAnswer} skills in executeSkills`,
          received: String((value[field] as unknown[]).length),
        },
      ];
    }
    if (isTooMuch) return [];
    return [{ requirement: requirementFor(type, field), field, expected: `${field} to be ${expected}`, received }];
  };
}

function requirementFor(type: keyof typeof schemaOf, field: string): RequirementId {
  if (field === 'action') return 'own-ai-phone/action-is-known';
  if (type !== 'text') return 'own-ai-phone/members-have-their-types';
  return field === 'last' ? 'own-ai-phone/last-is-a-boolean' : 'own-ai-phone/text-is-a-string';
}
