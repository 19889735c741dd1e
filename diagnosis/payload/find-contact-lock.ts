import { parseJson } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { JsonObject } from '../../specs/json-value.ts';
import type { Connection } from '../connection.ts';
import type { Found } from '../outcome.ts';
import type { EventReception, EventSender } from './event-sender.ts';

/** What the first event of a contact gets, and the next one does not. */
interface Handling {
  /** Completes "is". */
  words: string;
  is: (reception: EventReception) => boolean;
  isNot: (reception: EventReception) => boolean;
}

const accepted: Handling = { words: 'accepted', is: ({ ok }) => ok, isNot: ({ ok }) => !ok };
/** Two lookups of one contact are different events, each with its own answer (interface: CRM webhook events). */
export const answeredWithData: Handling = {
  words: 'answered with data',
  is: hasFlaggedPart,
  // After a 202 the data comes in a callback.
  isNot: (reception) => reception.status !== 202 && !hasFlaggedPart(reception),
};

/** Whether an answer has data for the service: a part with its flag. */
function hasFlaggedPart({ answer }: EventReception): boolean {
  if (answer.outcome !== 'answered' || answer.status !== 200) return false;
  const read = parseJson(answer.body);
  const body = 'value' in read ? read.value : undefined;
  return isJsonObject(body) && (body.requestContactUpdate === true || body.requestProjectUpdate === true);
}

/**
 * The cause if an endpoint handles the first event of each contact and not the second, whatever its content. The events of
 * two contacts come in an order that neither an endpoint with a broken instance nor one that limits requests follows.
 */
export async function findContactLock(
  sender: EventSender,
  plain: JsonObject,
  handled: Handling = accepted,
): Promise<Found | undefined> {
  const make = () => ofNewContact(plain, sender.connection);
  const [alone, one, other, third] = [make(), make(), make(), make()];
  if (!alone || !one || !other || !third) return undefined;
  const first = async (event: JsonObject) =>
    handled.is(await sender.send(event, { label: 'an event of a new contact' }));
  const next = async (event: JsonObject) => await sender.send(event, { label: 'the next event of that contact' });
  if (!(await first(alone)) || !handled.isNot(await next(alone))) return undefined;
  if (!(await first(one)) || !(await first(other))) return undefined;
  const again = await next(one);
  if (!handled.isNot(again) || !handled.isNot(await next(other)) || !(await first(third))) return undefined;
  sender.seen.push(
    `The first event of a new contact is ${handled.words}, the next one gets ${again.words}; both were observed for two contacts.`,
  );
  const summary = `Only the first event of a contact is ${handled.words}; the next one of the same contact gets ${again.words}.`;
  return { id: 'deduplication/one-per-contact', summary };
}

/** The event with another contact in it; `undefined` where events have none. */
function ofNewContact(event: JsonObject, { surface, session }: Connection): JsonObject | undefined {
  const { sample } = session;
  const customer = sample.newCustomer();
  if (surface === 'crm-webhook')
    return { ...event, contactData: sample.contactWithoutCrmData({ phoneNumber: customer.phone }) };
  if (surface !== 'own-ai-chat' || !isJsonObject(event.data)) return undefined;
  return { ...event, data: { ...event.data, contact: customer } };
}
