import { protocolRevision } from '../../specs/limits.ts';
import type {
  ApiWebhookEvent,
  Appointment,
  AutoReply,
  ContactData,
  CrmEvent,
  HistoryTurn,
  MessageReceived,
  Ping,
  PostalAddress,
  ProjectData,
  Skill,
} from '../../specs/generated/types.ts';

/** Number of an unknown caller, from the range that Germany reserves for fiction. */
export const exampleUnknownCaller = '+4915228817386';
/** Number of a known caller, a placeholder for the configured one. */
export const exampleKnownCaller = '+4930901820';

export const examplePostalAddress: PostalAddress = {
  type: 'billing',
  label: 'Office',
  isDefault: true,
  addressLine1: 'Musterstr. 1',
  addressLine2: '',
  postalCode: '10115',
  city: 'Berlin',
  country: 'DE',
};

/** A contact with every field. */
export const fullContact: ContactData = {
  svcContactId: 4711,
  phoneNumber: exampleUnknownCaller,
  crmContactId: 'K-10023',
  language: 'de-DE',
  city: 'Berlin',
  addressLine1: 'Musterstr. 1',
  postCode: '10115',
  salutation: 'Frau',
  firstName: 'Erika',
  lastName: 'Mustermann',
  company: 'Muster GmbH',
  email: 'erika@example.com',
  customDate1: '2026-03-01',
  customDate2: '2027-03-01',
  customNumeric1: '12.5',
  customNumeric2: '3',
  customString1: 'Heating',
  customString2: 'Contract A',
  customString3: 'North',
  customString4: 'Morning',
  customString5: 'By phone',
  customCheckBox1: true,
  customCheckBox2: false,
  customOptIn1: '2026-01-15T08:00:00',
  customOptIn2: '2026-01-15T08:00:00',
  customOptIn3: '2026-01-15T08:00:00',
  crmInternalInfo: 'Pays by invoice.',
  crmAiInfo: 'Has a maintenance contract.',
  postalAddresses: [examplePostalAddress],
};

/** A contact with only a number. */
export const bareContact: ContactData = {
  ...(Object.fromEntries(Object.keys(fullContact).map((name) => [name, null])) as unknown as ContactData),
  svcContactId: 4712,
  phoneNumber: exampleUnknownCaller,
  language: 'en-US',
  postalAddresses: [],
};

export const fullProject: ProjectData = {
  svcProjectId: 812,
  crmProjectId: 'V-2026-0042',
  projectName: 'Boiler',
  address: 'Musterstr. 1',
  city: 'Berlin',
  postcode: '10115',
  currentSummary: 'Asked when the boiler arrives.',
  inquirySummary: 'Wants a new boiler.',
  crmInternalInfo: 'Offer sent.',
  crmAiInfo: 'Delivery on Monday.',
};

export const bareProject: ProjectData = {
  ...(Object.fromEntries(Object.keys(fullProject).map((name) => [name, null])) as unknown as ProjectData),
  svcProjectId: 813,
  projectName: 'Phone call',
};

/** An appointment that both sides have agreed to. */
export const exampleAppointment: Appointment = {
  id: 5501,
  externalId: 'order-42',
  metadata: { source: 'website' },
  contactId: 4711,
  projectId: 812,
  title: 'Consultation',
  start: '2026-10-13T08:00:00',
  startLocal: '2026-10-13T10:00:00',
  durationMinutes: 30,
  kind: 'in_person',
  status: 'confirmed',
  customerConfirmedAt: '2026-10-11T09:20:00',
  businessConfirmedAt: '2026-10-11T09:10:00',
  cancelledAt: null,
  finishedAt: null,
  rescheduledCount: 0,
  createdAt: '2026-10-11T09:00:00',
  updatedAt: '2026-10-11T09:20:00',
};

const unconfirmed = { status: 'proposed', customerConfirmedAt: null, businessConfirmedAt: null } as const;

/** Fields of the appointment in each event that differ from an agreed one. */
export const appointmentIn: Readonly<Record<ApiWebhookEvent['type'], Partial<Appointment>>> = {
  'appointment.created': unconfirmed,
  'appointment.confirmed': {},
  'appointment.rescheduled': { ...unconfirmed, rescheduledCount: 1, start: '2026-10-14T08:00:00' },
  'appointment.cancelled': { status: 'cancelled', cancelledAt: '2026-10-11T09:30:00' },
  'appointment.finished': { finishedAt: '2026-10-13T08:30:00' },
  'appointment.reminder_sent': {},
};

/** A CRM event about a conversation, or about the given appointment. */
export function crmEventExample(eventType: CrmEvent['eventType'], over: Partial<CrmEvent> = {}): CrmEvent {
  return {
    eventType,
    timestampUtc: '2026-10-11T09:30:00',
    callbackUrl: 'https://api.example.com/callbacks/8f2c?ticket=1',
    contactData: { ...bareContact, firstName: 'Erika' },
    projectData: bareProject,
    appointmentData: null,
    ...over,
  } as CrmEvent;
}

export function apiWebhookExample(type: ApiWebhookEvent['type'], over: Partial<Appointment> = {}): ApiWebhookEvent {
  return {
    id: 'whe_5Kd81mQ2',
    type,
    createdAt: '2026-10-11T09:30:00',
    workspaceId: 7,
    data: { ...exampleAppointment, ...appointmentIn[type], ...over },
  };
}

/** A skill with every field that an event can contain. */
export const exampleSkills: readonly Skill[] = [
  { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null },
  {
    id: 2,
    key: 'urgent',
    name: 'Urgent',
    description: 'Alerts the team.',
    kind: 'alert',
    announcement: 'I am telling the team.',
  },
];

const turns: readonly Pick<HistoryTurn, 'role' | 'text'>[] = [
  { role: 'system', text: 'Conversation opened.' },
  { role: 'agent', text: 'What can I do for you?' },
  { role: 'customer', text: 'I ordered a boiler.' },
  { role: 'team', text: 'We are looking into it.' },
];

/** The latest `count` turns of a conversation, oldest first. */
export function historyExample(count: number): HistoryTurn[] {
  return Array.from({ length: count }, (_, at) => ({
    ...(turns[at % turns.length] as HistoryTurn),
    at: `2026-10-11T09:${String(at).padStart(2, '0')}:00`,
  }));
}

type MessageData = MessageReceived['data'];
export type ChatExample = Partial<Omit<MessageData, 'autoReply' | 'skills'>> & {
  readonly autoReply?: AutoReply;
  readonly skills?: readonly Skill[];
};

/** A customer's message in a conversation that the AI answers. */
export function messageExample(over: ChatExample = {}): MessageReceived {
  return {
    ...pingExample(),
    id: 'evt_7Hn3kQ90',
    type: 'message.received',
    data: {
      projectId: 812,
      channel: 'whatsapp',
      contact: { id: 4711, name: 'Erika Mustermann', phone: exampleUnknownCaller },
      message: { id: 90_017, text: 'When does my boiler arrive?', receivedAt: '2026-10-11T09:29:58' },
      history: historyExample(2),
      replyUrl: 'https://api.example.com/v1/projects/812/agent-replies',
      skills: exampleSkills.slice(0, 1),
      autoReply: { state: 'on' },
      ...over,
    },
  } as MessageReceived;
}

export function pingExample(): Ping {
  return {
    id: 'evt_2Vd8xW61',
    type: 'ping',
    createdAt: '2026-10-11T09:30:00',
    protocol: protocolRevision,
    workspaceId: 7,
    agentId: 3,
  };
}
