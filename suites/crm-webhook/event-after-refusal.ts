import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { forgedTokens } from '../../harness/wire/forged-tokens.ts';
import { crmEventTypes } from '../../specs/crm-event-types.ts';
import { describeAnswer } from '../matchers/describe-answer.ts';
import { conclude } from '../matchers/expect.ts';
import { withoutTraffic } from '../without-traffic.ts';
import { awaitCallback, comparedCallbackMs } from './await-callback.ts';
import { badTokens } from './bad-tokens.ts';
import { eventOfNewContact, type EventDraft, type EventType } from './effective-event.ts';
import { outcomeOf, type EventOutcome } from './event-outcome.ts';
import { dataPart, typicalAnswer } from './typical-answers.ts';

/** Events that must be answered without data after their refusal. */
const attempts = 2;
/** Statuses by which an endpoint asks for a pause, whatever the event is. */
const pauseStatuses: readonly number[] = [429, 503];

/** One event that was first sent with another token. */
interface TriedEvent {
  event: EventDraft;
  /** The same event with the same `callbackUrl` and the valid token. */
  delivery: CrmObservation;
  received: EventOutcome | undefined;
  /** The data of another event, which was sent after the refusal and before this event. */
  usual: string;
}

/**
 * Judges whether an event that was refused for its token brings its data when it comes with the valid token and the same
 * `callbackUrl`: one about a new contact, or about the usual one if only this brings data.
 */
export async function judgeEventAfterRefusal(kit: CheckKit): Promise<void> {
  const type = await findTypeWithData(kit);
  if (type === undefined) return kit.notExercised('No event brought data, at once or in a callback.');
  const judge = async () => {
    for (const create of [() => eventOfNewContact(kit, type), () => kit.sample.crmEvent(type)]) {
      if (await judgeAfterRefusal(kit, type, create)) return;
    }
    kit.notExercised(`After the refusal of one ${type}, another one brings no data either.`);
  };
  await withoutTraffic(kit, judge);
}

/** The first type of event that brought data. Lookups come last, since some contacts are supplied once only. */
async function findTypeWithData(kit: CheckKit): Promise<EventType | undefined> {
  const endsAt = performance.now() + comparedCallbackMs(kit.settings);
  for (const type of new Set<EventType>(['FinishedCall', ...crmEventTypes.toReversed()])) {
    const typical = await outcomeOf(await typicalAnswer(kit, type), endsAt - performance.now());
    if (typical?.data !== undefined) return type;
  }
  return undefined;
}

/**
 * Judges events that `create` makes. Without data, the same event under a new `callbackUrl` must bring it, and another
 * event must show the same.
 *
 * @returns `false` if events that were not refused bring no data either
 */
async function judgeAfterRefusal(kit: CheckKit, type: EventType, create: () => EventDraft): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const tried = await sendAfterRefusal(kit, type, create, attempt);
    if (!tried) return false;
    const { event, delivery, received, usual } = tried;
    if (received?.data === usual) {
      conclude(received.exchange, undefined);
      return true;
    }
    const { answer } = delivery;
    if (answer.outcome !== 'answered' || pauseStatuses.includes(answer.status)) {
      kit.notExercised(`${type} was not answered after its refusal, or with a request for a pause.`);
    }
    if (received?.data !== undefined) kit.notExercised(`${type} brings other data from one time to the next.`);
    const label = `${type} of the same content, under another callbackUrl`;
    if ((await deliverForData(kit, event, label))?.data !== usual) {
      kit.notExercised(`${type} of this content brings other data under another callbackUrl, too.`);
    }
    // A queue may call back in batches, or the latest event first.
    if (received === undefined && (await awaitCallback(delivery, comparedCallbackMs(kit.settings)))) {
      kit.notExercised(`The callback of ${type} came late, or cannot be read.`);
    }
    if (attempt < attempts) continue;
    conclude(received?.exchange ?? delivery, {
      expected: `${type} with the valid token to bring its data (${usual}), although the same callbackUrl came with another token before`,
      received: `${describeMissing(kit, delivery, received)}, ${attempts} times out of ${attempts}`,
      hint: 'Under another callbackUrl, the same event brings its data. Check the token before callbackUrl is remembered, and keep no refusal as the answer to a callbackUrl.',
      part: received && received.exchange !== delivery ? { body: [] } : dataPart(delivery),
    });
  }
}

/**
 * Sends an event with another token, others with the valid one, and then the first one with the valid one. `undefined`: one
 * of those between brings no data.
 *
 * @param others number of events between: with another one each time, a load balancer does not take the same turns
 */
async function sendAfterRefusal(
  kit: CheckKit,
  type: EventType,
  create: () => EventDraft,
  others: number,
): Promise<TriedEvent | undefined> {
  const { crm, settings } = kit;
  const event = create();
  const refused = await crm.deliver(event, {
    label: `${badTokens.wrong} (${type}), before the valid one`,
    authorization: forgedTokens.wrong(crm.token),
    fresh: true,
    toBeRefused: true,
  });
  const { answer } = refused;
  if (answer.outcome !== 'answered' || answer.status < 400 || answer.status >= 500) {
    return kit.notExercised('An event with another token was not refused with a 4xx status; other checks judge that.');
  }
  let usual = '';
  for (let nth = 1; nth <= others; nth++) {
    const outcome = await deliverForData(kit, create(), `another ${type}, after the refused one`);
    if (outcome?.data === undefined) return undefined;
    usual = outcome.data;
  }
  const delivery = await crm.deliver(event, {
    label: `${type} with the valid token, after it was refused`,
    callback: refused.callback,
  });
  return { event, delivery, received: await outcomeOf(delivery, comparedCallbackMs(settings)), usual };
}

async function deliverForData(kit: CheckKit, event: EventDraft, label: string): Promise<EventOutcome | undefined> {
  return await outcomeOf(await kit.crm.deliver(event, { label }), comparedCallbackMs(kit.settings));
}

/** Describes what came instead of the data. */
function describeMissing(
  { settings }: CheckKit,
  { answer }: CrmObservation,
  received: EventOutcome | undefined,
): string {
  if (received?.exchange.kind === 'callback') return 'a callback without data';
  const isLater = answer.outcome === 'answered' && answer.status === 202;
  return isLater ? `no callback within ${comparedCallbackMs(settings) / 1000} s of the 202` : describeAnswer(answer);
}
