import type {
  ApiWebhookEvent,
  Appointment,
  AutoReply,
  ContactData,
  CrmEvent,
  MessageReceived,
  Ping,
  ProjectData,
  SessionStarted,
  Skill,
} from '../../specs/generated/types.ts';
import { limits, protocolRevision } from '../../specs/limits.ts';
import { crmAppointmentEventTypes } from '../../specs/crm-event-types.ts';
import { contactDataOf } from '../../service/contact-data.ts';
import { emptyContact } from '../../service/empty-contact.ts';
import { localTimestamp } from '../../service/local-timestamp.ts';
import type { Workspace } from '../../service/workspace.ts';
import type { IdGenerator } from './id-generator.ts';

/** Caller number that no endpoint knows: from the range that Germany reserves for fiction. */
export const unknownCaller = '+4915228817386';

/** Area codes of the United States, in each of which 100 numbers (555-01xx) are reserved for fiction: valid numbers. */
const areaCodes = [
  ...[201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228, 229, 231],
  ...[234, 239, 240, 248, 251, 252, 253, 254, 256, 260, 262, 267, 269, 270, 276, 281, 301, 302, 303, 304, 305, 307],
  ...[308, 309, 310, 312, 313, 314, 315, 316, 317, 318, 319, 320, 321, 323, 330, 334, 336, 337, 347, 352, 360, 361],
  ...[386, 401, 402, 404, 405, 406, 407, 408, 409, 410, 412, 413, 414, 415, 417, 419, 423, 425, 432, 434, 435, 440],
  ...[443, 478, 479, 480, 484, 501, 502, 503, 504, 505, 507, 508, 509, 510, 512, 513, 515, 516, 517, 518, 520, 530],
] as const;

/** Combinations of a consonant and a vowel in an invented word. */
const syllables = 14 * 5;

/** Dialled number, from the same range as {@link unknownCaller}. */
const calledNumber = '+4930231255000';

/**
 * Typical events of one workspace; a check varies one field and leaves the others unchanged. The same phone number is
 * the same contact in all of them.
 */
export class Samples {
  readonly #ids: IdGenerator;
  readonly #workspace: Pick<Workspace, 'id' | 'timeZone' | 'agents'>;
  readonly #contactIds = new Map<string, number>();
  readonly #supplied = new Map<number, Partial<ContactData>>();
  /** Begins anywhere, so that no fixed text of an endpoint contains the phone number or name of a customer by chance. */
  #customers: number;
  /** The name of the callers that {@link callerToCompare} makes. */
  readonly #commonName: string;
  readonly #skills: readonly Skill[];
  readonly #caller: string;
  readonly #sentence: string;
  readonly #callerSentence: string;

  constructor(
    ids: IdGenerator,
    options: {
      workspace: Pick<Workspace, 'id' | 'timeZone' | 'agents'>;
      skills: readonly Skill[];
      caller: string | undefined;
      sentence: string | undefined;
      callerSentence: string | undefined;
    },
  ) {
    this.#ids = ids;
    this.#customers = ids.integer() % (100 * areaCodes.length);
    this.#commonName = this.#nextCustomer().name;
    this.#workspace = options.workspace;
    this.#skills = options.skills;
    this.#caller = options.caller ?? unknownCaller;
    this.#callerSentence = options.callerSentence ?? 'Hello, are you open on Thursday?';
    this.#sentence = options.sentence ?? 'Hello, do you have an appointment free on Thursday?';
  }

  /** A contact as in events: every nullable field is null, except for what the CRM has supplied about this contact. */
  contactData(over: Partial<ContactData> = {}): ContactData {
    const contact = this.contactWithoutCrmData(over);
    return { ...contact, ...this.#supplied.get(contact.svcContactId), ...over };
  }

  /** The same contact without what the CRM has supplied: every nullable field is null. */
  contactWithoutCrmData(over: Partial<ContactData> = {}): ContactData {
    const phone = over.phoneNumber ?? this.#caller;
    return { ...contactDataOf({ ...emptyContact(this.#contactId(phone)), phone }), ...over };
  }

  /** Adds data that the CRM has supplied about a contact: later events carry it. */
  supply({ svcContactId, ...data }: Partial<ContactData> & Pick<ContactData, 'svcContactId'>): void {
    this.#supplied.set(svcContactId, { ...this.#supplied.get(svcContactId), ...data });
  }

  /** A project as in CRM events. */
  projectData(over: Partial<ProjectData> = {}): ProjectData {
    return {
      svcProjectId: this.#ids.integer(),
      crmProjectId: null,
      projectName: 'Phone call',
      address: null,
      city: null,
      postcode: null,
      currentSummary: null,
      inquirySummary: null,
      crmInternalInfo: null,
      crmAiInfo: null,
      ...over,
    };
  }

  /** An appointment two days ahead, or at this start, confirmed by both sides. */
  appointment(over: Partial<Appointment> = {}): Appointment {
    const now = Date.now();
    const at = utcTimestamp(now);
    const start = over.start === undefined ? now + 2 * 86_400_000 : Date.parse(`${over.start}Z`);
    return {
      id: this.#ids.integer(),
      externalId: `ext-${this.#ids.text()}`,
      metadata: { source: 'website' },
      contactId: this.#contactId(this.#caller),
      projectId: this.#ids.integer(),
      title: 'Consultation',
      start: utcTimestamp(start),
      startLocal: localTimestamp(start, this.#workspace.timeZone),
      durationMinutes: 30,
      kind: 'in_person',
      status: 'confirmed',
      customerConfirmedAt: at,
      businessConfirmedAt: at,
      cancelledAt: null,
      finishedAt: null,
      rescheduledCount: 0,
      createdAt: utcTimestamp(now - 60_000),
      updatedAt: at,
      ...over,
    };
  }

  /** A CRM event without `callbackUrl`, which the driver adds. */
  crmEvent(eventType: CrmEvent['eventType'], over: Partial<CrmEvent> = {}): Omit<CrmEvent, 'callbackUrl'> {
    const contactData = over.contactData ?? this.contactData();
    const projectData = over.projectData ?? this.projectData();
    const appointmentData = (crmAppointmentEventTypes as readonly string[]).includes(eventType)
      ? this.appointment({ contactId: contactData.svcContactId, projectId: projectData.svcProjectId })
      : null;
    return {
      eventType,
      timestampUtc: utcTimestamp(Date.now()),
      contactData,
      projectData,
      appointmentData,
      ...over,
    };
  }

  /** An appointment event of the API webhooks, by default of a new appointment. */
  apiWebhookEvent(
    type: ApiWebhookEvent['type'] = 'appointment.confirmed',
    data: Partial<Appointment> = {},
  ): ApiWebhookEvent {
    return {
      id: `whe_${this.#ids.text()}`,
      type,
      createdAt: utcTimestamp(Date.now()),
      workspaceId: this.#workspace.id,
      data: this.appointment(data),
    };
  }

  /** A chat event without `replyUrl`, which the driver adds. */
  messageReceived(over: Partial<ChatData> = {}): ChatEvent {
    const id = this.#ids.event();
    return {
      id,
      type: 'message.received',
      createdAt: utcTimestamp(Date.now()),
      protocol: protocolRevision,
      workspaceId: this.#workspace.id,
      agentId: this.#agentId,
      data: {
        projectId: this.#ids.integer(),
        channel: 'whatsapp',
        contact: this.newCustomer(),
        message: { id: this.#ids.integer(), text: this.#sentence, receivedAt: utcTimestamp(Date.now()) },
        history: this.history(2),
        skills: [...this.#skills],
        autoReply: { state: 'on' },
        ...over,
      },
    };
  }

  /** A ping: the envelope without data (interface: Own-AI chat event). */
  ping(): Ping {
    return {
      id: this.#ids.event(),
      type: 'ping',
      createdAt: utcTimestamp(Date.now()),
      protocol: protocolRevision,
      workspaceId: this.#workspace.id,
      agentId: this.#agentId,
    };
  }

  /** The first frame of a call (interface: Own-AI phone frames). */
  sessionStarted(over: Partial<SessionStarted> = {}): SessionStarted {
    const { id, name, phone } = this.newCustomer();
    return {
      type: 'session.started',
      protocol: protocolRevision,
      ...this.newCallIds(),
      projectId: this.#ids.integer(),
      workspaceId: this.#workspace.id,
      agentId: this.#agentOfCalls,
      from: phone,
      to: calledNumber,
      language: 'en-US',
      contact: { id, name },
      skills: [...this.#skills],
      ...over,
    };
  }

  /** The ids of a new call: an endpoint may find a call by either of them. */
  newCallIds(): Pick<SessionStarted, 'callId' | 'callSid'> {
    return { callId: this.#ids.text(), callSid: `CA${this.#ids.text()}` };
  }

  /** Another customer each time, since several conversations and calls at once come from different people. */
  newCustomer(): { id: number; name: string; phone: string } {
    const customer = this.#nextCustomer();
    return customer.phone === this.#caller ? this.#nextCustomer() : customer;
  }

  /**
   * A new customer as the caller of a call whose speech is compared with that of others: an AI that speaks the name of the
   * contact says the same in all of them.
   */
  callerToCompare(): Pick<SessionStarted, 'contact' | 'from'> {
    const { id, phone } = this.newCustomer();
    return { from: phone, contact: { id, name: this.#commonName } };
  }

  #nextCustomer(): { id: number; name: string; phone: string } {
    const at = this.#customers++;
    const areaCode = areaCodes[Math.floor(at / 100) % areaCodes.length];
    const phone = `+1${areaCode}55501${String(at % 100).padStart(2, '0')}`;
    return { id: this.#contactId(phone), name: `Erika ${surnameOf(at)}`, phone };
  }

  /** An invented word that no other event contains. */
  newWord(): string {
    return wordOf(this.#ids.integer(), 5);
  }

  /** Whether a contact is one of these samples. Generated events may share small and other special ids with each other. */
  isSampleContact(id: unknown): boolean {
    return [...this.#contactIds.values()].some((known) => known === id);
  }

  #contactId(phone: string): number {
    const id = this.#contactIds.get(phone) ?? this.#ids.integer();
    this.#contactIds.set(phone, id);
    return id;
  }

  /** The assistant that answers messages. */
  get #agentId(): number {
    const [agentId = 0] = this.#workspace.agents.keys();
    return agentId;
  }

  /** The assistant that answers calls, which is another one if its secret or its timeout differs. */
  get #agentOfCalls(): number {
    const agent = [...this.#workspace.agents.values()].find(({ voiceUrl }) => voiceUrl !== '');
    return agent?.agentId ?? this.#agentId;
  }

  /** A caller's sentence that needs an answer and no skill. */
  get callerSentence(): string {
    return this.#callerSentence;
  }

  /** `count` turns of a conversation, oldest first, with alternating roles. */
  history(count: number): MessageReceived['data']['history'] {
    const roles = ['customer', 'agent', 'team', 'system'] as const;
    const from = Date.now() - (limits.historyTurns + 1) * 60_000;
    return Array.from({ length: count }, (_, at) => ({
      role: roles[at % roles.length] ?? 'customer',
      text: `Turn ${at + 1} of ${count}`,
      at: utcTimestamp(from + at * 60_000),
    }));
  }

  /** Every auto-reply state as in events (interface: Auto-reply). */
  autoReplies(): AutoReply[] {
    return [
      { state: 'on' },
      { state: 'paused', pausedUntil: utcTimestamp(Date.now() + limits.autoReplyPauseMinutes * 60_000) },
      { state: 'off' },
    ];
  }
}

/** The names of {@link Samples.newCustomer}. */
export const customerName = /^Erika [A-Z][aeiou](?:[a-z][aeiou]){2}$/;

/** Three syllables: a name that no other customer has. */
function surnameOf(customer: number): string {
  const name = wordOf(customer, 3);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** A word of `length` syllables for a number. */
function wordOf(number: number, length: number): string {
  const [consonants, vowels] = ['bdfgklmnprstvz', 'aeiou'];
  let rest = number % syllables ** length;
  let word = '';
  for (let syllable = 0; syllable < length; syllable++) {
    const of = rest % syllables;
    word += `${consonants[of % consonants.length] ?? ''}${vowels[Math.floor(of / consonants.length)] ?? ''}`;
    rest = Math.floor(rest / syllables);
  }
  return word;
}

/** The conversation of a chat event before the driver adds a `replyUrl`. */
export interface ChatData extends Pick<
  MessageReceived['data'],
  'projectId' | 'channel' | 'contact' | 'message' | 'history'
> {
  skills: readonly Skill[];
  autoReply: AutoReply;
}

/** A chat event before the driver adds a `replyUrl`. */
export type ChatEvent = Omit<MessageReceived, 'data'> & { data: ChatData };

/** Seconds precision, UTC, no zone suffix. `ms` is Unix time in milliseconds. */
export function utcTimestamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** A minute before a timestamp of the form of `utcTimestamp`. */
export function aMinuteBefore(timestamp: string): string {
  return utcTimestamp(Date.parse(`${timestamp}Z`) - 60_000);
}
