import { knownCaller, nameOf, partsFor, postJson, type CrmEvent, type CrmSeams } from '../proving/crm.ts';
import type { Mutant } from './mutant.ts';

/** Milliseconds of an answer that is too late for a lookup but within the timeout of a run. */
const tooLongMs = 2_700;

const anyEvent = {
  id: 'crm-webhook/answers-any-valid-event',
  why: 'generated events contain such values too',
} as const;

/** Ids that the correct receiver has given. */
const ownIds = ['4711', '4712', 'C-2026-0815'];

function reading(read: CrmSeams['read']): Mutant['build'] {
  return () => ({ crm: { read } });
}

function isLookup(name: string): boolean {
  return name === 'IncomingCallLookup' || name === 'NewConversation';
}

function text(part: CrmEvent['contactData'], field: string): string | null {
  return part?.[field] as string | null;
}

/** The name of an event that seems to be about an appointment. */
function appointmentName(type: unknown): string | undefined {
  return typeof type === 'string' && type.startsWith('Appointment') ? type : undefined;
}

/** Always expects a string in a field: throws on null. */
function shout(value: unknown): string {
  return (value as string).toUpperCase();
}

/** Faults in handling events: types, values and times. */
export const eventMutants: readonly Mutant[] = [
  {
    name: 'reminder-events-forgotten',
    breaks: 'crm-webhook/answers-every-event',
    what: 'The switch on the event type has no branch for AppointmentReminderSent and throws.',
    mayAlso: [anyEvent, { id: 'crm-webhook/accepts-appointment-data', why: 'it sends this event type as well' }],
    build: reading((_, name) => (name === 'AppointmentReminderSent' ? { status: 500 } : undefined)),
  },
  {
    name: 'manual-answered-201',
    breaks: 'crm-webhook/answers-every-event',
    what: 'Manual events are answered 201 because a task is created.',
    mayAlso: [
      anyEvent,
      { id: 'crm-webhook/accepts-legacy-numbers', why: 'number 4 is a Manual event' },
      { id: 'crm-webhook/accepts-null-parts', why: 'the event without a contact is a Manual event' },
    ],
    build: reading((_, name) => (name === 'Manual' ? { status: 201 } : undefined)),
  },
  {
    name: 'numbers-no-longer-taken',
    breaks: 'crm-webhook/accepts-legacy-numbers',
    what: 'The six numbers are refused as an obsolete form.',
    build: reading(({ eventType }) => (typeof eventType === 'number' ? { status: 400 } : undefined)),
  },
  {
    name: 'numbers-in-the-order-of-the-names',
    breaks: 'crm-webhook/legacy-number-means-its-name',
    what: 'Numbers are read as positions in the list of names, where NewConversation comes before FinishedCall.',
    build: () => ({
      crm: { nameOf: (type) => nameOf(type === 1 ? 'NewConversation' : type === 2 ? 'FinishedCall' : type) },
    }),
  },
  {
    name: 'numbers-in-the-order-of-the-names-by-callback',
    breaks: 'crm-webhook/legacy-number-means-its-name',
    what: 'Numbers are read as positions in the list of names, and the data of a finished call comes with the callback.',
    build: () => ({
      crm: {
        nameOf: (type) => nameOf(type === 1 ? 'NewConversation' : type === 2 ? 'FinishedCall' : type),
        later: (name) => name === 'FinishedCall' || name === 'ConversationPaused',
      },
    }),
  },
  {
    name: 'numbers-unknown-where-data-comes-by-callback',
    breaks: 'crm-webhook/legacy-number-means-its-name',
    what: 'A number is answered 204, as an unknown event; the data of each known event comes with the callback.',
    build: () => ({
      crm: { nameOf: (type) => (typeof type === 'number' ? undefined : nameOf(type)), later: () => true },
    }),
  },
  {
    name: 'number-of-manual-events-unknown',
    breaks: 'crm-webhook/legacy-number-means-its-name',
    what: 'Number 4 is answered 204, as an unknown event; a Manual event is noted and answered 204, too.',
    build: () => ({ crm: { nameOf: (type) => (type === 4 ? undefined : nameOf(type)) } }),
  },
  {
    name: 'numbers-never-called-back',
    breaks: 'crm-webhook/calls-back-after-202',
    what: 'The data of each event comes with a callback, except for an event under its number.',
    needsTheRest: 'checks of another requirement send the numbers',
    build: () => {
      const numbered = new Set<string>();
      return {
        crm: {
          later: (_, { eventType, callbackUrl }) => {
            if (typeof eventType === 'number') numbered.add(callbackUrl);
            return true;
          },
          callback: (call) => (numbered.has(call.url) ? Promise.resolve() : postJson(call)),
        },
      };
    },
  },
  {
    name: 'unknown-name-is-an-error',
    breaks: 'crm-webhook/unknown-event-name-204',
    what: 'An unknown event name is not in the enumeration and is answered 400.',
    build: () => ({ crm: { unknownEvent: (type) => ({ status: typeof type === 'string' ? 400 : 204 }) } }),
  },
  {
    name: 'unknown-name-is-acknowledged',
    breaks: 'crm-webhook/unknown-event-name-204',
    what: 'An unknown event name is answered 202 and forgotten.',
    build: () => ({ crm: { unknownEvent: (type) => ({ status: typeof type === 'string' ? 202 : 204 }) } }),
  },
  {
    name: 'unknown-appointment-name-opens-a-case',
    breaks: 'crm-webhook/unknown-event-name-204',
    what: 'Each event name that begins with Appointment is handled as one of an appointment, and is answered 200 with a case.',
    build: () => ({
      crm: {
        nameOf: (type) => nameOf(type) ?? appointmentName(type),
        partsFor: (name, event) => partsFor(appointmentName(name) === undefined ? name : 'FinishedCall', event),
      },
    }),
  },
  {
    name: 'unknown-number-is-out-of-bounds',
    breaks: 'crm-webhook/unknown-event-number-204',
    what: 'A number beyond the list of event types throws.',
    build: () => ({ crm: { unknownEvent: (type) => ({ status: typeof type === 'number' ? 500 : 204 }) } }),
  },
  {
    name: 'lookup-scans-for-unknown-callers',
    breaks: 'crm-webhook/lookup-within-two-seconds',
    what: 'Looking up a number that is not in the index scans the whole table and takes too long.',
    mayAlso: [
      { id: 'crm-webhook/ten-lookups-at-once-within-two-seconds', why: 'half of them are of an unknown caller' },
    ],
    build: () => ({
      crm: {
        workMs: (name, event) =>
          name === 'IncomingCallLookup' && text(event.contactData, 'phoneNumber') !== knownCaller ? tooLongMs : 0,
      },
    }),
  },
  {
    name: 'lookup-loads-each-caller-first',
    breaks: 'crm-webhook/lookup-within-two-seconds',
    what: 'The first lookup of each number loads its history and takes too long; then the number is in a cache.',
    mayAlso: [{ id: 'crm-webhook/new-conversation-within-two-seconds', why: 'both types look the number up' }],
    build: () => {
      const cached = new Set<unknown>();
      return {
        crm: {
          workMs: (name, { contactData }) => {
            if (!isLookup(name) || cached.has(contactData?.phoneNumber)) return 0;
            cached.add(contactData?.phoneNumber);
            return tooLongMs;
          },
        },
      };
    },
  },
  {
    name: 'chat-start-waits-for-the-archive',
    breaks: 'crm-webhook/new-conversation-within-two-seconds',
    what: 'NewConversation of a known caller loads the archive before it answers and takes too long.',
    build: () => ({
      crm: {
        workMs: (name, { contactData }) =>
          name === 'NewConversation' && contactData?.phoneNumber === knownCaller ? tooLongMs : 0,
      },
    }),
  },
  {
    name: 'cold-start-per-connection',
    breaks: 'crm-webhook/lookup-on-fresh-connection-within-two-seconds',
    what: 'A lookup on a new connection starts a new worker and takes too long.',
    build: () => ({
      crm: {
        workMs: (name, _, { headers }) =>
          name === 'IncomingCallLookup' && headers.connection === 'close' ? tooLongMs : 0,
      },
    }),
  },
  {
    name: 'kept-connections-stall',
    breaks: 'crm-webhook/lookup-on-kept-connection-within-two-seconds',
    what: 'A lookup on a connection that is kept alive waits for a worker that is still busy with the last request.',
    mayAlso: [
      { id: 'crm-webhook/lookup-within-two-seconds', why: 'most look-ups come on kept connections' },
      { id: 'crm-webhook/new-conversation-within-two-seconds', why: 'most look-ups come on kept connections' },
      { id: 'crm-webhook/ten-lookups-at-once-within-two-seconds', why: 'they may come on kept connections' },
    ],
    build: () => ({
      crm: {
        workMs: (name, _, { headers }) => (isLookup(name) && headers.connection !== 'close' ? tooLongMs : 0),
      },
    }),
  },
  {
    name: 'lookup-waits-for-another-event',
    breaks: 'crm-webhook/lookup-during-other-events-within-two-seconds',
    what: 'The process is busy with a form for seconds and answers no lookup meanwhile.',
    build: () => {
      let freeAt = 0;
      return {
        crm: {
          workMs: (name) => {
            if (name === 'FormSubmitted') freeAt = performance.now() + tooLongMs;
            return name === 'FormSubmitted' || isLookup(name) ? Math.max(0, freeAt - performance.now()) : 0;
          },
        },
      };
    },
  },
  {
    name: 'lookup-waits-for-work-after-202',
    breaks: 'crm-webhook/lookup-during-other-events-within-two-seconds',
    what: 'A finished call is answered 202 at once; the work on it begins later and stops the process for seconds.',
    mayAlso: [
      { id: 'crm-webhook/stays-well-while-a-callback-is-slow', why: 'the work is also under way then' },
      { id: 'crm-webhook/ten-lookups-at-once-within-two-seconds', why: 'the work is also under way then' },
      { id: 'crm-webhook/lookup-within-two-seconds', why: 'the work is also under way then' },
    ],
    build: () => {
      let from = Infinity;
      let until = 0;
      return {
        crm: {
          later: (name) => name === 'FinishedCall',
          callbackAfterMs: 2_000,
          workMs: (name) => {
            const now = performance.now();
            if (name === 'FinishedCall' && now > until) [from, until] = [now + 300, now + 300 + tooLongMs];
            return isLookup(name) && now >= from ? Math.max(0, until - now) : 0;
          },
        },
      };
    },
  },
  {
    name: 'null-last-name-beside-first-name',
    breaks: 'crm-webhook/accepts-null-members',
    what: 'The greeting assumes that a contact with a first name also has a last name.',
    mayAlso: [anyEvent],
    build: reading(({ contactData }) => {
      if (text(contactData, 'firstName')) shout(contactData?.lastName);
      return undefined;
    }),
  },
  {
    name: 'project-null-throws',
    breaks: 'crm-webhook/accepts-null-parts',
    what: 'An event without projectData throws.',
    mayAlso: [anyEvent],
    build: reading(({ projectData }) => {
      if (projectData === null) throw new TypeError('projectData is null');
      return undefined;
    }),
  },
  {
    name: 'absent-member-throws',
    breaks: 'crm-webhook/accepts-missing-members',
    what: 'Fields are tested only for null, so an omitted field throws.',
    build: reading(({ contactData }) => {
      if (contactData !== null && contactData.city !== null) shout(contactData.city);
      return undefined;
    }),
  },
  {
    name: 'first-address-of-known-contact',
    breaks: 'crm-webhook/accepts-no-postal-addresses',
    what: 'The first postal address of a known contact is read, although there is none.',
    stopsTheRest: 'every event about the caller names a known contact once the endpoint has supplied its id',
    needsTheRest: 'the endpoint supplies the id in its answer to an earlier event',
    build: reading(({ contactData }) => {
      if (contactData?.crmContactId) void (contactData.postalAddresses as { country: unknown }[])[0]!.country;
      return undefined;
    }),
  },
  {
    name: 'single-address-expected',
    breaks: 'crm-webhook/accepts-several-postal-addresses',
    what: 'A contact with more than one postal address is refused.',
    mayAlso: [anyEvent],
    build: reading(({ contactData }) =>
      ((contactData?.postalAddresses ?? []) as unknown[]).length > 1 ? { status: 422 } : undefined,
    ),
  },
  {
    name: 'metadata-keys-as-columns',
    breaks: 'crm-webhook/accepts-appointment-data',
    what: 'Each metadata key becomes a column, so keys that are not plain words throw.',
    mayAlso: [anyEvent],
    build: reading(({ appointmentData }) =>
      Object.keys(appointmentData?.metadata ?? {}).every((key) => /^\w+$/.test(key)) ? undefined : { status: 500 },
    ),
  },
  {
    name: 'cancelled-time-unread',
    breaks: 'crm-webhook/accepts-appointment-data',
    what: 'An appointment with cancelledAt set throws because its model knows only null there.',
    mayAlso: [anyEvent],
    build: reading(({ appointmentData }) =>
      appointmentData && appointmentData.cancelledAt !== null ? { status: 500 } : undefined,
    ),
  },
  {
    name: 'strict-event-schema',
    breaks: 'crm-webhook/accepts-unknown-members',
    what: 'An event with a field outside the documented ones is refused.',
    build: reading((event) =>
      Object.keys(event).every((key) =>
        ['eventType', 'timestampUtc', 'callbackUrl', 'contactData', 'projectData', 'appointmentData'].includes(key),
      )
        ? undefined
        : { status: 400 },
    ),
  },
  {
    name: 'foreign-crm-ids-throw',
    breaks: 'crm-webhook/answers-unknown-crm-ids',
    what: 'An id that the CRM has not given is expected in its database, and throws.',
    build: reading(({ contactData, projectData }) =>
      [text(contactData, 'crmContactId'), text(projectData, 'crmProjectId')].every((id) => !id || ownIds.includes(id))
        ? undefined
        : { status: 500 },
    ),
  },
  {
    name: 'closed-list-of-languages',
    breaks: 'crm-webhook/accepts-unknown-values',
    what: 'The language is mapped to a closed list, and a new one throws.',
    build: reading(({ contactData }) =>
      contactData === null || ['de-DE', 'en-US'].includes(String(contactData?.language)) ? undefined : { status: 500 },
    ),
  },
  {
    name: 'first-event-before-the-database-is-open',
    breaks: 'crm-webhook/accepts-reliably',
    what: 'The first event after the start gets 500, since the connection to the database is not open yet.',
    needsTheRest: 'checks of other requirements send the events',
    build: () => {
      let isOpen = false;
      const read = () => {
        const answer = isOpen ? undefined : { status: 500 };
        isOpen = true;
        return answer;
      };
      return { crm: { read } };
    },
  },
  {
    name: 'names-in-a-three-byte-column',
    breaks: 'crm-webhook/answers-any-valid-event',
    what: 'The database column of names cannot store characters beyond U+FFFF.',
    build: reading(({ contactData, projectData }) =>
      [text(contactData, 'lastName'), text(contactData, 'company'), text(projectData, 'projectName')].some((name) =>
        /[\u{10000}-\u{10ffff}]/u.test(name ?? ''),
      )
        ? { status: 500 }
        : undefined,
    ),
  },
];
