import type { CheckKit } from '../../harness/checks/check.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { conclude } from '../matchers/expect.ts';
import { isAccepted } from '../observed-effects.ts';
import { once } from '../once.ts';
import { withoutTraffic } from '../without-traffic.ts';
import { awaitCallback, comparedCallbackMs } from './await-callback.ts';
import {
  commonFields,
  contactIn,
  fieldsWithContent,
  isAnsweredLookup,
  phoneIn,
  type ContactFields,
  type LookupResult,
} from './lookup-contact.ts';
import { deliverLookup, lookupsAtOnce } from './timed-lookups.ts';

/** Times that lookups are sent at once: which of them is the last to arrive is left to chance. */
const mostRounds = 3;
/** Common fields from which two answers are about one record: one alone, such as the language, may be the same for many. */
const fewestCommonFields = 2;
/**
 * Characters that a number of another caller shares with the configured one at its beginning, or at its end after the
 * first ones. With more of them, it could be a number of the same company. Some of these numbers are not valid, and an
 * endpoint may refuse them.
 */
const sharedBeginning = 6;
const sharedEnd = 3;
const sharedBeforeEnd = 3;

/** Results of lookups that were sent one after the other, with no other event in flight. */
interface CallersAlone {
  /** The fields of the configured caller. */
  known: ContactFields;
  unknown: LookupResult;
  /** Of unknown callers whose numbers resemble that of the configured one. */
  resembling: readonly LookupResult[];
}

/**
 * Judges whether lookups of an unknown caller, sent at the same moment as those of the configured caller, brought data of
 * the configured one. Not exercised unless lookups that were sent alone bring data of the configured caller only.
 */
export async function judgeCallersAtOnce(kit: CheckKit): Promise<void> {
  const { known, unknown } = await callersAlone(kit);
  if (unknown.kind !== 'nothing') {
    return kit.notExercised(
      'A lookup of an unknown caller is answered with data, or not at all, also when sent alone.',
    );
  }
  for (let round = 1; ; round++) {
    const lookups = await withoutTraffic(
      kit,
      async () => {
        const answered = await lookupsAtOnce(kit, round);
        await Promise.all(answered.map((lookup) => contactOf(kit, lookup)));
        return answered;
      },
      'surface',
    );
    const knownNumber = kit.sample.contactData().phoneNumber;
    const answered = lookups.filter(isAnsweredLookup);
    // The unknown caller has another number than usual where a request to API v1 gave that one to a contact.
    const isOfKnown = ({ event }: CrmObservation) => phoneIn(event) === knownNumber;
    const ofUnknown = answered.filter((one) => !isOfKnown(one)).map(contactIn);
    const foreign = ofUnknown.find((one) => one.kind === 'contact' && isRecordOf(known, one.fields));
    if (foreign) {
      return conclude(foreign.exchange, {
        expected: 'no contact for an unknown caller, as for the same caller alone',
        received: 'data of the configured caller, whose lookup arrived at the same moment',
        hint: 'Keep the number that is looked up with its request, not in a variable that requests share.',
        part: { body: [] },
      });
    }
    const isMixedUp = answered.some((one) => isOfKnown(one) && contactIn(one).kind === 'nothing');
    if (isMixedUp && round < mostRounds) continue;
    const judged = ofUnknown.find(({ kind }) => kind === 'nothing' || kind === 'contact');
    if (!judged) return kit.notExercised('No lookup of the unknown caller was answered.');
    return conclude(judged.exchange, undefined);
  }
}

/**
 * Judges whether an unknown caller is answered with the record of the configured one. Other data may be a contact that
 * the endpoint has created for the caller.
 */
export async function judgeOwnData(kit: CheckKit): Promise<void> {
  const { known, unknown, resembling } = await callersAlone(kit);
  // A receiver may send back the fields of the event, such as the language.
  const plain: Record<string, unknown> = { ...kit.sample.contactWithoutCrmData() };
  for (const answered of [unknown, ...resembling]) {
    if (answered.kind === 'nothing') conclude(answered.exchange, undefined);
    if (answered.kind !== 'contact') continue;
    const common = commonFields(known, answered.fields).filter(
      (field) => known.get(field) !== JSON.stringify(plain[field]),
    );
    if (!common.includes('crmContactId') || common.length < fewestCommonFields) continue;
    const whose = answered === unknown ? '' : ', whose number begins or ends like this one';
    conclude(answered.exchange, {
      expected: 'no contact for an unknown caller, or another one',
      received: `the ${common.join(', ')} of the configured caller${whose}`,
      hint: 'Check that the search by phone number has its condition and compares the whole number, and that nothing found for an earlier caller is kept. If all callers without a record share one, check that stimuli.knownCaller has its own.',
      part: { body: ['contactData', 'crmContactId'] },
    });
  }
  if ([unknown, ...resembling].some(({ kind }) => kind === 'nothing')) return;
  kit.notExercised(
    unknown.kind === 'contact'
      ? 'An unknown caller is answered with data that may be its own.'
      : 'A lookup of an unknown caller brought no answer or callback.',
  );
}

/** Numbers of other callers that begin or end like this one. */
function numbersLike(number: string): string[] {
  const other = (part: string) => part.replaceAll(/\d/g, (digit) => String((Number(digit) + 5) % 10));
  const between = number.slice(sharedBeforeEnd, -sharedEnd);
  return between.length < sharedEnd
    ? []
    : [
        number.slice(0, sharedBeginning) + other(number.slice(sharedBeginning)),
        number.slice(0, sharedBeforeEnd) + other(between) + number.slice(-sharedEnd),
      ];
}

/** Looks up the callers once in a run. Ends the check if the lookup of the configured one brings no data. */
async function callersAlone(kit: CheckKit): Promise<CallersAlone> {
  const { knownCaller } = kit.settings.config.stimuli;
  if (knownCaller === undefined) return kit.notExercised('No stimuli.knownCaller is configured.');
  const lookUpAlone = async (phoneNumber: string) => {
    const lookup = await deliverLookup(
      kit,
      'IncomingCallLookup',
      { phoneNumber },
      { label: 'IncomingCallLookup, alone' },
    );
    return isAccepted(lookup) ? await contactOf(kit, lookup) : undefined;
  };
  const [known, unknown, ...resembling] = await once(kit.session, 'crm callers alone', () =>
    withoutTraffic(
      kit,
      async () => {
        const results: (LookupResult | undefined)[] = [];
        for (const number of [knownCaller, unknownCaller, ...numbersLike(knownCaller)])
          results.push(await lookUpAlone(number));
        return results;
      },
      'surface',
    ),
  );
  if (known?.kind !== 'contact' || fieldsWithContent(known.fields).length === 0) {
    return kit.notExercised('Sent alone, a lookup of the configured caller brings no data.');
  }
  if (!unknown) return kit.notExercised('Sent alone, a lookup of an unknown caller is not accepted.');
  return { known: known.fields, unknown, resembling: resembling.filter((one) => one !== undefined) };
}

/** The result of a lookup, for which a callback is awaited. */
async function contactOf(kit: CheckKit, lookup: CrmObservation): Promise<LookupResult> {
  const { answer } = lookup;
  if (answer.outcome === 'answered' && answer.status === 202)
    await awaitCallback(lookup, comparedCallbackMs(kit.settings));
  return contactIn(lookup);
}

/** Whether an answer contains what is known about a contact: two of its fields, or the only one. */
function isRecordOf(known: ContactFields, answered: ContactFields): boolean {
  const same = commonFields(known, answered).length;
  return same >= Math.min(fewestCommonFields, fieldsWithContent(known).length);
}
