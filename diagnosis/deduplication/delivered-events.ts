import { utcTimestamp } from '../../harness/checks/samples.ts';
import type { DeduplicationCauseId } from '../causes/deduplication.ts';
import type { Case, Connection } from '../connection.ts';

type Event = Record<string, unknown>;

/** Something that two different events may have in common, and by which they must not be taken for one. */
export interface EventAspect {
  /** Completes "the same …". */
  name: string;
  /** The cause when this alone, or with the type, is what events are told apart by. */
  id: DeduplicationCauseId;
  /** Puts what the first event has into another one. */
  share: (from: Event, into: Event) => void;
}

/** How the events of one surface are repeated, and how different ones are made. */
export interface EventMaker {
  /** What a delivery is to be told by, as the interface names it. */
  key: string;
  /** Types whose effects are looked for, in this order. */
  types: readonly string[];
  /** A type other than the given one, of the same use. */
  otherType: (type: string) => string;
  /** A new event that has nothing in common with any before. */
  fresh: (type: string) => Event;
  aspects: readonly EventAspect[];
}

/** Seconds between the times of two events: never the same by chance. */
const apartSeconds = 7;
/** A number that is reserved for fiction in Germany, without its last digits. */
const fictionalNumber = '+49171392';

/** How events of this surface are made. */
export function eventMaker(connection: Connection): EventMaker {
  const { sample } = connection.session;
  let count = 0;
  const nextTime = () => utcTimestamp(Date.now() - ++count * apartSeconds * 1000);
  if (connection.surface === 'api-webhooks') {
    return {
      key: 'X-Svc-Delivery-Id',
      types: ['appointment.created', 'appointment.confirmed'],
      otherType: (type) => (type === 'appointment.created' ? 'appointment.confirmed' : 'appointment.created'),
      fresh: (type) => ({ ...sample.apiWebhookEvent('appointment.created'), type, createdAt: nextTime() }),
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
        aspect('type', 'deduplication/event-type', undefined, ['type']),
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

/** An event ready to be sent, as often as is wanted, always with the same key. */
export function openEvent(connection: Connection, event: Event): Case {
  return connection.case({ event });
}

function aspect(
  name: string,
  id: DeduplicationCauseId,
  part: string | undefined,
  fields: readonly string[],
): EventAspect {
  const within = (event: Event) => (part === undefined ? event : (event[part] as Event));
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
