import type { CheckKit } from '../../harness/checks/check.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import type { CrmDeliveryOptions, CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { limits } from '../../specs/limits.ts';
import type { LookupEventType } from '../../specs/crm-event-types.ts';
import { timedTogether } from '../certain-time.ts';
import { once } from '../once.ts';

/** Milliseconds beyond the limit for which an answer is awaited, to report how late it is. */
const beyondLimitMs = 3_000;
/** Name of the times in the report. */
export const lookupTimes = 'crm-webhook/lookup';

/** Lookups at the same moment. */
const lookupsTogether = 10;

/**
 * Lookups of the configured and of an unknown caller by turns, all at the same moment; those of each round are sent once in
 * a run. Only the times of the first round are recorded.
 */
export function lookupsAtOnce(kit: CheckKit, round = 1): Promise<CrmObservation[]> {
  const lookups = Array.from({ length: lookupsTogether }, (_, at) => ({
    label: `IncomingCallLookup, ${at + 1} of ${lookupsTogether} at once`,
    contact: at % 2 === 0 ? { phoneNumber: unknownCaller } : {},
  }));
  const together = () =>
    Promise.all(lookups.map(({ label, contact }) => deliverLookup(kit, 'IncomingCallLookup', contact, { label })));
  return once(kit.session, `crm lookups at once, round ${round}`, () =>
    round === 1 ? timedTogether(kit, lookupTimes, together) : together(),
  );
}

/** The phone numbers of an unknown caller, and of the configured one if there is one. */
export function callersToLookUp({ settings: { config } }: CheckKit): string[] {
  return [...new Set([unknownCaller, config.stimuli.knownCaller ?? unknownCaller])];
}

/** A caller that is looked up; by default the configured one. */
export type Caller = { phoneNumber?: string };

/** Delivers a lookup whose answer is timed. */
export async function deliverLookup(
  { crm, sample }: CheckKit,
  type: LookupEventType,
  contact: Caller = {},
  options: CrmDeliveryOptions = {},
): Promise<CrmObservation> {
  return await crm.deliver(sample.crmEvent(type, { contactData: sample.contactData(contact) }), {
    timed: true,
    limitMs: limits.crmLookupAnswerMs,
    timeoutMs: limits.crmLookupAnswerMs + beyondLimitMs,
    ...options,
  });
}
