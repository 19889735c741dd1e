import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { measuredTime } from '../../harness/wire/timeliness.ts';
import type { LookupEventType } from '../../specs/crm-event-types.ts';
import { isInTime, recordTime, timed, untilCertain } from '../certain-time.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import { expect } from '../matchers/expect.ts';
import { withoutTraffic } from '../without-traffic.ts';
import { comparedCallbackMs } from './await-callback.ts';
import { measureOnce, requireQuick } from './lookup-connections.ts';
import { lookUpAfterAnswer, lookUpDuring, lookUpDuringAll, type LookupDuringEvent } from './lookups-during-events.ts';
import { deliverLookup, lookupTimes } from './timed-lookups.ts';

/** Times that lookups during the work on a call must be late. */
const confirmations = 2;
/** Lookups one after the other, so that one slow answer of several is noticed. */
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
  if (among && isAcceptedInTime(among)) return judgeInTime(among);
  await withoutTraffic(kit, async () => expect(await measureAlone()).toBeInTime());
}

/**
 * Judges the times of a few lookups, one after the other: of the configured caller, or each of another unknown one, which
 * may take longer for the first time. If one of them is late among other traffic, all are timed again with no other traffic.
 */
export async function judgeLookupsInARow(kit: CheckKit, type: LookupEventType, knownCaller?: string): Promise<void> {
  const lookUp = () => deliverLookup(kit, type, { phoneNumber: knownCaller ?? kit.sample.newCustomer().phone });
  const among: CrmObservation[] = [];
  do among.push(await lookUp());
  while (among.every(isAcceptedInTime) && among.length < inARow);
  if (among.every(isAcceptedInTime)) return among.forEach(judgeInTime);
  await withoutTraffic(kit, async () => {
    for (let nth = 1; nth <= inARow; nth++) {
      // With no other traffic, no connection is open.
      const isShared = nth === 1 && knownCaller !== undefined;
      const measured = isShared
        ? measureOnce(kit, 'fresh', type, { phoneNumber: knownCaller })
        : timed(kit, lookupTimes, lookUp);
      expect(await measured).toBeInTime();
    }
  });
}

/**
 * Judges the time of a lookup while the endpoint handles another event. A lookup that is in time while several events are
 * handled is in time. Otherwise it is sent again, with the one event as the only other traffic.
 */
export async function judgeLookupDuring(kit: CheckKit, situation: LookupDuringEvent): Promise<void> {
  const among = await lookUpDuringAll(kit, situation);
  if (among && isAcceptedInTime(among)) return judgeInTime(among);
  const { type, phoneNumber } = situation;
  await withoutTraffic(kit, async () => {
    for (const connection of ['fresh', 'kept'] as const) await requireQuick(kit, connection, type, { phoneNumber });
    expect(await lookUpDuring(kit, situation)).toBeInTime();
  });
}

/**
 * Judges the times of lookups while the endpoint works on a finished call that it has answered 202. If one is late, the
 * same is done twice with no other traffic, and compared with as many lookups without such work.
 */
export async function judgeLookupsAfterAnswer(kit: CheckKit): Promise<void> {
  const unknown =
    'It is not known that work on FinishedCall follows its answer: it was not answered 202, or called back first.';
  const among = (await lookUpAfterAnswer(kit)) ?? kit.notExercised(unknown);
  if (among.every(isAcceptedInTime)) return among.forEach(judgeInTime);
  await withoutTraffic(kit, async () => {
    await Promise.all(
      kit.crm.answeredLater.map(({ callback }) => callback.atLeast(1, { withinMs: comparedCallbackMs(kit.settings) })),
    );
    for (let sent = 0; sent < among.length; sent++) {
      const usual = await deliverLookup(kit, 'IncomingCallLookup', {}, { label: 'a lookup without other events' });
      if (!isAcceptedInTime(usual))
        kit.notExercised('A lookup is late without such work too; other checks judge that.');
    }
    for (let time = 1; ; time++) {
      const lookups = await untilCertain(
        kit,
        () => lookUpAfterAnswer(kit),
        (sent) => (sent ?? []).map(measuredTime),
      );
      if (!lookups) kit.notExercised(unknown);
      if (lookups.every(isAcceptedInTime) || time === confirmations) {
        return lookups.forEach((lookup) => expect(lookup).toBeInTime());
      }
    }
  });
}

/** Judges a lookup that is in time, whatever else was handled. */
function judgeInTime(lookup: CrmObservation): void {
  recordTime(lookupTimes, measuredTime(lookup));
  expect(lookup).toBeInTime();
}

/** Whether a lookup is accepted and in time for certain. */
function isAcceptedInTime(lookup: CrmObservation): boolean {
  const { answer } = lookup;
  return answer.outcome === 'answered' && isSuccess(answer.status) && isInTime(lookup);
}
