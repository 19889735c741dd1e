import type { Observation } from '../../harness/wire/observation.ts';
import type { Finding, FindingPart } from '../../harness/checks/finding.ts';
import { bodyOf, dataPart } from './typical-answers.ts';

const hint = 'Remember what was answered to a callbackUrl and answer the same event with it again.';

/**
 * The difference between two answers to the same event, by their outcome at the service: data of the first answer must
 * come again, since the service repeats an event whose answer it may not have got. After a 202 the data comes by the
 * callback, so any permitted second answer is fine, as is more data than at first.
 */
export function outcomeDifference(
  first: DeliveryAnswer,
  second: DeliveryAnswer,
  when: 'again' | 'at once' = 'again',
): Finding | undefined {
  const [before, after] = [outcomeOf(first), outcomeOf(second)];
  if (before === undefined || after === undefined) return undefined;
  if (before === 'nothing' || after === 'later') return undefined;
  if (before === 'later') return undefined;
  if (after === 'nothing') {
    return {
      expected: `the data of the first answer when the event comes ${when}`,
      received: 'an answer without data',
      hint,
      part: dataPart(second),
    };
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  return {
    expected: `the same parts and ids when the event comes ${when} (${JSON.stringify(before)})`,
    received: JSON.stringify(after),
    hint,
    part: differingPart(before, after),
  };
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

/** Strings may differ (they may contain the time); parts and ids must not. */
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
