import type { CheckKit } from '../../harness/checks/check.ts';
import { parseJson } from '../../harness/checks/json.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { LookupEventType } from '../../specs/crm-event-types.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { bodyWith } from '../answer-bodies.ts';
import { bodyOfArrival, unreadBody } from '../json-object.ts';
import { judgeAll, type JudgeableBody, type Judgement } from '../judgement.ts';
import { isAccepted } from '../observed-effects.ts';
import { once } from '../once.ts';
import { withoutTraffic } from '../without-traffic.ts';
import { flagOf } from './answer-aspects.ts';
import { awaitCallback, comparedCallbackMs } from './await-callback.ts';
import { postsOf } from './callback-findings.ts';
import { partPlaces } from './documented-places.ts';
import { eventOfNewContact } from './effective-event.ts';
import { callersOf } from './timed-lookups.ts';

/** Events with summaries, each with the lookup of the same channel. */
export const summarised = [
  ['FinishedCall', 'IncomingCallLookup'],
  ['ConversationPaused', 'NewConversation'],
] as const satisfies readonly (readonly [unknown, LookupEventType])[];

type SummarisedType = (typeof summarised)[number][0];

/** The team of the integrator may read about all customers (interface: CRM webhook: contactData). */
const teamOnlyField = 'crmInternalInfo';

const parts = ['contactData', 'projectData'] as const;

/** Lookups of other callers after an event with summaries, whose contact no other event is about. */
interface AfterSummaries {
  type: SummarisedType;
  /** A word of the summaries that no other event has. */
  word: string;
  finished: CrmObservation;
  /** Of the configured and of an unknown caller. */
  lookups: CrmObservation[];
}

/**
 * Judges whether the summaries of new contacts are in the answers to lookups of other callers that follow. The events of
 * both types are sent at once, with no other traffic, whose summaries could take the place of these.
 */
export async function judgeSummariesApart(
  kit: CheckKit,
  type: SummarisedType,
  lookupType: LookupEventType,
): Promise<void> {
  const sent = await once(kit.session, 'crm lookups after summaries', () =>
    withoutTraffic(kit, () => Promise.all(summarised.map(([event, lookup]) => lookUpAfter(kit, event, lookup)))),
  );
  const after = sent[summarised.findIndex(([one]) => one === type)];
  if (!after || !isAccepted(after.finished)) return kit.notExercised(`${type} of a new contact was not accepted.`);
  judgeAll(
    kit,
    {
      needs: `No ${lookupType} of another caller was answered with data.`,
      judge: (body: unknown) => judgeWithoutWords(body, sent),
    },
    after.lookups.flatMap(bodyOfOutcome),
  );
}

async function lookUpAfter(kit: CheckKit, type: SummarisedType, lookupType: LookupEventType): Promise<AfterSummaries> {
  const { crm, sample, settings } = kit;
  const withinMs = comparedCallbackMs(settings);
  const word = sample.newWord();
  const summaries = { currentSummary: `Asked about ${word}.`, inquirySummary: `A question about ${word}` };
  const finished = await crm.deliver(eventOfNewContact(kit, type, { projectData: sample.projectData(summaries) }), {
    label: `${type} of a new contact, with summaries`,
  });
  if (!isAccepted(finished)) return { type, word, finished, lookups: [] };
  await awaitOutcome(finished, withinMs);
  const lookups = await Promise.all(
    callersOf(kit).map(async (phoneNumber) => {
      const event = sample.crmEvent(lookupType, { contactData: sample.contactData({ phoneNumber }) });
      const lookup = await crm.deliver(event, { label: `${lookupType} of another caller than that of the ${type}` });
      await awaitOutcome(lookup, withinMs);
      return lookup;
    }),
  );
  return { type, word, finished, lookups };
}

/** Waits for the callback of an event that was answered 202. */
async function awaitOutcome(delivery: CrmObservation, withinMs: number): Promise<void> {
  const { answer } = delivery;
  if (answer.outcome === 'answered' && answer.status === 202) await awaitCallback(delivery, withinMs);
}

/** The body of a 200 answer, or of the callback after a 202. */
function bodyOfOutcome(delivery: CrmObservation): JudgeableBody<unknown>[] {
  const { answer } = delivery;
  const arrival = 'status' in answer && answer.status === 202 ? postsOf(delivery)[0] : undefined;
  const exchange = arrival ?? delivery;
  const read = arrival ? (unreadBody(bodyOfArrival(arrival)) ?? { body: arrival.request.body }) : bodyWith(200, answer);
  if (!read) return [];
  if ('unread' in read) return [{ exchange, unread: read.unread }];
  const parsed = parseJson(read.body);
  return 'error' in parsed ? [] : [{ exchange, body: parsed.value }];
}

/** Judges the documented fields of the flagged parts: the service ignores everything else. */
function judgeWithoutWords(body: unknown, sent: readonly Pick<AfterSummaries, 'type' | 'word'>[]): Judgement {
  if (!isJsonObject(body)) return 'nothing';
  let whole: Judgement = 'nothing';
  for (const part of parts) {
    const { [flagOf[part]]: isFlagged, [part]: data } = body;
    if (isFlagged !== true || !isJsonObject(data)) continue;
    whole = true;
    const fields = Object.keys(data).filter(
      (name) => name !== teamOnlyField && Object.hasOwn(partPlaces[part].fields, name),
    );
    for (const { type, word } of sent) {
      const field = fields.find((name) => JSON.stringify(data[name]).toLowerCase().includes(word));
      if (field === undefined) continue;
      return {
        expected: `no content of the ${type} of another contact in the answer to a lookup`,
        received: `${part}.${field} with the word "${word}", which is only in the summaries of that contact`,
        hint: 'Keep summaries under the contact that they are about, and check that a default value, such as an empty list, is made anew for each contact.',
        part: { body: [part, field] },
      };
    }
  }
  return whole;
}
