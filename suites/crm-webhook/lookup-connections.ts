import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { LookupEventType } from '../../specs/crm-event-types.ts';
import { timed } from '../certain-time.ts';
import { toBeInTime } from '../matchers/answer-matchers.ts';
import { once } from '../once.ts';
import { deliverLookup, lookupTimes, type Caller } from './timed-lookups.ts';

/** Attempts to get a kept connection among other traffic. */
const mostTaken = 2;

/** Ways to measure a lookup, by the connection that it uses. */
const measures = { fresh: freshLookup, kept: keptLookup };

/** A lookup on a new connection. */
export function freshLookup(kit: CheckKit, type: LookupEventType, contact: Caller): Promise<CrmObservation> {
  return deliverLookup(kit, type, contact, { fresh: true });
}

/** A lookup after another one, so that it comes on the connection of that one if the endpoint keeps it. */
async function keptLookup(kit: CheckKit, type: LookupEventType, contact: Caller): Promise<CrmObservation> {
  await deliverLookup(kit, type, contact, { label: `${type} that opens a connection` });
  return await nextLookup(kit, type, contact);
}

/** The same among other traffic, which may take the connection; `undefined` where it does each time. */
export async function keptLookupAmongOthers(
  kit: CheckKit,
  type: LookupEventType,
  contact: Caller,
): Promise<CrmObservation | undefined> {
  let answer = await keptLookup(kit, type, contact);
  for (let more = 1; more < mostTaken && !isKept(answer); more++) answer = await nextLookup(kit, type, contact);
  return isKept(answer) ? answer : undefined;
}

async function nextLookup(kit: CheckKit, type: LookupEventType, contact: Caller): Promise<CrmObservation> {
  // The client releases a connection only in a later tick.
  await new Promise((wake) => setImmediate(wake));
  return await deliverLookup(kit, type, contact, { label: `${type} after another one` });
}

/** Whether a lookup came on a connection that was used before. */
export function isKept({ times }: CrmObservation): boolean {
  return times.connectMs === null;
}

/** One measurement with no other traffic serves the check of its situation and those that compare theirs with it. */
export function measureOnce(
  kit: CheckKit,
  connection: keyof typeof measures,
  type: LookupEventType,
  contact: Caller,
): Promise<CrmObservation> {
  const { phoneNumber } = kit.sample.contactData(contact);
  return once(kit.session, `crm ${connection} ${type} ${phoneNumber}`, () =>
    timed(kit, lookupTimes, () => measures[connection](kit, type, contact)),
  );
}

/** Ends the check where the same lookup is late without the situation: then the situation is not the cause. */
export async function requireQuick(
  kit: CheckKit,
  connection: keyof typeof measures,
  type: LookupEventType,
  contact: Caller,
): Promise<void> {
  const late = toBeInTime(await measureOnce(kit, connection, type, contact));
  if (late) kit.notExercised(`The same ${type} is late in an ordinary situation too: ${late.received}.`);
}
