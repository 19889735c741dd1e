import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { FindingPart } from '../../harness/checks/finding.ts';
import { parseJson } from '../../harness/checks/json.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import type { CrmEvent } from '../../specs/generated/types.ts';
import { outcomePart } from '../matchers/answer-matchers.ts';
import { once } from '../once.ts';
import { crmEventTypes, lookupEventTypes } from '../../specs/crm-event-types.ts';

/** Statuses that an event may be answered with (interface: CRM webhook answer). */
export const permittedStatuses = [200, 202, 204] as const;

/** The answer to one plain event of a type, for the known caller where one is configured. */
export function typicalAnswer(
  { session, crm, sample }: CheckKit,
  type: CrmEvent['eventType'],
): Promise<CrmObservation> {
  return once(session, `crm ${type}`, () => crm.deliver(sample.crmEvent(type), { callbackDue: true }));
}

/** The answer to a lookup of a caller that the endpoint cannot know. */
export function unknownCallerAnswer(
  { session, crm, sample }: CheckKit,
  type: (typeof lookupEventTypes)[number],
): Promise<CrmObservation> {
  return once(session, `crm ${type} unknown caller`, () =>
    crm.deliver(sample.crmEvent(type, { contactData: sample.contactData({ phoneNumber: unknownCaller }) }), {
      label: `${type} of an unknown caller`,
      callbackDue: true,
    }),
  );
}

/** The answers to one plain event of every type, and to lookups of an unknown caller. */
export function typicalAnswers(kit: CheckKit): Promise<CrmObservation[]> {
  return Promise.all([
    ...crmEventTypes.map((type) => typicalAnswer(kit, type)),
    ...lookupEventTypes.map((type) => unknownCallerAnswer(kit, type)),
  ]);
}

/** The part of an answer that shows which data it has: its body, or without one its status. */
export function dataPart({ answer }: Pick<CrmObservation, 'answer'>): FindingPart | undefined {
  return answer.outcome === 'answered' && answer.bodyBytes > 0 ? { body: [] } : outcomePart(answer);
}

/** The parsed body of a 200 answer; `undefined` for another status or a body that is not JSON. */
export function bodyOf({ answer }: Pick<CrmObservation, 'answer'>): unknown {
  if (answer.outcome !== 'answered' || answer.status !== 200) return undefined;
  const parsed = parseJson(answer.body);
  return 'error' in parsed ? undefined : parsed.value;
}
