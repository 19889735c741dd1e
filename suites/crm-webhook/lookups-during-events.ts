import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { measuredTime } from '../../harness/wire/timeliness.ts';
import { lookupEventTypes, type LookupEventType } from '../../specs/crm-event-types.ts';
import { limits } from '../../specs/limits.ts';
import { lateFirst, timed, untilCertain } from '../certain-time.ts';
import { once } from '../once.ts';
import { withoutTraffic } from '../without-traffic.ts';
import { callersToLookUp, deliverLookup, lookupTimes } from './timed-lookups.ts';

/** Events that an endpoint may work on for longer: they have no limit, and must not delay a lookup. */
export const typesWithoutLimit = ['FinishedCall', 'FormSubmitted', 'AppointmentCreated'] as const;
/** Milliseconds by which the other events are ahead, so that the endpoint is handling them when a lookup arrives. */
const headStartMs = 25;
/** The same at least, and at most where the other event was answered before the lookup was sent. */
const [leastAheadMs, mostAheadMs] = [headStartMs / 2, 4 * headStartMs];
/** Milliseconds beyond the limit of a lookup for which an event is awaited that was never answered before. */
const beyondLimitMs = 500;

/** Milliseconds after a 202 in which lookups are sent while the endpoint works on its event, and between two of them. */
const workWatchedMs = 3_000;
const betweenLookupsMs = 250;

type TypeWithoutLimit = (typeof typesWithoutLimit)[number];

/** A lookup during another event. */
export interface LookupDuringEvent {
  type: LookupEventType;
  phoneNumber: string;
  other: TypeWithoutLimit;
}

/** Sends a lookup while one other event is in flight, and nothing else. */
export async function lookUpDuring(
  kit: CheckKit,
  { type, phoneNumber, other }: LookupDuringEvent,
): Promise<CrmObservation> {
  const label = `${type} while ${other} is in flight`;
  return await timed(kit, lookupTimes, async () => {
    const { looked } = await during(kit, [other], () => deliverLookup(kit, type, { phoneNumber }, { label }));
    return looked;
  });
}

/**
 * A lookup that was sent while several other events were in flight, among them `other`; `undefined` if `other` was answered
 * too early. All lookups are sent at once, and once in a run.
 */
export async function lookUpDuringAll(
  kit: CheckKit,
  { type, phoneNumber, other }: LookupDuringEvent,
): Promise<CrmObservation | undefined> {
  const wanted = callersToLookUp(kit).flatMap((caller) => lookupEventTypes.map((one) => ({ type: one, caller })));
  const send = () =>
    during(kit, typesWithoutLimit, () =>
      Promise.all(
        wanted.map((one) =>
          deliverLookup(
            kit,
            one.type,
            { phoneNumber: one.caller },
            { label: `${one.type} while other events are in flight` },
          ),
        ),
      ),
    );
  const { looked, others } = await once(kit.session, 'crm lookups during other events', () =>
    withoutTraffic(kit, () => untilCertain(kit, send, (sent) => sent.looked.map(measuredTime))),
  );
  const lookup = looked[wanted.findIndex((one) => one.type === type && one.caller === phoneNumber)];
  const ahead = others[typesWithoutLimit.indexOf(other)];
  return lookup && ahead && isDuring(lookup, ahead) ? lookup : undefined;
}

/**
 * Lookups one after the other while the endpoint may still work on a finished call that it has answered 202: until the
 * callback comes, but not longer than that work is watched. `undefined` where the call was answered otherwise, or called
 * back before a lookup. Those that are late for certain come first.
 */
export async function lookUpAfterAnswer(kit: CheckKit): Promise<CrmObservation[] | undefined> {
  const { crm, sample } = kit;
  const call = await crm.deliver(sample.crmEvent('FinishedCall'), { label: 'FinishedCall before lookups' });
  const isAnsweredLater = call.answer.outcome === 'answered' && call.answer.status === 202;
  if (!isAnsweredLater || call.callback.arrivals.length > 0) return undefined;
  const lookups: CrmObservation[] = [];
  const endsAt = call.answeredAt + workWatchedMs;
  do {
    const label = 'IncomingCallLookup after FinishedCall was answered 202';
    lookups.push(await deliverLookup(kit, 'IncomingCallLookup', {}, { label }));
    await call.callback.nextChange({ withinMs: betweenLookupsMs });
  } while (call.callback.arrivals.length === 0 && performance.now() < endsAt);
  return lateFirst(lookups, measuredTime);
}

/**
 * Looks up while other events are in flight. Returns after all have ended: what the endpoint still worked on would delay
 * the next lookup.
 */
async function during<T>(
  { crm, sample, settings }: CheckKit,
  types: readonly TypeWithoutLimit[],
  lookUp: () => Promise<T>,
): Promise<{ looked: T; others: CrmObservation[] }> {
  const others = Promise.all(
    types.map((type) =>
      crm.deliver(sample.crmEvent(type), {
        label: `${type} during a lookup`,
        timed: true,
        timeoutMs: crm.isUnanswered(type) ? limits.crmLookupAnswerMs + beyondLimitMs : settings.answerTimeoutMs,
      }),
    ),
  );
  // One may fail before anything waits for it.
  others.catch(() => undefined);
  await new Promise((wake) => setTimeout(wake, headStartMs));
  return { looked: await lookUp(), others: await others };
}

/** The other event was not answered before the lookup was sent, or only just, so that the endpoint may still work on it. */
function isDuring(lookup: CrmObservation, { at, times }: CrmObservation): boolean {
  const aheadMs = lookup.at - at - (times.connectMs ?? 0);
  return aheadMs >= leastAheadMs && aheadMs < Math.max(times.totalMs ?? 0, mostAheadMs);
}
