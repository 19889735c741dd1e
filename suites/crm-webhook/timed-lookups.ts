import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmDeliveryOptions, CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { limits } from '../../specs/limits.ts';
import type { LookupEventType } from '../../specs/crm-event-types.ts';
import { timed } from '../certain-time.ts';

/** Milliseconds beyond the limit for which an answer is awaited, to report how late it is. */
const beyondLimitMs = 3_000;
/** Name of the times in the report. */
export const lookupTimes = 'crm-webhook/lookup';

/** Times one lookup by itself; measured again where our own delay decides. */
export function lookUp(
  kit: CheckKit,
  type: LookupEventType,
  contact: { phoneNumber?: string } = {},
  options: CrmDeliveryOptions = {},
): Promise<CrmObservation> {
  return timed(kit, lookupTimes, () => deliverLookup(kit, type, contact, options));
}

/** Delivers a lookup whose answer is timed; by default of the configured caller. */
export async function deliverLookup(
  { crm, sample }: CheckKit,
  type: LookupEventType,
  contact: { phoneNumber?: string },
  options: CrmDeliveryOptions,
): Promise<CrmObservation> {
  return await crm.deliver(sample.crmEvent(type, { contactData: sample.contactData(contact) }), {
    timed: true,
    limitMs: limits.crmLookupAnswerMs,
    timeoutMs: limits.crmLookupAnswerMs + beyondLimitMs,
    ...options,
  });
}
