import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { lookupEventTypes, type LookupEventType } from '../../specs/crm-event-types.ts';
import { limits } from '../../specs/limits.ts';
import { timedTogether } from '../certain-time.ts';
import { once } from '../once.ts';
import { withoutTraffic } from '../without-traffic.ts';
import { callersOf, deliverLookup, lookupTimes } from './timed-lookups.ts';

/** Events that an endpoint may work on for longer: they have no limit, and must not delay a lookup. */
export const otherTypes = ['FinishedCall', 'FormSubmitted', 'AppointmentCreated'] as const;
/** Milliseconds by which the other events are ahead, so that the endpoint is handling them when a lookup arrives. */
const headStartMs = 25;
/** The same at least, and at most where the other event was answered before the lookup was sent. */
const [leastAheadMs, mostAheadMs] = [headStartMs / 2, 4 * headStartMs];
/** Milliseconds beyond the limit after which the other events are not waited for: by then a lookup would be late. */
const otherBeyondLimitMs = 500;

type OtherType = (typeof otherTypes)[number];

interface Lookup {
  type: LookupEventType;
  phoneNumber: string;
}

/** A lookup during another event. */
export interface DuringOther extends Lookup {
  other: OtherType;
}

/** A lookup while one other event is in flight, and nothing else. */
export async function lookUpDuring(kit: CheckKit, { other, ...lookup }: DuringOther): Promise<CrmObservation> {
  const [measured] = await timedTogether(
    kit,
    lookupTimes,
    async () => (await sendDuring(kit, [other], [lookup])).lookups,
  );
  return measured as CrmObservation;
}

/**
 * A lookup while several other events are in flight, this one among them; `undefined` if this one was answered too early.
 * All lookups of this kind are sent at once, and once in a run.
 */
export async function lookUpDuringAll(
  kit: CheckKit,
  { other, type, phoneNumber }: DuringOther,
): Promise<CrmObservation | undefined> {
  const wanted = callersOf(kit).flatMap((caller) =>
    lookupEventTypes.map((lookupType) => ({ type: lookupType, phoneNumber: caller })),
  );
  const { others, lookups } = await once(kit.session, 'crm lookups during other events', () =>
    withoutTraffic(kit, async () => {
      let sent = noneSent;
      await timedTogether(kit, lookupTimes, async () => {
        sent = await sendDuring(kit, otherTypes, wanted);
        return sent.lookups;
      });
      return sent;
    }),
  );
  const lookup = lookups[wanted.findIndex((one) => one.type === type && one.phoneNumber === phoneNumber)];
  const ahead = others[otherTypes.indexOf(other)];
  return lookup && ahead && isDuring(lookup, ahead) ? lookup : undefined;
}

interface Sent {
  others: CrmObservation[];
  lookups: CrmObservation[];
}

const noneSent: Sent = { others: [], lookups: [] };

/** Sends lookups while other events are in flight. Returns after all have ended. */
async function sendDuring(kit: CheckKit, types: readonly OtherType[], wanted: readonly Lookup[]): Promise<Sent> {
  const ahead = types.map((type) =>
    kit.crm.deliver(kit.sample.crmEvent(type), {
      label: `${type} during a lookup`,
      timed: true,
      timeoutMs: limits.crmLookupAnswerMs + otherBeyondLimitMs,
    }),
  );
  const others = Promise.all(ahead);
  // One may fail before anything waits for it.
  others.catch(() => undefined);
  await new Promise((wake) => setTimeout(wake, headStartMs));
  const lookups = wanted.map(({ type, phoneNumber }) =>
    deliverLookup(kit, type, { phoneNumber }, { label: `${type} while ${listed(types)} in flight` }),
  );
  return { lookups: await Promise.all(lookups), others: await others };
}

function listed(types: readonly OtherType[]): string {
  return types.length === 1 ? `${types.join()} is` : 'other events are';
}

/** The other event was not answered before the lookup was sent, or only just, so that the endpoint may still work on it. */
function isDuring(lookup: CrmObservation, { at, times }: CrmObservation): boolean {
  const aheadMs = lookup.at - at - (times.connectMs ?? 0);
  return aheadMs >= leastAheadMs && aheadMs < Math.max(times.totalMs ?? 0, mostAheadMs);
}
