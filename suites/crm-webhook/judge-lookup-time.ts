import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { measuredTime } from '../../harness/wire/timeliness.ts';
import type { LookupEventType } from '../../specs/crm-event-types.ts';
import { isInTime, recordTime, timed } from '../certain-time.ts';
import { isSuccess } from '../matchers/answer-status.ts';
import { expect } from '../matchers/expect.ts';
import { withoutTraffic } from '../without-traffic.ts';
import { measureOnce } from './lookup-connections.ts';
import { deliverLookup, lookupTimes } from './timed-lookups.ts';

/** Lookups one after the other per caller: one slow first answer (a cold cache) and two after it. */
const inARow = 3;

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
  if (among && isAcceptedInTime(among)) {
    recordTime(lookupTimes, measuredTime(among));
    expect(among).toBeInTime();
    return;
  }
  await withoutTraffic(kit, async () => expect(await measureAlone()).toBeInTime());
}

/** Judges the times of a few lookups of one caller, one after the other. */
export async function judgeLookupsInARow(kit: CheckKit, type: LookupEventType, phoneNumber: string): Promise<void> {
  const lookUp = () => deliverLookup(kit, type, { phoneNumber });
  // With no other traffic, no connection is open.
  await judgeLookupTime(kit, lookUp, () => measureOnce(kit, 'fresh', type, { phoneNumber }));
  for (let nth = 2; nth <= inARow; nth++) await judgeLookupTime(kit, lookUp, () => timed(kit, lookupTimes, lookUp));
}

function isAcceptedInTime(lookup: CrmObservation): boolean {
  const { answer } = lookup;
  return answer.outcome === 'answered' && isSuccess(answer.status) && isInTime(lookup);
}
