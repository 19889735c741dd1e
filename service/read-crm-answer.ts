import type { ContactDataAnswer, ProjectDataAnswer } from '../specs/generated/types.ts';
import { validate, formatViolation, type Violation } from '../specs/validators.ts';
import { readJson } from './json-body.ts';

/** The parts of a CRM answer to apply; a part that was not flagged is missing. */
export interface CrmParts {
  contactData?: ContactDataAnswer;
  projectData?: ProjectDataAnswer;
}

/**
 * Reads the body of a 200 answer or of a callback (interface: CRM webhook answer). One invalid part makes all of it
 * invalid, so that nothing is applied partially.
 */
export function readCrmAnswer(
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
