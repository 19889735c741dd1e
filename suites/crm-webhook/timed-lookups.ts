import type { CheckKit } from '../../harness/checks/check.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import type { CrmDeliveryOptions, CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { limits } from '../../specs/limits.ts';
import type { LookupEventType } from '../../specs/crm-event-types.ts';
import { measuredTime } from '../../harness/wire/timeliness.ts';
import { isInTime, recordTime, timed, timedTogether } from '../certain-time.ts';
import { isSuccess } from '../matchers/answer-status.ts';
import { expect } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { withoutTraffic } from '../without-traffic.ts';

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

/**
 * Judges the time of a lookup. In time among other traffic is in time. Otherwise it is timed again with no other traffic,
 * so that neither our traffic nor a busy moment decides.
 *
 * @param measure sends the lookup; `undefined` if other traffic has changed its situation
 * @param measureAlone sends it with no other traffic; may end the check
 */
export async function judgeLookupTime(
  kit: CheckKit,
  measure: () => Promise<CrmObservation | undefined>,
  measureAlone: () => Promise<CrmObservation>,
): Promise<void> {
  const among = await measure();
  const { answer } = among ?? {};
  if (among && answer?.outcome === 'answered' && isSuccess(answer.status) && isInTime(among)) {
    recordTime(lookupTimes, measuredTime(among));
    expect(among).toBeInTime();
    return;
  }
  await withoutTraffic(kit, async () => expect(await measureAlone()).toBeInTime());
}

/** Lookups one after the other per caller: one slow first answer (a cold cache) and two after it. */
const inARow = 3;

/** Judges the times of a few lookups of one caller, one after the other. */
export async function judgeLookupsInARow(kit: CheckKit, type: LookupEventType, phoneNumber: string): Promise<void> {
  const lookUp = () => deliverLookup(kit, type, { phoneNumber }, {});
  for (let at = 0; at < inARow; at++) await judgeLookupTime(kit, lookUp, () => timed(kit, lookupTimes, lookUp));
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
