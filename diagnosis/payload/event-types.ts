import { legacyEventTypes } from '../../specs/legacy-event-types.ts';
import { appointmentEventTypes, unknownCaller, type Samples } from '../../harness/checks/samples.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { Found } from '../outcome.ts';
import type { Json, EventSender } from './event-sender.ts';

/** One kind of event that must be taken whatever it holds. */
interface Kind {
  /** Its name, as a developer knows it. */
  name: string;
  event: () => Json;
}

interface KindsOfEvent {
  id:
    | 'payload/listed-event'
    | 'payload/unknown-event'
    | 'payload/number-event-type'
    | 'payload/unknown-caller'
    | 'payload/ping';
  kinds: readonly Kind[];
  isTaken?: (status: number) => boolean;
  /** The sentence about those that are refused, each twice. */
  text: (names: string, words: string) => string;
  /** All of them have to be refused for the cause to be named. */
  needsAll?: true;
}

const isNothingToAdd = (status: number) => status === 204;

function kindsOf(surface: DiagnosedSurface, sample: Samples): KindsOfEvent[] {
  const listed = (kinds: Kind[]): KindsOfEvent => ({
    id: 'payload/listed-event',
    kinds,
    text: (names, words) => `Events of the type ${names} are answered with ${words}; others are taken.`,
  });
  const unknown = (kinds: Kind[], isTaken?: KindsOfEvent['isTaken']): KindsOfEvent => ({
    id: 'payload/unknown-event',
    kinds,
    needsAll: true,
    ...(isTaken && { isTaken }),
    text: (_, words) =>
      `An event of a type that is not known yet is answered with ${words}${isTaken ? ' instead of 204' : ''}.`,
  });
  switch (surface) {
    case 'own-ai-chat':
      return [
        {
          id: 'payload/ping',
          kinds: [{ name: 'ping', event: () => ({ ...sample.ping() }) }],
          text: (_, words) => `The ping is answered with ${words}, though messages are taken.`,
        },
        unknown(
          ['message.edited', 'conversation.closed'].map((type) => ({
            name: type,
            event: () => ({ ...sample.messageReceived(), type }),
          })),
        ),
      ];
    case 'api-webhooks': {
      const ofType = (type: string): Kind => ({ name: type, event: () => ({ ...sample.apiWebhookEvent(), type }) });
      const types = ['created', 'confirmed', 'rescheduled', 'cancelled', 'finished', 'reminder_sent'];
      return [
        listed(types.map((type) => ofType(`appointment.${type}`))),
        unknown(['appointment.no_show', 'invoice.created'].map(ofType)),
      ];
    }
    case 'crm-webhook': {
      const named = [...legacyEventTypes, ...appointmentEventTypes];
      const ofType = (type: unknown): Kind => ({
        name: String(type),
        event: () => ({ ...sample.crmEvent('Manual'), eventType: type }),
      });
      return [
        listed(named.map((type) => ({ name: type, event: () => ({ ...sample.crmEvent(type) }) }))),
        {
          id: 'payload/number-event-type',
          kinds: legacyEventTypes.map((type, number) => ({
            name: `${number} (${type})`,
            event: () => ({ ...sample.crmEvent(type), eventType: number }),
          })),
          text: (names, words) =>
            `eventType as the number ${names} is answered with ${words}; by its name it is taken.`,
        },
        {
          id: 'payload/unknown-caller',
          kinds: strangersCalls(sample),
          text: (names, words) =>
            `${names} of a caller whom nobody knows is answered with ${words}; of a known one it is taken.`,
        },
        unknown(['ConversationTagged', 'InvoicePaid'].map(ofType), isNothingToAdd),
        unknown([6, 99].map(ofType), isNothingToAdd),
      ];
    }
    case 'own-ai-phone':
      return [];
  }
}

/** Look-ups by a number that the CRM does not hold; none where every caller is such a one anyway. */
function strangersCalls(sample: Samples): Kind[] {
  if (sample.contactData().phoneNumber === unknownCaller) return [];
  return (['IncomingCallLookup', 'NewConversation'] as const).map((name) => ({
    name,
    event: () => ({ ...sample.crmEvent(name, { contactData: sample.contactData({ phoneNumber: unknownCaller }) }) }),
  }));
}

/** Types of event that are refused, each seen twice. */
export async function refusedTypes(taking: EventSender): Promise<{ found: Found[]; passed: string[] }> {
  const { surface, session } = taking.connection;
  const found: Found[] = [];
  const passed: string[] = [];
  const listedRefused = new Set<string>();
  for (const { id, kinds, isTaken, text, needsAll } of kindsOf(surface, session.sample)) {
    const refused: { name: string; words: string }[] = [];
    let asked = 0;
    for (const { name, event } of kinds) {
      // Where a type is refused by its name and of a known caller, its number or another caller tells nothing.
      if (id === 'payload/number-event-type' && listedRefused.has(/\((\w+)\)/.exec(name)?.[1] ?? '')) continue;
      if (id === 'payload/unknown-caller' && listedRefused.has(name)) continue;
      const options = { label: `an event of type ${name}`, ...(isTaken && { isTaken }) };
      asked++;
      const taken = await taking.send(event(), options);
      if (taken.ok) {
        if (needsAll) break;
        continue;
      }
      const again = await taking.send(event(), { ...options, label: `${options.label}, again` });
      if (!again.ok) refused.push({ name, words: again.words });
    }
    if (id === 'payload/listed-event') for (const { name } of refused) listedRefused.add(name);
    const [first] = refused;
    const isOne = first !== undefined && (needsAll ? refused.length === kinds.length : true);
    if (isOne && !(id === 'payload/listed-event' && refused.length === kinds.length)) {
      found.push({ id, summary: text(namesOf(refused.map(({ name }) => name)), first.words) });
    } else if (!first && asked > 0) {
      passed.push(
        `Taken: ${asked === 1 ? '' : `${asked} events, `}${namesOf(kinds.slice(0, asked).map(({ name }) => name))}.`,
      );
    }
  }
  return { found, passed };
}

function namesOf(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
