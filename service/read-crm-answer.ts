import type { ContactDataAnswer, ProjectDataAnswer } from '../specs/generated/types.ts';
import { validate, formatViolation, type Violation } from '../specs/validators.ts';
import { describeAnswer } from './describe-answer.ts';
import { readJson } from './json-body.ts';
import type { OutboundAnswer } from './outbound.ts';

/** The parts of a CRM answer to apply; a part that was not flagged is missing. */
export interface CrmParts {
  contactData?: ContactDataAnswer;
  projectData?: ProjectDataAnswer;
}

/** How the service reads the answer to a CRM event. */
export type CrmResponseReading =
  /** 200: the flagged parts are to be applied. */
  | { kind: 'parts'; parts: CrmParts }
  | { kind: 'nothing-to-add' | 'later' }
  /** `invalid`: a 200 whose body cannot be applied. `failed`: any other answer, or none. */
  | { kind: 'invalid' | 'failed'; reason: string };

/** Reads the answer to a CRM event (interface: CRM webhook answer). */
export function readCrmResponse(answer: OutboundAnswer): CrmResponseReading {
  if (answer.outcome !== 'answered') return { kind: 'failed', reason: describeAnswer(answer) };
  const { status, body, truncated } = answer;
  if (status === 204) return { kind: 'nothing-to-add' };
  if (status === 202) return { kind: 'later' };
  if (status !== 200) return { kind: 'failed', reason: `status ${status} instead of 200, 202 or 204` };
  if (truncated) return { kind: 'invalid', reason: `a body of more than ${body.length} bytes` };
  const read = readCrmBody('crmAnswer', body);
  return 'invalid' in read ? { kind: 'invalid', reason: read.invalid } : { kind: 'parts', ...read };
}

/**
 * Reads the body of a 200 answer or of a callback (interface: CRM webhook answer). One invalid part makes all of it
 * invalid, so that nothing is applied partially.
 */
export function readCrmBody(
  schema: 'crmAnswer' | 'crmCallback',
  body: Uint8Array,
): { parts: CrmParts } | { invalid: string } {
  const json = readJson(body);
  if ('error' in json) return { invalid: json.error };
  const [wrong] = validate(schema, json.value);
  if (wrong) return invalidAt('', wrong);
  const answer = json.value as Record<string, unknown>;
  const parts: CrmParts = {};
  if (answer.requestContactUpdate === true) {
    const [wrongContact] = validate('contactDataAnswer', answer.contactData);
    if (wrongContact) return invalidAt('/contactData', wrongContact);
    parts.contactData = answer.contactData as ContactDataAnswer;
  }
  if (answer.requestProjectUpdate === true) {
    const [wrongProject] = validate('projectDataAnswer', answer.projectData);
    if (wrongProject) return invalidAt('/projectData', wrongProject);
    parts.projectData = answer.projectData as ProjectDataAnswer;
  }
  return { parts };
}

function invalidAt(place: string, { pointer, expected, received }: Violation): { invalid: string } {
  return { invalid: formatViolation({ pointer: place + pointer, expected, received }) };
}
