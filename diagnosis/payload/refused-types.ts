import { legacyEventTypes, crmAppointmentEventTypes, lookupEventTypes } from '../../specs/crm-event-types.ts';
import { subscribedTypes } from '../../harness/config/subscribed-types.ts';
import { unknownCaller, type Samples } from '../../harness/checks/samples.ts';
import type { Connection } from '../connection.ts';
import type { Found } from '../outcome.ts';
import type { EventSender } from './event-sender.ts';
import type { Appointment } from '../../specs/generated/types.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** One kind of event that must be accepted. */
interface TypicalEvent {
  /** Its name for developers. */
  name: string;
  event: () => JsonObject;
}

/** A type of event that is refused, and how: completes "is answered with". */
interface Refused {
  name: string;
  words: string;
}

interface KindsOfEvent {
  id:
    | 'payload/listed-event'
    | 'payload/unknown-event'
    | 'payload/number-event-type'
    | 'payload/unknown-caller'
    | 'payload/ping';
  kinds: readonly TypicalEvent[];
  isAccepted?: (status: number) => boolean;
  /** Describes the refused ones, each confirmed. */
  text: (names: string, words: string) => string;
  /** The cause requires that all of them are refused. */
  needsAll?: true;
  /** A special case of the kind before: nothing to report where that one is refused. */
  isSpecial?: true;
}

function kindsOf({ surface, session, config }: Connection): KindsOfEvent[] {
  const { sample } = session;
  const listed = (kinds: TypicalEvent[]): KindsOfEvent => ({
    id: 'payload/listed-event',
    kinds,
    text: (names, words) => `Events of the type ${names} are answered with ${words}; others are accepted.`,
  });
  const unknown = (
    kinds: TypicalEvent[],
    { isAccepted, about = '' }: { isAccepted?: KindsOfEvent['isAccepted']; about?: string } = {},
  ): KindsOfEvent => ({
    id: 'payload/unknown-event',
    kinds,
    needsAll: true,
    ...(isAccepted && { isAccepted }),
    text: (_, words) =>
      `An event of an unknown type${about} is answered with ${words}${isAccepted ? ' instead of 204' : ''}.`,
  });
  switch (surface) {
    case 'own-ai-chat':
      return [
        {
          id: 'payload/ping',
          kinds: [{ name: 'ping', event: () => ({ ...sample.ping() }) }],
          text: (_, words) => `The ping is answered with ${words}, though messages are accepted.`,
        },
        unknown(
          ['message.edited', 'conversation.closed'].map((type) => ({
            name: type,
            event: () => ({ ...sample.messageReceived(), type }),
          })),
        ),
      ];
    case 'api-webhooks': {
      const ofType = (type: string): TypicalEvent => ({
        name: type,
        event: () => ({ ...sample.apiWebhookEvent(), type }),
      });
      return [
        listed(subscribedTypes(config).map(ofType)),
        unknown(['appointment.no_show', 'invoice.created'].map(ofType)),
      ];
    }
    case 'crm-webhook': {
      const named = [...legacyEventTypes, ...crmAppointmentEventTypes];
      const ofType = (type: unknown): TypicalEvent => ({
        name: String(type),
        event: () => ({ ...sample.crmEvent('Manual'), eventType: type }),
      });
      const ofAppointment = (type: string): TypicalEvent => ({
        name: type,
        event: () => ({ ...sample.crmEvent('AppointmentFinished'), eventType: type }),
      });
      const nothingToAdd = { isAccepted: (status: number) => status === 204 };
      return [
        listed(named.map((type) => ({ name: type, event: () => ({ ...sample.crmEvent(type) }) }))),
        {
          id: 'payload/number-event-type',
          kinds: legacyEventTypes.map((type, number) => ({
            name: `${number} (${type})`,
            event: () => ({ ...sample.crmEvent(type), eventType: number }),
          })),
          text: (names, words) =>
            `eventType as the number ${names} is answered with ${words}; by its name it is accepted.`,
        },
        {
          id: 'payload/unknown-caller',
          kinds: unknownCallerKinds(sample),
          text: (names, words) =>
            `${names} of an unknown caller is answered with ${words}; for a known one it is accepted.`,
        },
        unknown(['ConversationTagged', 'InvoicePaid'].map(ofType), nothingToAdd),
        {
          ...unknown(['AppointmentNoShow', 'AppointmentLapsed'].map(ofAppointment), {
            ...nothingToAdd,
            about: ' with appointmentData',
          }),
          isSpecial: true,
        },
        unknown([6, 99].map(ofType), nothingToAdd),
      ];
    }
    case 'own-ai-phone':
      return [];
  }
}

/** Lookups of an unknown number; none if every caller is unknown anyway. */
function unknownCallerKinds(sample: Samples): TypicalEvent[] {
  if (sample.contactData().phoneNumber === unknownCaller) return [];
  return lookupEventTypes.map((name) => ({
    name,
    event: () => ({ ...sample.crmEvent(name, { contactData: sample.contactData({ phoneNumber: unknownCaller }) }) }),
  }));
}

/** Event types that are refused, each confirmed. */
export async function refusedTypes(sender: EventSender): Promise<{ found: Found[]; passed: string[] }> {
  const found: Found[] = [];
  const passed: string[] = [];
  const listedRefused = new Set<string>();
  for (const { id, kinds, isAccepted, text, needsAll, isSpecial } of kindsOf(sender.connection)) {
    if (isSpecial && found.at(-1)?.id === id) continue;
    let refused: Refused[] = [];
    let asked = 0;
    for (const { name, event } of kinds) {
      // If a type is refused by its name and for a known caller, its number or another caller adds nothing.
      if (id === 'payload/number-event-type' && listedRefused.has(/\((\w+)\)/.exec(name)?.[1] ?? '')) continue;
      if (id === 'payload/unknown-caller' && listedRefused.has(name)) continue;
      const options = { label: `an event of type ${name}`, ...(isAccepted && { isAccepted }) };
      asked++;
      const isTyped = id === 'payload/ping' || id === 'payload/listed-event';
      if (isTyped && sender.connection.valid.acceptedTypes.has(name)) continue;
      const reception = await sender.send(event(), options);
      if (reception.ok) {
        if (needsAll) break;
        continue;
      }
      const again = await sender.send(event(), { ...options, label: `${options.label}, again` });
      if (!again.ok) refused.push({ name, words: again.words });
    }
    if (id === 'payload/listed-event') for (const { name } of refused) listedRefused.add(name);
    const unknown = id === 'payload/listed-event' ? await refusedUntilCreated(sender, refused) : undefined;
    if (unknown) {
      found.push(unknown.found);
      refused = unknown.others;
      if (refused.length === 0) continue;
    }
    const [first] = refused;
    const isOne = first !== undefined && (needsAll ? refused.length === kinds.length : true);
    if (isOne && !(id === 'payload/listed-event' && refused.length === kinds.length)) {
      found.push({ id, summary: text(namesOf(refused.map(({ name }) => name)), first.words) });
    } else if (!first && asked > 0) {
      passed.push(
        `Accepted: ${asked === 1 ? '' : `${asked} events, `}${namesOf(kinds.slice(0, asked).map(({ name }) => name))}.`,
      );
    }
  }
  return { found, passed };
}

const createdType = 'appointment.created';

/**
 * The cause if events of some of these types are refused for an appointment whose creation did not come before, and accepted
 * otherwise; and the other types. The first one is tried both ways twice: instances may take turns.
 */
async function refusedUntilCreated(
  sender: EventSender,
  refused: readonly Refused[],
): Promise<{ found: Found; others: Refused[] } | undefined> {
  const { session, config, surface } = sender.connection;
  const isCreatedRefused = refused.some(({ name }) => name === createdType);
  if (surface !== 'api-webhooks' || isCreatedRefused || !subscribedTypes(config).includes(createdType))
    return undefined;
  const send = async (type: string, data: Appointment, label: string) =>
    (await sender.send({ ...session.sample.apiWebhookEvent(), type, data }, { label })).ok;
  const isAcceptedOnceCreated = async (type: string) => {
    const { data } = session.sample.apiWebhookEvent();
    return (
      (await send(createdType, data, `${createdType} of an appointment`)) &&
      (await send(type, data, `${type} of the same appointment`))
    );
  };
  const isRefusedBefore = async (type: string) =>
    !(await send(type, session.sample.apiWebhookEvent().data, `${type} of an unknown appointment`));
  const known: Refused[] = [];
  for (const one of refused) {
    if (!(await isAcceptedOnceCreated(one.name))) continue;
    const isConfirmed =
      known.length > 0 || ((await isRefusedBefore(one.name)) && (await isAcceptedOnceCreated(one.name)));
    if (!isConfirmed) return undefined;
    known.push(one);
  }
  const [first] = known;
  if (!first) return undefined;
  const summary = `Events of the type ${namesOf(known.map(({ name }) => name))} are answered with ${first.words} unless ${createdType} of the same appointment came before.`;
  const found: Found = { id: 'payload/unknown-appointment', summary };
  return { found, others: refused.filter((one) => !known.includes(one)) };
}

function namesOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
