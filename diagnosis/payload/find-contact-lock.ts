import { isJsonObject } from '../../specs/json-object.ts';
import type { JsonObject } from '../../specs/json-value.ts';
import type { Connection } from '../connection.ts';
import type { Found } from '../outcome.ts';
import type { EventReception, EventSender } from './event-sender.ts';

/** Contacts for which the first event is accepted and the second refused: for one contact, it may be chance. */
const contacts = 2;
/** Bytes of an object without fields. */
const emptyObjectBytes = 2;

/** What the first event of a contact gets, and the next one must get as well. */
interface Handling {
  /** Completes "is". */
  words: string;
  is: (reception: EventReception) => boolean;
}

const accepted: Handling = { words: 'accepted', is: ({ ok }) => ok };
/** Two lookups of one contact are different events, each with its own answer (interface: CRM webhook events). */
export const answeredWithData: Handling = {
  words: 'answered with data',
  is: ({ answer }) => answer.outcome === 'answered' && answer.status === 200 && answer.bodyBytes > emptyObjectBytes,
};

/** The cause if an endpoint handles the first event of each contact and not the second, whatever its content. */
export async function findContactLock(
  sender: EventSender,
  plain: JsonObject,
  handled: Handling = accepted,
): Promise<Found | undefined> {
  let next = '';
  for (let nth = 1; nth <= contacts; nth++) {
    const event = ofNewContact(plain, sender.connection);
    if (event === undefined) return undefined;
    if (!handled.is(await sender.send(event, { label: 'an event of a new contact' }))) return undefined;
    const again = await sender.send(event, { label: 'the next event of that contact' });
    if (handled.is(again)) return undefined;
    next = again.words;
  }
  sender.seen.push(`The first event of a new contact is ${handled.words}, the next one gets ${next}. Both twice.`);
  const summary = `Only the first event of a contact is ${handled.words}; the next one of the same contact gets ${next}.`;
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
