import type { CheckKit } from '../../harness/checks/check.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import { parseJson } from '../../harness/checks/json.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { WireExchange } from '../../harness/wire/observation.ts';
import { lookupEventTypes } from '../../specs/crm-event-types.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { bodyWith } from '../answer-bodies.ts';
import { bodyOfArrival, unreadBody } from '../json-object.ts';
import { notReadFault } from '../not-read-fault.ts';
import { conclude } from '../matchers/expect.ts';
import { isAccepted } from '../observed-effects.ts';
import { withoutTraffic } from '../without-traffic.ts';
import { describeAnswer } from '../matchers/describe-answer.ts';
import { postsOf } from './callback-findings.ts';
import { awaitCallbacks } from './callbacks.ts';
import { partPlaces } from './documented-places.ts';
import { deliverLookup, lookupsAtOnce } from './timed-lookups.ts';
import { dataPart, permittedStatuses } from './typical-answers.ts';

/** Fields by which the service identifies the contact: they are in the event, so they are no answer. */
const fieldsOfTheEvent = ['svcContactId', 'phoneNumber'];

/** Judges whether a lookup of the configured caller brought the contact, at once or by callback. */
export async function judgeKnownCaller(kit: CheckKit): Promise<void> {
  const { knownCaller } = kit.settings.config.stimuli;
  if (knownCaller === undefined) return kit.notExercised('No stimuli.knownCaller is configured.');
  await awaitCallbacks(kit);
  const lookups = kit.crm.delivered.filter((delivery) => isAnsweredLookup(delivery, knownCaller));
  const [first] = lookups;
  if (!first) return kit.notExercised('No lookup of the configured caller was answered 200, 202 or 204.');
  const found = lookups.map(contactIn);
  const withContact = found.find((one) => one.kind === 'contact');
  if (withContact) return conclude(withContact.exchange, undefined);
  for (const one of found) if (one.kind === 'unread') throw notReadFault(one.why, one.exchange);
  if (found.some(({ kind }) => kind === 'pending')) {
    return kit.notExercised('Lookups of the configured caller were answered 202, and not every callback came.');
  }
  conclude(first, {
    expected: `requestContactUpdate true with contactData in an answer to a lookup of stimuli.knownCaller`,
    received: `${lookups.length} answers without it, the first of them ${describeAnswer(first.answer)}`,
    hint: 'Check that the data of the endpoint under test contains this phone number, and that it finds the number in international form.',
    part: dataPart(first),
  });
}

function isAnsweredLookup({ answer, event }: CrmObservation, knownCaller: string): boolean {
  const { eventType, contactData } = event;
  return (
    lookupEventTypes.some((type) => type === eventType) &&
    isJsonObject(contactData) &&
    contactData.phoneNumber === knownCaller &&
    answer.outcome === 'answered' &&
    permittedStatuses.some((status) => status === answer.status)
  );
}

/** Times that lookups are sent at once: which of them is the last to arrive is left to chance. */
const mostRounds = 3;

/**
 * Judges whether lookups of an unknown caller, sent at the same moment as those of the configured caller, brought data of
 * the configured one. Not exercised unless lookups that were sent alone bring data of the configured caller only.
 */
export async function judgeCallersAtOnce(kit: CheckKit): Promise<void> {
  const { knownCaller } = kit.settings.config.stimuli;
  if (knownCaller === undefined) return kit.notExercised('No stimuli.knownCaller is configured.');
  const lookUpAlone = (phoneNumber: string) =>
    deliverLookup(kit, 'IncomingCallLookup', { phoneNumber }, { label: 'IncomingCallLookup, alone' });
  const [known, unknown] = await withoutTraffic(kit, async () => [
    await lookUpAlone(knownCaller),
    await lookUpAlone(unknownCaller),
  ]);
  const isUsual = isAccepted(unknown) && contactIn(unknown).kind === 'nothing' && contactIn(known).kind === 'contact';
  if (!isUsual || known.answer.outcome !== 'answered') {
    return kit.notExercised(
      'Sent alone, a lookup of the configured caller is not answered with its data at once, or one of an unknown caller is.',
    );
  }
  const { body } = known.answer;
  for (let round = 1; ; round++) {
    const lookups = await withoutTraffic(kit, () => lookupsAtOnce(kit, round));
    const foreign = lookups.find((one) => isAnsweredLookup(one, unknownCaller) && hasContactOf(body, one));
    if (foreign) {
      return conclude(contactIn(foreign).exchange, {
        expected: 'no contact for an unknown caller, as for the same caller alone',
        received: 'data of the configured caller, whose lookup arrived at the same moment',
        hint: 'Keep the number that is looked up with its request, not in a variable that requests share.',
        part: dataPart(foreign),
      });
    }
    const isMixedUp = lookups.some((one) => isAnsweredLookup(one, knownCaller) && contactIn(one).kind === 'nothing');
    if (isMixedUp && round < mostRounds) continue;
    const [first] = lookups;
    if (!lookups.some((one) => isAnsweredLookup(one, unknownCaller)) || !first)
      return kit.notExercised('No lookup of the unknown caller was answered.');
    return conclude(first, undefined);
  }
}

type LookupResult = { exchange: WireExchange } & (
  { kind: 'contact' | 'nothing' | 'pending' } | { kind: 'unread'; why: string }
);

/** The result of one lookup: its answer, or after a 202 its callback. */
function contactIn(delivery: CrmObservation): LookupResult {
  const { answer } = delivery;
  if ('status' in answer && answer.status === 202) {
    const [arrival] = postsOf(delivery);
    if (!arrival) return { exchange: delivery, kind: 'pending' };
    const unread = unreadBody(bodyOfArrival(arrival));
    if (unread) return { exchange: arrival, kind: 'unread', why: unread.unread };
    return { exchange: arrival, kind: hasContact(arrival.request.body) ? 'contact' : 'nothing' };
  }
  const read = bodyWith(200, answer);
  if (!read) return { exchange: delivery, kind: 'nothing' };
  if ('unread' in read) return { exchange: delivery, kind: 'unread', why: read.unread };
  return { exchange: delivery, kind: hasContact(read.body) ? 'contact' : 'nothing' };
}

function hasContact(body: Uint8Array): boolean {
  return contactFields(body).length > 0;
}

/** The documented fields of the contact in an answer, except for those of the event, with their values as JSON. */
function contactFields(body: Uint8Array): string[] {
  const parsed = parseJson(body);
  if ('error' in parsed || !isJsonObject(parsed.value)) return [];
  const { requestContactUpdate, contactData } = parsed.value;
  if (requestContactUpdate !== true || !isJsonObject(contactData)) return [];
  return Object.entries(contactData)
    .filter(([field]) => Object.hasOwn(partPlaces.contactData.fields, field) && !fieldsOfTheEvent.includes(field))
    .map((entry) => JSON.stringify(entry));
}

/**
 * Whether an answer contains what is known about a contact: two of its fields, or the only one. A single field, such as
 * the language, may be the same for many.
 */
function hasContactOf(known: Uint8Array, { answer }: CrmObservation): boolean {
  if (answer.outcome !== 'answered') return false;
  const own = contactFields(known).filter((field) => !field.endsWith(',null]'));
  const answered = new Set(contactFields(answer.body));
  const same = own.filter((field) => answered.has(field)).length;
  return same >= 2 || (same === 1 && own.length === 1);
}
