import type {
  ApiAppointment,
  AutoReply,
  ContactData,
  HistoryTurn,
  ProjectData,
  Skill,
} from '../specs/generated/types.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { matchesSchema } from '../specs/validators.ts';
import { skillLimits } from './seed.ts';
import type { ServiceInbox } from './service-inbox.ts';
import type { AppointmentRecord, AutoReplyRecord, ContactRecord, ProjectChannel, ProjectRecord } from './workspace.ts';

/** Maximum number of projects, appointments and assistants kept of adopted events; the oldest are forgotten. */
const maxAdopted = 5_000;
const channels: readonly unknown[] = ['whatsapp', 'webchat', 'telegram', 'chat'] satisfies readonly ProjectChannel[];

/** The data with which appointments were added. */
const adoptedData = new WeakMap<AppointmentRecord, string>();

/** Contact of a chat event or of a call. */
interface EventContact {
  id: number;
  name?: unknown;
  phone?: unknown;
  email?: unknown;
}

/**
 * Adds the contact, the project and the appointment of a CRM event to the inbox, so that API v1 knows them with the
 * same data. Values that the interface does not permit are ignored, as in all functions of this file.
 */
export function adoptCrmEvent(
  inbox: ServiceInbox,
  { contactData, projectData, appointmentData }: Record<string, unknown>,
): void {
  const contact = isJsonObject(contactData) ? adoptContactData(inbox, contactData) : undefined;
  if (isJsonObject(projectData)) adoptProjectData(inbox, contact, projectData);
  adoptAppointment(inbox, appointmentData);
}

/**
 * Adds an appointment with its contact and project to the inbox (interface: Appointment). One that was added with the
 * same data before keeps what has been changed since. Returns the appointment; `undefined` if it is not a valid one.
 */
export function adoptAppointment(inbox: ServiceInbox, appointment: unknown): AppointmentRecord | undefined {
  if (!isAppointment(appointment)) return undefined;
  const { startLocal: _, ...wire } = appointment;
  const { contactId, projectId } = wire;
  // Another event may have named another contact of the project since.
  const project = inbox.workspace.projects.get(projectId);
  if (project) project.contactId = inbox.contacts.adopt({ id: contactId }).id;
  else inbox.conversations.adopt({ id: projectId, contactId, channel: 'phone', chatHasBegun: false });
  const known = inbox.workspace.appointments.get(wire.id);
  const data = JSON.stringify(wire);
  if (known && adoptedData.get(known) === data) return known;
  const record: AppointmentRecord = {
    ...wire,
    metadata: { ...wire.metadata },
    start: at(wire.start),
    customerConfirmedAt: wire.customerConfirmedAt === null ? null : at(wire.customerConfirmedAt),
    businessConfirmedAt: wire.businessConfirmedAt === null ? null : at(wire.businessConfirmedAt),
    cancelledAt: wire.cancelledAt === null ? null : at(wire.cancelledAt),
    finishedAt: wire.finishedAt === null ? null : at(wire.finishedAt),
    createdAt: at(wire.createdAt),
    updatedAt: at(wire.updatedAt),
    declinedOnce: false,
  };
  inbox.workspace.appointments.set(wire.id, record);
  adoptedData.set(record, data);
  forgetOldest(inbox);
  return record;
}

/**
 * Adds the conversation of a call to the inbox, from its `session.started` (interface: Own-AI phone frames). Returns it;
 * `undefined` if it is not named. A call that is resumed continues its conversation.
 */
export function adoptCall(inbox: ServiceInbox, started: Record<string, unknown>): ProjectRecord | undefined {
  const { projectId, agentId, contact, from, skills, resumed } = started;
  if (!isId(projectId) || !isId(agentId)) return undefined;
  const known = resumed === undefined ? undefined : inbox.workspace.projects.get(projectId);
  if (known?.agentId === agentId && isJsonObject(contact) && contact['id'] === known.contactId) {
    adoptContact(inbox, { ...contact, id: known.contactId, phone: from });
    adoptAgent(inbox, agentId, Array.isArray(skills) ? skills.filter(isSkill) : []);
    return known;
  }
  return adoptConversation(inbox, {
    projectId,
    agentId,
    channel: 'phone',
    contact: isJsonObject(contact) ? { ...contact, phone: from } : undefined,
    skills,
  });
}

/**
 * Adds the conversation of a chat event's `data` to the inbox: its contact, its assistant, its history and its skills
 * (interface: Own-AI chat event).
 */
export function adoptConversation(
  inbox: ServiceInbox,
  {
    projectId,
    agentId,
    skills,
    ...data
  }: Record<string, unknown> & { projectId: number; agentId: number | null; skills?: unknown },
): ProjectRecord {
  const { autoReply, history, message } = data;
  const channel =
    data.channel === 'phone' || channels.includes(data.channel) ? (data.channel as ProjectChannel) : 'chat';
  const contact =
    isJsonObject(data.contact) && isId(data.contact.id) ? adoptContact(inbox, data.contact as never) : undefined;
  if (agentId !== null) adoptAgent(inbox, agentId, Array.isArray(skills) ? skills.filter(isSkill) : []);
  const project = inbox.conversations.adopt({
    id: projectId,
    agentId,
    channel,
    ...(contact && { contactId: contact.id }),
    ...(matchesSchema('autoReply', autoReply) && { autoReply: autoReplyRecord(autoReply as AutoReply) }),
    turns: Array.isArray(history) ? history.filter(isTurn).map((turn) => ({ ...turn, at: at(turn.at) })) : [],
  });
  if (isJsonObject(message) && typeof message.text === 'string' && isId(message.id)) {
    inbox.conversations.addTurn(project, 'customer', message.text, { messageId: message.id });
  }
  forgetOldest(inbox);
  return project;
}

function adoptContactData(inbox: ServiceInbox, data: Record<string, unknown>): ContactRecord | undefined {
  if (!isId(data.svcContactId)) return undefined;
  const { svcContactId: id, phoneNumber, firstName, lastName, email, ...crm } = data as unknown as ContactData;
  return inbox.contacts.adopt({
    id,
    ...(typeof phoneNumber === 'string' && phoneNumber !== '' && { phone: phoneNumber }),
    firstName: stringOrNull(firstName),
    lastName: stringOrNull(lastName),
    email: stringOrNull(email),
    crm,
  });
}

/** `contact`: `undefined` for an event without one. */
function adoptProjectData(
  inbox: ServiceInbox,
  contact: ContactRecord | undefined,
  data: Record<string, unknown>,
): void {
  if (!isId(data.svcProjectId)) return;
  const { svcProjectId: id, projectName, ...crm } = data as unknown as ProjectData;
  const known = inbox.workspace.projects.get(id);
  const name = typeof projectName === 'string' ? { name: projectName } : {};
  const ofContact = contact && { contactId: contact.id };
  if (known) Object.assign(known, name, { crm }, ofContact);
  else inbox.conversations.adopt({ id, ...ofContact, channel: 'phone', chatHasBegun: false, crm, ...name });
  forgetOldest(inbox);
}

function adoptContact(inbox: ServiceInbox, { id, name, phone, email }: EventContact): ContactRecord {
  return inbox.contacts.adopt({
    id,
    ...(typeof phone === 'string' && { phone }),
    ...((typeof email === 'string' || email === null) && { email }),
    ...(typeof name === 'string' && namesOf(name)),
    ...(name === null && { firstName: null, lastName: null }),
  });
}

/** First and last name, which together are exactly the name. */
function namesOf(name: string): { firstName: string; lastName: string | null } {
  const [first = '', ...rest] = name.split(' ');
  const last = rest.join(' ');
  return first.trim() === '' || last.trim() === ''
    ? { firstName: name, lastName: null }
    : { firstName: first, lastName: last };
}

function adoptAgent(inbox: ServiceInbox, agentId: number, skills: readonly Skill[]): void {
  const { agents } = inbox.workspace;
  const known = agents.get(agentId);
  const offered = skills.map((skill) => ({ ...skill, hoursLimited: false }));
  if (known) {
    const keys = new Set(offered.map(({ key }) => key));
    known.skills = [...known.skills.filter(({ key }) => !keys.has(key)), ...offered];
    return;
  }
  agents.set(agentId, {
    agentId,
    name: 'Own AI',
    chatUrl: '',
    voiceUrl: '',
    timeoutSeconds: 10,
    secret: undefined,
    voiceId: '',
    lastSuccessAt: null,
    lastFailureAt: null,
    lastError: null,
    consecutiveFailures: 0,
    skills: offered,
    ...skillLimits,
  });
}

/** Contacts remain: an event of the same caller names the same one. */
function forgetOldest({ workspace }: ServiceInbox): void {
  for (const records of [workspace.projects, workspace.appointments, workspace.agents]) {
    const [first, second] = records.keys();
    // The first assistant is the one that the integrator has configured.
    const oldest = records === workspace.agents ? second : first;
    if (records.size > maxAdopted && oldest !== undefined) records.delete(oldest);
  }
}

function autoReplyRecord(autoReply: AutoReply): AutoReplyRecord {
  if (autoReply.state !== 'paused') return { state: autoReply.state };
  return { state: 'paused', pausedUntil: at(autoReply.pausedUntil) };
}

function at(timestamp: string): number {
  return Date.parse(`${timestamp}Z`);
}

/** Whether a value is an appointment, perhaps with a status or kind that was added to the interface later. */
function isAppointment(value: unknown): value is ApiAppointment {
  if (!isJsonObject(value) || typeof value['status'] !== 'string') return false;
  return matchesSchema('apiAppointment', { ...value, status: 'confirmed' });
}

/** Whether a value is a skill, perhaps of a kind that was added to the interface later. */
function isSkill(value: unknown): value is Skill {
  if (!isJsonObject(value) || typeof value['kind'] !== 'string') return false;
  return matchesSchema('skill', { ...value, kind: 'alert' });
}

function isTurn(value: unknown): value is HistoryTurn {
  return matchesSchema('historyTurn', value);
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function stringOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
