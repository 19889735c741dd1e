import type { Observation } from '../../harness/wire/observation.ts';
import type { Finding, FindingPart } from '../../harness/checks/finding.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { bodyOf, dataPart } from './typical-answers.ts';

const hint = 'Remember what was answered to a callbackUrl and answer the same event with it again.';

/**
 * The difference between two answers to the same event, by their outcome at the service: data of the first answer must
 * come again, since the service repeats an event whose answer it may not have got. After a 202 the data comes by the
 * callback, so any permitted second answer is fine, as is more data than at first.
 */
export function outcomeDifference(first: DeliveryAnswer, second: DeliveryAnswer): Finding | undefined {
  const [before, after] = [outcomeOf(first), outcomeOf(second)];
  if (!isData(before) || after === undefined || after === 'later') return undefined;
  if (after === 'nothing') {
    return {
      expected: 'the data of the first answer when the event is repeated',
      received: 'an answer without data',
      hint,
      part: dataPart(second),
    };
  }
  return idDifference(before, after, 'again') ?? contentDifference(first, second);
}

/**
 * The difference between two answers to one event that was delivered twice at the same moment. Which of the two is
 * served first is open, so the answers are compared as a set: one may bring the data and the other nothing.
 */
export function simultaneousDifference(one: DeliveryAnswer, other: DeliveryAnswer): Finding | undefined {
  const outcomes = [outcomeOf(one), outcomeOf(other)] as const;
  return isData(outcomes[0]) && isData(outcomes[1]) ? idDifference(outcomes[0], outcomes[1], 'at once') : undefined;
}

/** Whether an answer has data for the service: a part with its flag. */
export function hasFlaggedPart(answer: DeliveryAnswer): boolean {
  return isData(outcomeOf(answer));
}

function isData(outcome: RedeliveryOutcome | undefined): outcome is Data {
  return typeof outcome === 'object';
}

function idDifference(before: Data, after: Data, when: 'again' | 'at once'): Finding | undefined {
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  return {
    expected: `the same parts and ids when the event comes ${when} (${JSON.stringify(before)})`,
    received: JSON.stringify(after),
    hint,
    part: differingPart(before, after),
  };
}

/** A field of a flagged part that had content in the first answer and has none in the second. */
function contentDifference(first: DeliveryAnswer, second: DeliveryAnswer): Finding | undefined {
  for (const part of ['contactData', 'projectData'] as const) {
    const [before, after] = [flaggedPart(first, part), flaggedPart(second, part)];
    if (!before || !after) continue;
    const lost = Object.keys(before).find((field) => hasContent(before[field]) && !hasContent(after[field]));
    if (lost === undefined) continue;
    return {
      expected: `the content of the first answer when the event is repeated, with ${part}.${lost}`,
      received: Object.hasOwn(after, lost) ? `${shortJson(after[lost])} there` : 'an answer without it',
      hint,
      part: { body: [part, lost] },
    };
  }
  return undefined;
}

function flaggedPart(answer: DeliveryAnswer, part: 'contactData' | 'projectData'): Record<string, unknown> | undefined {
  const body = bodyOf(answer);
  if (!isJsonObject(body)) return undefined;
  const { [part]: data } = body;
  const flag = part === 'contactData' ? body.requestContactUpdate : body.requestProjectUpdate;
  return flag === true && isJsonObject(data) ? data : undefined;
}

function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return value !== undefined && value !== null && value !== '';
}

type DeliveryAnswer = Pick<Observation, 'answer'>;
type Data = { contact?: unknown; project?: unknown };
type RedeliveryOutcome = 'later' | 'nothing' | Data;

/** The place where the second answer differs: the id of a part, or the flag of a missing one. */
function differingPart(before: Data, after: Data): FindingPart {
  if (before.contact !== after.contact) {
    return { body: 'contact' in after ? ['contactData', 'crmContactId'] : ['requestContactUpdate'] };
  }
  return { body: 'project' in after ? ['projectData', 'crmProjectId'] : ['requestProjectUpdate'] };
}

/** Strings may differ (they may contain the time), but not disappear; parts and ids must not differ. */
function outcomeOf(observation: DeliveryAnswer): RedeliveryOutcome | undefined {
  const { answer } = observation;
  if (answer.outcome !== 'answered') return undefined;
  if (answer.status === 202) return 'later';
  const body = bodyOf(observation) as {
    requestContactUpdate?: unknown;
    contactData?: { crmContactId?: unknown } | null;
    requestProjectUpdate?: unknown;
    projectData?: { crmProjectId?: unknown } | null;
  } | null;
  const outcome = {
    ...(body?.requestContactUpdate === true ? { contact: body.contactData?.crmContactId ?? null } : {}),
    ...(body?.requestProjectUpdate === true ? { project: body.projectData?.crmProjectId ?? null } : {}),
  };
  return Object.keys(outcome).length === 0 ? 'nothing' : outcome;
}
