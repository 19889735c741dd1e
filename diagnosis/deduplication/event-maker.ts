import { subscribedTypes } from '../../harness/config/subscribed-types.ts';
import { utcTimestamp } from '../../harness/checks/samples.ts';
import type { DeduplicationCauseId } from '../causes/deduplication.ts';
import type { Connection } from '../connection.ts';
import type { PreparedEvent } from '../prepared-event.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** An attribute that two different events may share without being duplicates. */
export interface EventAspect {
  /** Completes "the same …". */
  name: string;
  /** The cause if the endpoint distinguishes events by this alone, or together with the type. */
  id: DeduplicationCauseId;
  /** Copies the attribute from the first event into another one. */
  share: (from: JsonObject, into: JsonObject) => void;
}

/** Makes the events of one surface. */
export interface EventMaker {
  /** Name of the field or header that identifies a delivery in the interface. */
  key: string;
  /** Types whose effects are tested, in this order. */
  types: readonly string[];
  /** A different type with the same use. */
  otherType: (type: string) => string;
  /** A new event that shares nothing with earlier ones. */
  fresh: (type: string) => JsonObject;
  aspects: readonly EventAspect[];
}

/** Seconds between the times of two events, so that they are never equal. */
const apartSeconds = 7;
/** A number reserved for fiction in Germany, without its last digits. */
const fictionalNumber = '+49171392';

/** The event maker of this surface. */
export function eventMaker(connection: Connection): EventMaker {
  const { sample } = connection.session;
  let count = 0;
  const nextTime = () => utcTimestamp(Date.now() - ++count * apartSeconds * 1000);
  if (connection.surface === 'api-webhooks') {
    const types = subscribedTypes(connection.config);
    return {
      key: 'X-Svc-Delivery-Id',
      types: types.slice(0, 2),
      otherType: (type) => types.find((other) => other !== type) ?? type,
      fresh: (type) => {
        const event = sample.apiWebhookEvent(undefined, { contactId: sample.newCustomer().id });
        return { ...event, type, createdAt: nextTime() };
      },
      aspects: [
        aspect('appointment', 'deduplication/appointment', 'data', [
          'id',
          'externalId',
          'title',
          'start',
          'startLocal',
        ]),
        aspect('contact', 'deduplication/contact', 'data', ['contactId']),
        aspect('project', 'deduplication/project', 'data', ['projectId']),
        aspect('time', 'deduplication/timestamp', undefined, ['createdAt']),
        ...(types.length > 1 ? [aspect('type', 'deduplication/event-type', undefined, ['type'])] : []),
      ],
    };
  }
  return {
    key: 'callbackUrl',
    types: ['FinishedCall', 'FormSubmitted', 'IncomingCallLookup'],
    otherType: (type) => (type === 'FinishedCall' ? 'ConversationPaused' : 'FinishedCall'),
    fresh: (type) => {
      const timestampUtc = nextTime();
      const phoneNumber = `${fictionalNumber}${String(count % 10_000).padStart(4, '0')}`;
      const contactData = sample.contactData({ phoneNumber });
      return { ...sample.crmEvent('FinishedCall'), eventType: type, timestampUtc, contactData };
    },
    aspects: [
      aspect('contact', 'deduplication/contact', 'contactData', ['svcContactId']),
      aspect('phone number', 'deduplication/contact', 'contactData', ['phoneNumber']),
      aspect('project', 'deduplication/project', 'projectData', ['svcProjectId']),
      aspect('time', 'deduplication/timestamp', undefined, ['timestampUtc']),
      aspect('type', 'deduplication/event-type', undefined, ['eventType']),
    ],
  };
}

/** An event that can be sent repeatedly with the same key. */
export function openEvent(connection: Connection, event: JsonObject): PreparedEvent {
  return connection.case({ event });
}

function aspect(
  name: string,
  id: DeduplicationCauseId,
  part: string | undefined,
  fields: readonly string[],
): EventAspect {
  const within = (event: JsonObject) => (part === undefined ? event : (event[part] as JsonObject));
  return {
    name,
    id,
    share(from, into) {
      const shared = Object.fromEntries(fields.map((field) => [field, within(from)[field]]));
      if (part === undefined) Object.assign(into, shared);
      else into[part] = { ...within(into), ...shared };
    },
  };
}
