import { parsePointer, valueAt } from '../../specs/json-pointer.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import { limits } from '../../specs/limits.ts';
import { formats } from '../../specs/formats.ts';
import { validate, type Violation } from '../../specs/validators.ts';
import { AWKWARD_STRINGS } from '../../generators/text-edges.ts';
import type { Aspect, Judgement } from '../judgement.ts';
import {
  describeNearest,
  nearestFields,
  undocumentedFieldsFinding,
  type NearestField,
} from '../undocumented-fields.ts';
import { judgePlaceholders } from '../placeholders.ts';
import { stringsIn } from '../strings-in.ts';
import { answerPlace, partPlaces } from './documented-places.ts';
import { sensitiveHint } from './sensitive-hint.ts';

/** The parsed body of a 200 answer or of a callback, with the event that it answers. */
export interface CrmAnswerBody {
  value: unknown;
  event: Record<string, unknown>;
}

type CrmDataPart = 'contactData' | 'projectData';

/** The flag of each part of an answer. */
export const flagOf = { contactData: 'requestContactUpdate', projectData: 'requestProjectUpdate' } as const;
const schemaOf = { contactData: 'contactDataAnswer', projectData: 'projectDataAnswer' } as const;
const crmIdOf = { contactData: 'crmContactId', projectData: 'crmProjectId' } as const;
const parts = ['contactData', 'projectData'] as const;

/** Rules about the content of an answer, for 200 bodies and callbacks alike (interface: CRM webhook). */
export const crmAnswerAspects: readonly Aspect<CrmAnswerBody>[] = [
  {
    requirement: 'crm-webhook/flags-are-boolean',
    title: 'requestContactUpdate and requestProjectUpdate are booleans',
    needs: 'No answer had requestContactUpdate or requestProjectUpdate.',
    judge: ({ value }) => {
      const present = Object.values(flagOf).filter((flag) => isJsonObject(value) && value[flag] !== undefined);
      const wrong = present.find((flag) => typeof (value as Record<string, unknown>)[flag] !== 'boolean');
      if (wrong === undefined) return present.length === 0 ? 'nothing' : true;
      return {
        expected: `${wrong} to be true or false`,
        received: json((value as Record<string, unknown>)[wrong]),
        part: { body: [wrong] },
      };
    },
  },
  {
    requirement: 'crm-webhook/flagged-part-is-present',
    title: 'a part whose flag is true is there',
    needs: 'No answer set requestContactUpdate or requestProjectUpdate to true.',
    judge: ({ value }) => {
      const flagged = parts.filter((part) => isJsonObject(value) && value[flagOf[part]] === true);
      const missing = flagged.find((part) => !isJsonObject((value as Record<string, unknown>)[part]));
      if (missing === undefined) return flagged.length === 0 ? 'nothing' : true;
      return {
        expected: `${missing} to be an object, since ${flagOf[missing]} is true`,
        received: json((value as Record<string, unknown>)[missing]),
        part: { body: [missing] },
      };
    },
  },
  {
    requirement: 'crm-webhook/names-the-flag-of-each-part',
    title: 'a part that is sent has its flag',
    needs: 'No answer had contactData or projectData.',
    judge: ({ value }) => {
      const sent = parts.filter((part) => isJsonObject(value) && isJsonObject(value[part]));
      const unnamed = sent.find((part) => (value as Record<string, unknown>)[flagOf[part]] === undefined);
      if (unnamed === undefined) return sent.length === 0 ? 'nothing' : true;
      return {
        expected: `${flagOf[unnamed]} together with ${unnamed}`,
        received: 'none, so the part is not applied',
        hint: describeNearest(nearestFlag(value, flagOf[unnamed])),
        part: { body: [flagOf[unnamed]] },
      };
    },
  },
  {
    requirement: 'crm-webhook/answers-with-documented-fields',
    title: 'an object with fields has one that the interface documents',
    needs: 'No answer had a field.',
    judge: ({ value }) => {
      if (!isJsonObject(value) || Object.keys(value).length === 0) return 'nothing';
      return undocumentedFieldsFinding(value, answerPlace) ?? undocumentedPart(value) ?? true;
    },
  },
  eachFlaggedPart({
    requirement: 'crm-webhook/ids-are-strings',
    title: 'crmContactId and crmProjectId are strings',
    needs: 'No answer updated contactData or projectData with crmContactId or crmProjectId.',
    judge: (part, data) => {
      const id = data[crmIdOf[part]];
      if (id === undefined || id === null) return 'nothing';
      return (
        typeof id === 'string' || {
          expected: `${part}.${crmIdOf[part]} to be a string`,
          received: json(id),
          part: { body: [part, crmIdOf[part]] },
        }
      );
    },
  }),
  eachFlaggedPart({
    requirement: 'crm-webhook/no-placeholder-for-a-missing-value',
    title: 'no field of a flagged part contains a placeholder for a missing value',
    needs: 'No answer updated contactData or projectData with a string.',
    judge: (part, data, event) => judgePlaceholders({ [part]: data }, event),
  }),
  eachFlaggedPart({
    requirement: 'crm-webhook/field-types-as-listed',
    title: 'fields of a flagged part have the types that are listed',
    needs: 'No answer updated a documented field of contactData or projectData.',
    judge: (part, data) => {
      const wrong = violations(part, data).find(
        ({ pointer, value }) =>
          value !== null && pointer !== `/${crmIdOf[part]}` && !(typeof value === 'string' && isTimeOrInfo(pointer)),
      );
      if (wrong) return violationFinding(part, wrong);
      return Object.keys(data).length === 0 ? 'nothing' : true;
    },
  }),
  eachFlaggedPart({
    requirement: 'crm-webhook/null-only-where-listed',
    title: 'fields of a flagged part are null only where null is listed',
    needs: 'No answer set a field of contactData or projectData to null.',
    judge: (part, data) => {
      const wrong = violations(part, data).find(({ value }) => value === null);
      if (wrong) return violationFinding(part, wrong);
      return Object.values(data).includes(null) ? true : 'nothing';
    },
  }),
  eachFlaggedPart({
    requirement: 'crm-webhook/times-in-listed-form',
    title: 'customOptIn timestamps have no zone',
    needs: 'No answer updated contactData with a customOptIn timestamp.',
    judge: (part, data) => {
      const times = ['customOptIn1', 'customOptIn2', 'customOptIn3'].filter((name) => typeof data[name] === 'string');
      const wrong = times.find((name) => !isZonelessTimestamp(data[name] as string));
      if (wrong === undefined) return times.length === 0 ? 'nothing' : true;
      return {
        expected: `${wrong} to be a timestamp without a zone like 2026-10-11T09:30:00`,
        received: json(data[wrong]),
        part: { body: [part, wrong] },
      };
    },
  }),
  sameIdentity('crm-webhook/svc-contact-id-unaltered', 'contactData', 'svcContactId'),
  sameIdentity('crm-webhook/svc-project-id-unaltered', 'projectData', 'svcProjectId'),
  eachFlaggedPart({
    requirement: 'crm-webhook/crm-ai-info-within-5000-characters',
    title: 'crmAiInfo has at most 5000 characters',
    needs: 'No answer updated contactData or projectData with crmAiInfo.',
    judge: (part, data) => infoWithin(part, data, (text) => [...text].length, 'characters (Unicode code points)'),
  }),
  eachFlaggedPart({
    requirement: 'crm-webhook/crm-ai-info-within-5000-utf-16-units',
    title: 'crmAiInfo has at most 5000 UTF-16 units',
    needs: 'No answer updated contactData or projectData with crmAiInfo.',
    judge: (part, data) =>
      // Over the limit in code points too: reported there, once.
      [...String(data.crmAiInfo)].length > limits.crmAiInfoCharacters
        ? 'nothing'
        : infoWithin(part, data, (text) => text.length, 'UTF-16 units'),
  }),
  eachFlaggedPart({
    requirement: 'crm-webhook/no-sensitive-hints-in-crm-ai-info',
    title: 'crmAiInfo holds nothing that a stranger must not hear',
    needs: 'No answer updated contactData or projectData with crmAiInfo.',
    judge: (part, data, event) => {
      if (typeof data.crmAiInfo !== 'string' || data.crmAiInfo === '') return 'nothing';
      const hint = sensitiveHint(data.crmAiInfo);
      const received = hint === undefined ? describeTeamInfo(data.crmAiInfo, part, event) : `what looks like ${hint}`;
      return (
        received === undefined || {
          expected: `${part}.crmAiInfo without anything that a stranger must not hear`,
          received,
          part: { body: [part, 'crmAiInfo'] },
        }
      );
    },
  }),
];

/** Strings that many generated events contain in any field. */
const generatedTexts: ReadonlySet<string> = new Set(Object.values(AWKWARD_STRINGS));
/** Length from which information within a string cannot be a coincidence. */
const telltaleCharacters = 8;

/** Describes information for the team that an answer has copied into crmAiInfo from nowhere else in the event. */
function describeTeamInfo(crmAiInfo: string, part: CrmDataPart, event: Record<string, unknown>): string | undefined {
  const { crmInternalInfo } = isJsonObject(event[part]) ? event[part] : {};
  if (typeof crmInternalInfo !== 'string' || crmInternalInfo.trim().length < telltaleCharacters) return undefined;
  if (!crmAiInfo.includes(crmInternalInfo) || generatedTexts.has(crmInternalInfo)) return undefined;
  const isElsewhere = stringsIn(event).some(
    ({ path, text }) => path.at(-1) !== 'crmInternalInfo' && text.includes(crmInternalInfo),
  );
  if (isElsewhere) return undefined;
  return 'the crmInternalInfo of the event, which is for the team only';
}

/** The finding about a flagged part with fields of which the interface documents none. */
function undocumentedPart(answer: Record<string, unknown>): Finding | undefined {
  for (const part of parts) {
    if (answer[flagOf[part]] !== true) continue;
    const finding = undocumentedFieldsFinding(answer[part], partPlaces[part]);
    if (finding) return { ...finding, part: { body: [part] } };
  }
  return undefined;
}

/** The received field that was probably meant as this flag. */
function nearestFlag(answer: unknown, flag: string): NearestField[] {
  return nearestFields(answer, answerPlace).filter(({ documented }) => documented === flag);
}

function eachFlaggedPart(rule: {
  requirement: Aspect<CrmAnswerBody>['requirement'];
  title: string;
  needs: string;
  judge: (part: CrmDataPart, data: Record<string, unknown>, event: Record<string, unknown>) => Judgement;
}): Aspect<CrmAnswerBody> {
  const { requirement, title, needs } = rule;
  return {
    requirement,
    title,
    needs,
    judge: ({ value, event }) => {
      let whole: Judgement = 'nothing';
      for (const part of parts) {
        if (!isJsonObject(value) || value[flagOf[part]] !== true) continue;
        const data = value[part];
        if (!isJsonObject(data)) continue;
        const judgement = rule.judge(part, data, event);
        if (judgement === true) whole = true;
        else if (judgement !== 'nothing') return judgement;
      }
      return whole;
    },
  };
}

function sameIdentity(
  requirement: Aspect<CrmAnswerBody>['requirement'],
  part: CrmDataPart,
  field: string,
): Aspect<CrmAnswerBody> {
  return eachFlaggedPart({
    requirement,
    title: `${field} is left as it came`,
    needs: `No flagged ${part} had ${field}.`,
    judge: (of, data, event) => {
      const sent = (event[part] as Record<string, unknown> | null | undefined)?.[field];
      if (of !== part || data[field] === undefined || data[field] === null || sent === undefined) return 'nothing';
      return (
        data[field] === sent || {
          expected: `${part}.${field} to be ${json(sent)} as in the event`,
          received: json(data[field]),
          part: { body: [part, field] },
        }
      );
    },
  });
}

function infoWithin(
  part: CrmDataPart,
  { crmAiInfo }: Record<string, unknown>,
  count: (text: string) => number,
  unit: string,
): Judgement {
  if (typeof crmAiInfo !== 'string') return 'nothing';
  if (count(crmAiInfo) <= limits.crmAiInfoCharacters) return true;
  return {
    expected: `${part}.crmAiInfo of at most ${limits.crmAiInfoCharacters} ${unit}`,
    received: `${count(crmAiInfo)}`,
    part: { body: [part, 'crmAiInfo'] },
  };
}

function violations(part: CrmDataPart, data: Record<string, unknown>): (Violation & { value: unknown })[] {
  return validate(schemaOf[part], data).map((violation) => ({ ...violation, value: valueAt(data, violation.pointer) }));
}

function violationFinding(part: CrmDataPart, { pointer, expected, received }: Violation): Finding {
  return {
    expected: `${part}${pointer} to be ${expected}`,
    received,
    part: { body: [part, ...parsePointer(pointer)] },
  };
}

/** Fields whose length or form is a separate requirement. */
function isTimeOrInfo(pointer: string): boolean {
  return pointer === '/crmAiInfo' || /^\/customOptIn[123]$/.test(pointer);
}

function isZonelessTimestamp(text: string): boolean {
  return formats['svc-timestamp'](text) && !/(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(text.slice('2026-10-11'.length));
}

function json(value: unknown): string {
  return value === undefined ? 'nothing' : shortJson(value);
}
