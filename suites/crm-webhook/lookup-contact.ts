import { parseJson } from '../../harness/checks/json.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { WireExchange } from '../../harness/wire/observation.ts';
import { lookupEventTypes } from '../../specs/crm-event-types.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { bodyWith } from '../answer-bodies.ts';
import { bodyOfArrival, unreadBody } from '../json-object.ts';
import { postsOf } from './callback-findings.ts';
import { partPlaces } from './documented-places.ts';
import { permittedStatuses } from './typical-answers.ts';

/** Fields by which the service identifies the contact: they are in the event, so they are no answer. */
const fieldsOfTheEvent = ['svcContactId', 'phoneNumber'];

/** The documented fields of a contact except for those of the event, each with its value as JSON. */
export type ContactFields = ReadonlyMap<string, string>;

/** What a lookup brought. */
export type LookupResult = { exchange: WireExchange } & (
  { kind: 'contact'; fields: ContactFields } | { kind: 'nothing' | 'pending' } | { kind: 'unread'; why: string }
);

/** Whether a delivery is a lookup that was answered with a permitted status. */
export function isAnsweredLookup({ answer, event }: CrmObservation): boolean {
  return (
    lookupEventTypes.some((type) => type === event.eventType) &&
    answer.outcome === 'answered' &&
    permittedStatuses.some((status) => status === answer.status)
  );
}

/** The phone number that an event contains. */
export function phoneIn({ contactData }: CrmObservation['event']): unknown {
  return isJsonObject(contactData) ? contactData.phoneNumber : undefined;
}

/** The result of one lookup: its answer, or after a 202 its callback. */
export function contactIn(delivery: CrmObservation): LookupResult {
  const { answer } = delivery;
  if ('status' in answer && answer.status === 202) {
    const [arrival] = postsOf(delivery);
    if (!arrival) return { exchange: delivery, kind: 'pending' };
    const unread = unreadBody(bodyOfArrival(arrival));
    return unread ? { exchange: arrival, kind: 'unread', why: unread.unread } : resultOf(arrival, arrival.request.body);
  }
  const read = bodyWith(200, answer);
  if (!read) return { exchange: delivery, kind: 'nothing' };
  return 'unread' in read ? { exchange: delivery, kind: 'unread', why: read.unread } : resultOf(delivery, read.body);
}

function resultOf(exchange: WireExchange, body: Uint8Array): LookupResult {
  const fields = contactFields(body);
  return fields.size === 0 ? { exchange, kind: 'nothing' } : { exchange, kind: 'contact', fields };
}

function contactFields(body: Uint8Array): ContactFields {
  const parsed = parseJson(body);
  if ('error' in parsed || !isJsonObject(parsed.value)) return new Map();
  const { requestContactUpdate, contactData } = parsed.value;
  if (requestContactUpdate !== true || !isJsonObject(contactData)) return new Map();
  return new Map(
    Object.entries(contactData)
      .filter(([field]) => Object.hasOwn(partPlaces.contactData.fields, field) && !fieldsOfTheEvent.includes(field))
      .map(([field, value]) => [field, JSON.stringify(value)]),
  );
}

/** The fields with content that two contacts have in common. */
export function commonFields(one: ContactFields, other: ContactFields): string[] {
  return fieldsWithContent(one).filter((field) => other.get(field) === one.get(field));
}

export function fieldsWithContent(contact: ContactFields): string[] {
  return [...contact].filter(([, value]) => !['null', '""', '[]'].includes(value)).map(([field]) => field);
}
