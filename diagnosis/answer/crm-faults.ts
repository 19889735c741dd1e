import { isJsonObject } from '../../specs/json-object.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import { formats } from '../../specs/formats.ts';
import { limits } from '../../specs/limits.ts';
import { schemas } from '../../specs/schemas.ts';
import { validate, type SchemaViolation } from '../../specs/validators.ts';
import { crmFields, type AnswerFault } from './answer-fault.ts';
import { findMisplaced } from './find-misplaced.ts';
import type { JsonObject } from '../../specs/json-value.ts';

const parts = [
  {
    part: 'contactData',
    flag: 'requestContactUpdate',
    schema: 'contactDataAnswer',
    own: 'crmContactId',
    svc: 'svcContactId',
    unaltered: 'crm-webhook/svc-contact-id-unaltered',
  },
  {
    part: 'projectData',
    flag: 'requestProjectUpdate',
    schema: 'projectDataAnswer',
    own: 'crmProjectId',
    svc: 'svcProjectId',
    unaltered: 'crm-webhook/svc-project-id-unaltered',
  },
] as const;

/** Finds the faults in the object of a 200 answer or of a callback (interface: CRM webhook answer). */
export function crmFaults(answer: JsonObject, event: JsonObject): AnswerFault[] {
  const elsewhere = findMisplaced(answer, crmFields, otherSpelling);
  if (elsewhere) return [elsewhere];
  return parts.flatMap(({ part, flag, schema, own, svc, unaltered }): AnswerFault[] => {
    const { [part]: data, [flag]: flagged } = answer;
    if (flagged !== undefined && typeof flagged !== 'boolean') {
      return [
        fault('answer/flag-not-boolean', `${flag} is ${shortJson(flagged)}; it must be true or false, without quotes.`),
      ];
    }
    if (flagged === undefined && isJsonObject(data)) {
      return [
        {
          ...fault('answer/part-without-flag', `The answer has ${part} but no ${flag}, so it is not applied.`),
          requirement: 'crm-webhook/names-the-flag-of-each-part',
        },
      ];
    }
    if (flagged !== true) return [];
    if (!isJsonObject(data)) {
      const there = data === undefined ? 'is missing' : `is ${shortJson(data)}`;
      return [fault('answer/flagged-part-missing', `${flag} is true, but ${part} ${there}.`)];
    }
    const { [svc]: sent } = isJsonObject(event[part]) ? event[part] : {};
    const altered =
      typeof data[svc] === 'number' && sent !== undefined && data[svc] !== sent
        ? [
            {
              ...fault('answer/svc-id-altered', `${part}.${svc} differs from the value that was sent.`),
              requirement: unaltered,
            },
          ]
        : [];
    return [
      ...validate(schema, data).map((violation) => violationFault(part, own, data, violation)),
      ...timesWithZone(data),
      ...altered,
    ];
  });
}

/** Finds misspelled fields, such as `request_contact_update`. */
function otherSpelling(answer: JsonObject): AnswerFault | undefined {
  const plain = (name: string) => name.replaceAll(/[_-]/g, '').toLowerCase();
  const meant = Object.keys(answer).flatMap((name) => {
    const known = crmFields.find((field) => plain(field) === plain(name));
    return known === undefined ? [] : [`${known} is spelled ${shortJson(name)}`];
  });
  if (meant.length === 0) return withoutEnvelope(answer);
  return fault('answer/other-spelling', `${meant.join(', and ')}; the service does not read these names.`);
}

/** Finds fields of contactData or projectData at the top level. */
function withoutEnvelope(answer: JsonObject): AnswerFault | undefined {
  const own = parts.find(({ schema }) =>
    Object.keys(answer).some((name) => name in (schemas[schema].properties ?? {})),
  );
  if (!own) return undefined;
  const { part, flag } = own;
  return {
    ...fault(
      'answer/parts-without-envelope',
      `The fields of ${part} are at the top level; the service reads them only in ${part}, with ${flag} true.`,
    ),
    requirement: 'crm-webhook/answers-with-documented-fields',
  };
}

function violationFault(
  part: string,
  own: string,
  data: JsonObject,
  { pointer, expected, received, value }: SchemaViolation,
): AnswerFault {
  const name = pointer.slice(1);
  const place = `${part}.${name.replaceAll('/', '.')}`;
  if (name === own)
    return fault(
      'answer/id-not-text',
      `${place} is ${typeof value === 'number' ? 'the number ' : ''}${received}, not a string.`,
    );
  if (value === null) {
    return fault('answer/null-not-allowed', `${place} is null, where ${expected} is expected.`);
  }
  if (name === 'crmAiInfo' && typeof data.crmAiInfo === 'string') {
    const { length } = [...data.crmAiInfo];
    return fault(
      'answer/ai-info-too-long',
      `${place} has ${length} characters; ${limits.crmAiInfoCharacters} are allowed.`,
    );
  }
  if (/^customOptIn[123]$/.test(name) && typeof data[name] === 'string') return notATime(place, data[name]);
  return fault('answer/wrong-type', `${place} is ${received}, where ${expected} is expected.`);
}

/** Times with a zone, which the schema allows and the interface does not. */
function timesWithZone(data: JsonObject): AnswerFault[] {
  return ['customOptIn1', 'customOptIn2', 'customOptIn3'].flatMap((name) => {
    const { [name]: time } = data;
    const zoned =
      typeof time === 'string' && formats['svc-timestamp'](time) && /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(time.slice(10));
    return zoned ? [notATime(`contactData.${name}`, time)] : [];
  });
}

function notATime(place: string, time: string): AnswerFault {
  return fault(
    'answer/time-with-zone',
    `${place} is ${shortJson(time)}; expected a time without a zone, such as 2026-10-11T09:30:00.`,
  );
}

function fault(id: AnswerFault['id'], text: string): AnswerFault {
  return { id, summary: text };
}
