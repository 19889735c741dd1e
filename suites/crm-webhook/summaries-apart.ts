import { currentRecord } from '../../harness/checks/check-record.ts';
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
import { callersToLookUp } from './timed-lookups.ts';

/** Events with summaries, each with the lookup of the same channel. */
const summarised = [
  ['FinishedCall', 'IncomingCallLookup'],
  ['ConversationPaused', 'NewConversation'],
] as const satisfies readonly (readonly [unknown, LookupEventType])[];

type SummarisedType = (typeof summarised)[number][0];

/** The team of the integrator may read about all customers (interface: CRM webhook: contactData). */
const teamOnlyField = 'crmInternalInfo';

const parts = ['contactData', 'projectData'] as const;

/** An event with summaries, about a contact that no other event is about. */
interface Summarised {
  type: SummarisedType;
  /** A word of the summaries that no other event has. */
  word: string;
  delivery: CrmObservation;
}

/**
 * Judges whether the summaries of new contacts are in the answers to lookups of other callers that follow. First the
 * events of both types are sent, then lookups of an unknown caller, then of the configured one: an endpoint may answer
 * with what it handled last. No other event is sent meanwhile.
 */
export async function judgeSummariesApart(kit: CheckKit, lookupType: LookupEventType): Promise<void> {
  const { events, lookups } = await once(kit.session, 'crm lookups after summaries', () =>
    withoutTraffic(
      kit,
      async () => {
        const sent = await Promise.all(summarised.map(([type]) => sendSummaries(kit, type)));
        const after: CrmObservation[] = [];
        for (const phoneNumber of callersToLookUp(kit)) {
          after.push(...(await Promise.all(summarised.map(([, type]) => lookUpAfter(kit, type, phoneNumber)))));
        }
        return { events: sent.filter(({ delivery }) => isAccepted(delivery)), lookups: after };
      },
      'surface',
    ),
  );
  if (events.length === 0) return kit.notExercised('No event with summaries was accepted.');
  for (const { delivery } of events) currentRecord()?.keep(delivery);
  judgeAll(
    kit,
    {
      needs: `No ${lookupType} of another caller was answered with data.`,
      judge: (body: unknown) => judgeWithoutWords(body, events),
    },
    lookups.filter(({ event }) => event.eventType === lookupType).flatMap(bodyOfOutcome),
  );
}

async function sendSummaries(kit: CheckKit, type: SummarisedType): Promise<Summarised> {
  const word = kit.sample.newWord();
  const summaries = { currentSummary: `Asked about ${word}.`, inquirySummary: `A question about ${word}` };
  const event = eventOfNewContact(kit, type, { projectData: kit.sample.projectData(summaries) });
  const delivery = await kit.crm.deliver(event, { label: `${type} of a new contact, with summaries` });
  await awaitOutcome(kit, delivery);
  return { type, word, delivery };
}

async function lookUpAfter(kit: CheckKit, type: LookupEventType, phoneNumber: string): Promise<CrmObservation> {
  const event = kit.sample.crmEvent(type, { contactData: kit.sample.contactData({ phoneNumber }) });
  const lookup = await kit.crm.deliver(event, { label: `${type} of another caller than those of the summaries` });
  await awaitOutcome(kit, lookup);
  return lookup;
}

/** Waits for the callback of an event that was answered 202. */
async function awaitOutcome({ settings }: CheckKit, delivery: CrmObservation): Promise<void> {
  const { answer } = delivery;
  if (answer.outcome === 'answered' && answer.status === 202)
    await awaitCallback(delivery, comparedCallbackMs(settings));
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
function judgeWithoutWords(body: unknown, events: readonly Summarised[]): Judgement {
  if (!isJsonObject(body)) return 'nothing';
  let whole: Judgement = 'nothing';
  for (const part of parts) {
    const { [flagOf[part]]: isFlagged, [part]: data } = body;
    if (isFlagged !== true || !isJsonObject(data)) continue;
    whole = true;
    const fields = Object.keys(data).filter(
      (name) => name !== teamOnlyField && Object.hasOwn(partPlaces[part].fields, name),
    );
    for (const { type, word } of events) {
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
