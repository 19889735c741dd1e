import { unknownCaller } from '../../harness/checks/samples.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { JsonObject } from '../../specs/json-value.ts';
import { limits } from '../../specs/limits.ts';
import type { TimingCauseId } from '../causes/timing.ts';
import type { Connection } from '../connection.ts';

/** A kind of event whose time is compared with that of a typical one. */
export interface EventKind {
  what: string;
  event: () => Record<string, unknown>;
  /** The cause if this kind is slow and a typical event is not. */
  slower?: TimingCauseId;
  /** The cause if this kind is in time and a typical event is not. */
  quicker?: TimingCauseId;
  /** Whether an event has what this kind differs in, or more of it. */
  includes?: (event: JsonObject) => boolean;
}

/** Approximate size of the strings in a large event: far more than usual, below common server limits. */
const largeTextBytes = 30_000;
/** Characters of a long message: as long as one that a customer may write. */
const longMessageCharacters = 3_000;
/** Numbers reserved for fiction in Germany. */
const fictionalNumbers = Array.from({ length: 100 }, (_, at) => `+4917139200${String(at).padStart(2, '0')}`);

const sentence = 'The customer asked about the appointment on Thursday and about the bill of last month. ';

/** The kinds of event that distinguish causes of slowness on this surface. */
export function eventKinds(connection: Connection): EventKind[] {
  return connection.surface === 'crm-webhook' ? crmKinds(connection) : chatKinds(connection);
}

/** Typical events, each of a different caller. */
export function eventsOfOtherCallers(connection: Connection, count: number): Record<string, unknown>[] {
  return fictionalNumbers.slice(0, count).map((phone) => ofCaller(connection, phone));
}

/** A typical event of this surface, of a known caller if one is configured. */
export function typicalEvent(connection: Connection): Record<string, unknown> {
  const { sample } = connection.session;
  return connection.surface === 'crm-webhook'
    ? { ...sample.crmEvent('IncomingCallLookup') }
    : { ...sample.messageReceived({ contact: typicalContact(connection) }) };
}

const typicalContacts = new WeakMap<Connection, ReturnType<Connection['session']['sample']['newCustomer']>>();

/** The contact of all typical messages: several at once show whether the endpoint takes them one after the other. */
function typicalContact(connection: Connection) {
  const contact = typicalContacts.get(connection) ?? connection.session.sample.newCustomer();
  typicalContacts.set(connection, contact);
  return contact;
}

function ofCaller(connection: Connection, phone: string): Record<string, unknown> {
  const { sample, ids } = connection.session;
  if (connection.surface === 'crm-webhook') {
    return { ...sample.crmEvent('IncomingCallLookup', { contactData: sample.contactData({ phoneNumber: phone }) }) };
  }
  return { ...sample.messageReceived({ contact: { id: ids.integer(), name: 'Erika Mustermann', phone } }) };
}

function crmKinds(connection: Connection): EventKind[] {
  const { sample } = connection.session;
  const hasKnownCaller = connection.config.stimuli.knownCaller !== undefined;
  const kinds: EventKind[] = [
    {
      what: 'a NewConversation',
      event: () => ({ ...sample.crmEvent('NewConversation') }),
      includes: ({ eventType }) => eventType === 'NewConversation',
      slower: 'timing/slow-for-an-event-type',
      quicker: 'timing/slow-for-an-event-type',
    },
    {
      what: 'a lookup with long strings',
      event: () => ({
        ...sample.crmEvent('IncomingCallLookup', {
          projectData: sample.projectData({ currentSummary: sentence.repeat(largeTextBytes / sentence.length) }),
        }),
      }),
      slower: 'timing/slow-by-size',
    },
  ];
  if (hasKnownCaller) {
    kinds.unshift({
      what: 'a lookup of an unknown caller',
      event: () => ofCaller(connection, unknownCaller),
      includes: ({ eventType, contactData }) =>
        eventType === 'IncomingCallLookup' && isJsonObject(contactData) && contactData.phoneNumber === unknownCaller,
      slower: 'timing/slow-for-unknown-callers',
      quicker: 'timing/slow-for-known-callers',
    });
  }
  return kinds;
}

function chatKinds(connection: Connection): EventKind[] {
  const { sample } = connection.session;
  const turns = (count: number, text?: string) => {
    const history = sample.history(count);
    return text === undefined ? history : history.map((turn) => ({ ...turn, text }));
  };
  const longTurn = sentence.repeat(largeTextBytes / limits.historyTurns / sentence.length);
  return [
    {
      what: `a message after ${limits.historyTurns} short turns of history`,
      event: () => ({ ...sample.messageReceived({ history: turns(limits.historyTurns) }) }),
      includes: (event) => historyOf(event).length >= limits.historyTurns,
      slower: 'timing/slow-by-history',
    },
    {
      what: `a message after ${limits.historyTurns} long turns of history`,
      event: () => ({ ...sample.messageReceived({ history: turns(limits.historyTurns, longTurn) }) }),
      includes: (event) =>
        historyOf(event).filter((turn) => textLengthOf(turn) >= longTurn.length).length >= limits.historyTurns,
      slower: 'timing/slow-by-size',
    },
    {
      what: `a message of ${longMessageCharacters} characters`,
      event: () => {
        const { data, ...event } = sample.messageReceived();
        const text = ''.padEnd(longMessageCharacters, sentence);
        return { ...event, data: { ...data, message: { ...data.message, text } } };
      },
      includes: ({ data }) => isJsonObject(data) && textLengthOf(data.message) >= longMessageCharacters,
      slower: 'timing/slow-by-size',
    },
    {
      what: 'a message without history',
      event: () => ({ ...sample.messageReceived({ history: [] }) }),
      quicker: 'timing/slow-by-history',
    },
  ];
}

function historyOf({ data }: JsonObject): readonly unknown[] {
  return isJsonObject(data) && Array.isArray(data.history) ? (data.history as unknown[]) : [];
}

function textLengthOf(value: unknown): number {
  return isJsonObject(value) && typeof value.text === 'string' ? value.text.length : 0;
}
