import type { ApiAppointment, ApiWebhookEvent, ContactData, ProjectData, Skill } from '../specs/generated/types.ts';

/** Channels of conversations and messages. `phone` is a call. */
export type ProjectChannel = 'whatsapp' | 'webchat' | 'telegram' | 'chat' | 'sms' | 'rcs' | 'email' | 'phone';

/** A contact of one inbox. Times are Unix milliseconds throughout this file. */
export interface ContactRecord {
  id: number;
  /** International form without separators. */
  phone: string | null;
  email: string | null;
  firstName: string | null;
  lastName: string | null;
  serviceConsent: boolean;
  marketingConsent: boolean;
  /** Further fields from the CRM: crmContactId, crmAiInfo, address … */
  crm: Partial<ContactData>;
  /** When the customer last wrote, by channel. */
  lastWroteAt: Partial<Record<ProjectChannel, number>>;
  /** Nothing can be delivered to this contact: for 422 not_deliverable. */
  undeliverable: boolean;
}

/** Auto-reply of a conversation; `pausedUntil` only while paused (interface: Auto-reply). */
export type AutoReplyRecord = { state: 'on' } | { state: 'off' } | { state: 'paused'; pausedUntil: number };

export interface TurnRecord {
  role: 'customer' | 'agent' | 'team' | 'system';
  text: string;
  at: number;
  /** Id of the message, if the turn is one. */
  messageId?: number;
}

/** A note that only the team sees. */
export interface NoteRecord {
  id: number;
  title: string | null;
  text: string;
  at: number;
}

/** A conversation or case. */
export interface ProjectRecord {
  id: number;
  contactId: number;
  name: string;
  isOpen: boolean;
  channel: ProjectChannel;
  /** The own-AI assistant that answers it; `null` without one. */
  agentId: number | null;
  autoReply: AutoReplyRecord;
  /** The whole conversation, oldest first. */
  turns: TurnRecord[];
  notes: NoteRecord[];
  crm: Partial<ProjectData>;
  /** Skills that ran, for the limit per hour. */
  skillRuns: { key: string; kind: Skill['kind']; at: number }[];
  /** Messages that wait until the customer taps the button or writes. */
  waiting: { messageId: number; text: string }[];
  /** The AI has written since the team stepped in, and the team was notified. */
  teamWasNotified: boolean;
  /** A forward went to the team: the AI gets no events until the conversation is handed back. */
  forwarded: boolean;
  /** A customer has written on a chat channel. */
  chatHasBegun: boolean;
  /** A logged message is unread for the team. */
  unread: boolean;
}

/** A skill of an assistant, with the conditions under which it runs. */
export interface SkillRecord extends Skill {
  hoursLimited: boolean;
  /** Why it is currently refused, if it is; see the reasons of the interface (Errors). */
  refuse?: 'outside-hours' | 'not-allowed' | 'no-target' | 'no-recipient' | 'no-answer' | 'failed';
  /** It runs once the team has approved: ok with reason pending-approval. */
  needsApproval?: boolean;
}

/** An own-AI assistant (interface: Own-AI assistant). */
export interface AgentRecord {
  agentId: number;
  name: string;
  /** Empty: not connected. */
  chatUrl: string;
  voiceUrl: string;
  timeoutSeconds: number;
  secret: string | undefined;
  voiceId: string;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  lastError: string | null;
  consecutiveFailures: number;
  skills: SkillRecord[];
  skillsPerHourLimit: number;
  forwardsPerCallLimit: number;
}

/** An appointment; it is sent as {@link ApiAppointment}. */
export interface AppointmentRecord extends Omit<
  ApiAppointment,
  | 'start'
  | 'startLocal'
  | 'customerConfirmedAt'
  | 'businessConfirmedAt'
  | 'cancelledAt'
  | 'finishedAt'
  | 'createdAt'
  | 'updatedAt'
> {
  start: number;
  customerConfirmedAt: number | null;
  businessConfirmedAt: number | null;
  cancelledAt: number | null;
  finishedAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** The customer has declined once and was asked again. */
  declinedOnce: boolean;
}

export interface SubscriptionRecord {
  id: number;
  url: string;
  events: ApiWebhookEvent['type'][];
  description: string | null;
  secret: string;
  createdAt: number;
}

/** The content of one inbox. */
export interface Workspace {
  id: number;
  readonly name: string;
  /** IANA name of the time zone of `startLocal`. */
  readonly timeZone: string;
  /** Reminders need it (interface: Appointment). */
  hasOwnWhatsAppNumber: boolean;
  /** Minutes before an appointment at which reminders go out; the interface's when omitted. */
  reminderMinutesBefore?: readonly number[];
  /** Sender by channel; a channel without one cannot be used. */
  readonly senders: { id: string; channel: 'whatsapp' | 'sms' | 'rcs' | 'email'; name: string }[];
  readonly templates: { name: string; language: string; text: string }[];
  /** The CRM webhook; at most one (interface: CRM webhook events). */
  crmWebhook: { url: string; token: string } | undefined;
  readonly contacts: Map<number, ContactRecord>;
  readonly projects: Map<number, ProjectRecord>;
  readonly appointments: Map<number, AppointmentRecord>;
  readonly agents: Map<number, AgentRecord>;
  readonly subscriptions: Map<number, SubscriptionRecord>;
  /** The beginning of API keys; default: that of the interface document. */
  readonly keyPrefix?: string | undefined;
  /** API keys of this inbox: key to its name. */
  readonly keys: Map<string, string>;
}
