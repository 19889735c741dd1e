import type { JsonValue } from '../specs/json-value.ts';

/**
 * Values of examples by the field names of the interface, the best first; the first that the schema accepts is used.
 * `skills/name` is a field of the value or the schema with that name; the items of a list use the values in turn. Ids
 * are the same everywhere, so that examples of one document belong to one conversation.
 */
export const exampleValues: Readonly<Record<string, readonly JsonValue[]>> = {
  addressLine1: ['Hauptstrasse 12'],
  addressLine2: ['Second floor'],
  address: ['Hauptstrasse 12'],
  agentId: [3],
  announcement: ['One moment, I will put you through.'],
  answered: [true],
  at: ['2026-10-11T09:12:00'],
  callId: ['9f2c61d7a4b84e02b7ce5a1f3d609813'],
  callSid: ['CA4bb0c2f19d7e48a3a5f0c6d18e92b7f4'],
  callbackUrl: ['https://api.example.com/crm/callbacks/5d41402abc4b2a76'],
  channel: ['whatsapp'],
  channels: ['whatsapp', 'sms'],
  chatUrl: ['https://ai.example.com/chat'],
  city: ['Berlin'],
  company: ['Beispiel GmbH'],
  contactId: [4711],
  country: ['DE', 'Germany'],
  createdAt: ['2026-10-11T09:30:00'],
  crmAiInfo: ['Has an open order since Monday.'],
  crmContactId: ['K-1044'],
  crmInternalInfo: ['Prefers calls in the morning.'],
  crmProjectId: ['V-2207'],
  currentSummary: ['Asks when the boiler arrives.'],
  customDate1: ['2026-11-02'],
  customDate2: ['2026-12-24'],
  customNumeric1: ['12.50'],
  customNumeric2: ['3'],
  description: ['What it is for.'],
  detail: ['No such project in this inbox.'],
  digit: ['5'],
  durationMinutes: [45],
  durationMs: [84],
  email: ['erika@example.com'],
  events: ['appointment.confirmed', 'appointment.cancelled'],
  executeSkills: ['urgent', 'sales'],
  externalId: ['order-77'],
  firstName: ['Erika'],
  from: ['+4930901820'],
  id: [90017, 'whe_5d41402abc4b2a76', 'evt_7Hn3kQ90'],
  inquirySummary: ['When does the boiler arrive?'],
  key: ['sales'],
  keyName: ['Order system'],
  kind: ['in_person', 'forward'],
  label: ['Office'],
  language: ['de-DE'],
  lastError: ['The chat address answered 503.'],
  lastName: ['Beispiel'],
  maxLength: [200],
  message: ['We are sorry that it did not work out.'],
  messageId: [90018],
  name: ['Erika Beispiel'],
  note: ['Wants another date.'],
  noteId: [3301],
  occurredAt: ['2026-10-11T09:30:00Z'],
  orderNumber: ['77'],
  pausedUntil: ['2026-10-11T10:00:00'],
  phone: ['+4930901820'],
  phoneNumber: ['+4930901820'],
  protocol: ['2026-10-11'],
  postCode: ['10115'],
  postalCode: ['10115'],
  postcode: ['10115'],
  projectId: [812],
  projectName: ['Boiler'],
  purpose: ['service'],
  receivedAt: ['2026-10-11T09:29:58'],
  rescheduledCount: [0],
  replyUrl: ['https://api.example.com/v1/projects/812/agent-replies'],
  salutation: ['Ms'],
  secret: ['whsec_made_up_for_examples'],
  senderId: ['main'],
  spokenUntilInterrupt: ['It arrives on'],
  start: ['2026-11-02T09:00:00Z', '2026-11-02T09:00:00'],
  startLocal: ['2026-11-02T10:00:00'],
  status: ['confirmed', 'queued', 404],
  statusCode: [200],
  svcContactId: [4711],
  svcProjectId: [812],
  template: ['order_ready'],
  text: ['When does my boiler arrive?', 'It arrives on Monday.'],
  timeoutSeconds: [10],
  timestampUtc: ['2026-10-11T09:30:00'],
  subject: ['Your boiler'],
  title: ['Boiler service', 'project_not_found'],
  to: ['+4989550100'],
  token: ['On Monday.'],
  url: ['https://integrator.example/hooks'],
  version: ['0.1.0'],
  voiceId: ['anna'],
  voiceUrl: ['wss://ai.example.com/voice'],
  workspaceId: [7],
  workspaceName: ['Workshop'],
  'actionFrame/text': ['A colleague will call you back.'],
  'agentReplyRequest/text': ['It arrives on Monday.'],
  'agentTest/error': ['The chat address answered 503.'],
  'agentTest/statusCode': [503],
  'agentTest/success': [false],
  'agent/lastSuccessAt': ['2026-10-11T09:12:00'],
  'agents/lastSuccessAt': ['2026-10-11T09:12:00'],
  'agents/name': ['Our AI', 'Our AI at night'],
  'agents/agentId': [3, 4],
  'agent/name': ['Our AI'],
  'chatAnswer/text': ['It arrives on Monday.'],
  'contact/id': [4711],
  'messageLogRequest/channel': ['email'],
  'messageResponse/consentOverridden': [false],
  'messageResponse/waitingForReply': [false],
  'messageRequest/text': ['Your boiler is ready.'],
  'noteRequest/text': ['Wants an invoice.'],
  'postalAddress/type': ['billing'],
  'postalAddresses/type': ['billing', 'delivery'],
  'problemDetails/title': ['project_not_found'],
  'problemDetails/type': ['about:blank'],
  'resumedAfter/reason': ['no-answer'],
  'report/startedAt': ['2026-10-11T09:30:00Z'],
  'senders/channel': ['whatsapp', 'sms'],
  'senders/id': ['main', 'second'],
  'senders/name': ['Workshop', 'Workshop, SMS'],
  'summary/conformantWithWarnings': [0],
  'summary/failed': [0],
  'summary/incomplete': [0],
  'summary/nonConformant': [0],
  'summary/notChecked': [0],
  'summary/unusable': [0],
  'summary/advice': [0],
  'summary/blocked': [0],
  'summary/fail': [0],
  'summary/notApplicable': [0],
  'summary/notExercised': [0],
  'summary/warn': [0],
  'targets/config': ['shops/example-shop.json'],
  'targets/id': ['example-shop'],
  'skill/name': ['Sales'],
  'skill/id': [1],
  'skill/description': ['Puts callers through to sales.'],
  'skills/description': ['Puts callers through to sales.', 'Wakes up who is on duty.'],
  'skills/announcement': ['One moment, I will put you through.', ''],
  'skills/id': [1, 2],
  'skills/key': ['sales', 'urgent'],
  'skills/kind': ['forward', 'alert'],
  'skills/name': ['Sales', 'Urgent'],
  'subscription/description': ['Calendar'],
  'textFrame/text': ['It arrives on Monday.'],
  'transcript/text': ['When does my boiler arrive?', 'It arrives on Monday.'],
  'webhookRequest/description': ['Calendar'],
  'whatsAppTemplates/name': ['order_ready', 'order_late'],
  'whatsAppTemplates/text': ['Your order is ready.', 'Your order comes later.'],
};

/** Strings of common forms, used when no field name applies. */
export const commonStrings: readonly string[] = [
  '2026-10-11T09:30:00',
  '2026-10-11T09:30:00Z',
  '2026-10-11',
  'https://example.com/',
];

/** Places that a schema leaves open, because another one judges them: field by schema. */
export const openFields: Readonly<Record<string, 'contactDataAnswer' | 'projectDataAnswer'>> = {
  contactData: 'contactDataAnswer',
  projectData: 'projectDataAnswer',
};

/** Fields whose values belong together, for one size of an example. */
export interface FittingFields {
  readonly plainest?: Readonly<Record<string, JsonValue>>;
  readonly fullest?: Readonly<Record<string, JsonValue>>;
  /** Fields omitted from the maximal example, since other fields with the same meaning are present. */
  readonly omitted?: readonly string[];
}

const proposed = { status: 'proposed' };
const agreed = { status: 'confirmed', cancelledAt: null, finishedAt: null };

/**
 * Field values that make an example consistent with the interface where a schema cannot express it, by title of the
 * schema. Optional fields among them are present.
 */
export const fittingFields: Readonly<Record<string, FittingFields>> = {
  // Null when the reply had only an action; no skill runs while the team handles the conversation (interface: API v1,
  // Auto-reply).
  AgentReplyResponse: {
    plainest: { status: 'noop' },
    fullest: {
      skills: [
        { key: 'sales', ok: false, reason: 'not-allowed' },
        { key: 'urgent', ok: false, reason: 'not-allowed' },
      ],
    },
  },
  Agent: { plainest: { consecutiveFailures: 0 } },
  AgentTest: { plainest: { success: true, statusCode: 200 } },
  ApiAppointment: { plainest: proposed, fullest: agreed },
  Appointment: { plainest: proposed, fullest: agreed },
  ScenarioStep: { plainest: { 'hand-back': {} } },
  // A list, or `key` for a single skill; without either, no skill is requested.
  SkillFrame: { plainest: { key: 'sales' }, omitted: ['key'] },
  // `token` is accepted instead of `text`.
  TextFrame: { plainest: { text: 'It arrives on Monday.' }, omitted: ['token'] },
  WebhookSubscription: { plainest: { events: ['appointment.confirmed'] } },
};
