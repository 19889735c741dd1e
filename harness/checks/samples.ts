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
import type { IdGenerator } from './id-generator.ts';
import { crmAppointmentEventTypes } from '../../specs/crm-event-types.ts';

/** Caller number that no endpoint knows: from the range that Germany reserves for fiction. */
export const unknownCaller = '+4915228817386';

/** Dialled number, from the same range. */
const calledNumber = '+4930231255000';

/** Typical events; a check varies one field and leaves the others unchanged. */
export class Samples {
  readonly #ids: IdGenerator;
  readonly #skills: readonly Skill[];
  readonly #caller: string;
  readonly #sentence: string;
  readonly #callerSentence: string;

  constructor(
    ids: IdGenerator,
    options: {
      skills: readonly Skill[];
      caller: string | undefined;
      sentence: string | undefined;
      callerSentence: string | undefined;
    },
  ) {
    this.#ids = ids;
    this.#skills = options.skills;
    this.#caller = options.caller ?? unknownCaller;
    this.#callerSentence = options.callerSentence ?? 'Hello, are you open on Thursday?';
    this.#sentence = options.sentence ?? 'Hello, do you have an appointment free on Thursday?';
  }

  /** A contact as in events; every nullable field is null. */
  contactData(over: Partial<ContactData> = {}): ContactData {
    return {
      svcContactId: this.#ids.integer(),
      phoneNumber: this.#caller,
      crmContactId: null,
      language: 'de-DE',
      city: null,
      addressLine1: null,
      postCode: null,
      salutation: null,
      firstName: null,
      lastName: null,
      company: null,
      email: null,
      customDate1: null,
      customDate2: null,
      customNumeric1: null,
      customNumeric2: null,
      customString1: null,
      customString2: null,
      customString3: null,
      customString4: null,
      customString5: null,
      customCheckBox1: null,
      customCheckBox2: null,
      customOptIn1: null,
      customOptIn2: null,
      customOptIn3: null,
      crmInternalInfo: null,
      crmAiInfo: null,
      postalAddresses: [],
      ...over,
    };
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

  /** An appointment two days ahead, confirmed by both sides. */
  appointment(over: Partial<Appointment> = {}): Appointment {
    const now = Date.now();
    const start = now + 2 * 86_400_000;
    return {
      id: this.#ids.integer(),
      externalId: `ext-${this.#ids.text()}`,
      metadata: { source: 'website' },
      contactId: this.#ids.integer(),
      projectId: this.#ids.integer(),
      title: 'Consultation',
      start: utcTimestamp(start),
      startLocal: utcTimestamp(start + 3_600_000),
      durationMinutes: 30,
      kind: 'in_person',
      status: 'confirmed',
      customerConfirmedAt: utcTimestamp(now),
      businessConfirmedAt: utcTimestamp(now),
      cancelledAt: null,
      finishedAt: null,
      rescheduledCount: 0,
      createdAt: utcTimestamp(now - 60_000),
      updatedAt: utcTimestamp(now),
      ...over,
    };
  }

  /** A CRM event without `callbackUrl`, which the driver adds. */
  crmEvent(eventType: CrmEvent['eventType'], over: Partial<CrmEvent> = {}): Omit<CrmEvent, 'callbackUrl'> {
    const appointmentData = (crmAppointmentEventTypes as readonly string[]).includes(eventType)
      ? this.appointment()
      : null;
    return {
      eventType,
      timestampUtc: utcTimestamp(Date.now()),
      contactData: this.contactData(),
      projectData: this.projectData(),
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
      workspaceId: this.#ids.integer(),
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
      workspaceId: this.#ids.integer(),
      agentId: this.#ids.integer(),
      data: {
        projectId: this.#ids.integer(),
        channel: 'whatsapp',
        contact: { id: this.#ids.integer(), name: 'Erika Mustermann', phone: unknownCaller },
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
      workspaceId: this.#ids.integer(),
      agentId: this.#ids.integer(),
    };
  }

  /** The first frame of a call from a known caller (interface: Own-AI phone frames). */
  sessionStarted(over: Partial<SessionStarted> = {}): SessionStarted {
    return {
      type: 'session.started',
      protocol: protocolRevision,
      callId: this.#ids.text(),
      callSid: `CA${this.#ids.text()}`,
      projectId: this.#ids.integer(),
      workspaceId: this.#ids.integer(),
      agentId: this.#ids.integer(),
      from: this.#caller,
      to: calledNumber,
      language: 'en-US',
      contact: { id: this.#ids.integer(), name: 'Erika Mustermann' },
      skills: [...this.#skills],
      ...over,
    };
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
