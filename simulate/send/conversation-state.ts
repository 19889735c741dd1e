import type { ServiceInbox } from '../../service/service-inbox.ts';
import type { AutoReplyRecord, ProjectChannel, ProjectRecord, TurnRecord } from '../../service/workspace.ts';
import type { AutoReply, HistoryTurn, Skill } from '../../specs/generated/types.ts';
import { matchesSchema } from '../../specs/validators.ts';
import { isJsonObject } from '../../specs/json-object.ts';

/** The fields of an event about a conversation. They may have any type, because the user can set them to anything. */
export interface ConversationFields {
  projectId?: unknown;
  channel?: unknown;
  contact?: unknown;
  history?: unknown;
  skills?: unknown;
  autoReply?: unknown;
  /** Of a call only. */
  from?: unknown;
}

/** A conversation of the service, and the fields of the event that it cannot represent. */
export interface ConversationState {
  project: ProjectRecord;
  /** Names of fields whose values the service cannot represent. */
  unsupported: readonly string[];
}

const channels: readonly unknown[] = ['whatsapp', 'webchat', 'telegram', 'chat'];

/**
 * Puts a conversation of the service into the state that an event describes, so that the service handles the answer as in
 * that state. Ignores invalid values.
 */
export function prepareConversation(inbox: ServiceInbox, fields: ConversationFields): ConversationState {
  const { conversations, ids, clock } = inbox;
  const unsupported: string[] = [];
  const take = <T>(name: keyof ConversationFields, isValid: (value: unknown) => value is T): T | undefined => {
    const value = fields[name];
    if (value === undefined) return undefined;
    if (isValid(value)) return value;
    unsupported.push(name);
    return undefined;
  };
  const channel = take('channel', (value): value is ProjectChannel => channels.includes(value));
  const autoReply = take('autoReply', (value): value is AutoReply => matchesSchema('autoReply', value));
  const history = take('history', isHistory);
  const skills = take('skills', isSkills);
  const contact = take('contact', isJsonObject);
  const from = take('from', (value): value is string => typeof value === 'string');
  const contactId = isId(contact?.['id']) ? contact['id'] : undefined;
  const [known] = inbox.workspace.contacts.values();
  const project = conversations.adopt({
    id: take('projectId', isId) ?? ids.integer(),
    contactId: contactId ?? known?.id ?? ids.integer(),
    turns: (history ?? []).map(turnOf),
    ...(channel && { channel }),
    ...(autoReply && { autoReply: autoReplyRecord(autoReply) }),
  });
  const record = conversations.contactOf(project);
  const { name, phone, email } = contact ?? {};
  if (typeof name === 'string') Object.assign(record, namesOf(name));
  if (typeof phone === 'string' || typeof from === 'string')
    record.phone = (typeof phone === 'string' ? phone : from) ?? null;
  if (typeof email === 'string') record.email = email;
  record.lastWroteAt[project.channel] = clock.now();
  const agent = inbox.workspace.agents.get(project.agentId ?? Number.NaN);
  // While auto-reply is not on, events list no skills, although the assistant has them.
  if (skills && agent && project.autoReply.state === 'on') {
    agent.skills = skills.map((skill) => ({ ...skill, announcement: skill.announcement ?? null, hoursLimited: false }));
  }
  return { project, unsupported };
}

function autoReplyRecord(autoReply: AutoReply): AutoReplyRecord {
  return autoReply.state === 'paused'
    ? { state: 'paused', pausedUntil: Date.parse(`${autoReply.pausedUntil}Z`) }
    : { state: autoReply.state };
}

function turnOf({ role, text, at }: HistoryTurn): TurnRecord {
  return { role, text, at: Date.parse(`${at}Z`) };
}

function namesOf(name: string): { firstName: string; lastName: string | null } {
  const [first = '', ...rest] = name.split(' ');
  return { firstName: first, lastName: rest.length === 0 ? null : rest.join(' ') };
}

function isHistory(value: unknown): value is HistoryTurn[] {
  return Array.isArray(value) && value.every((turn) => matchesSchema('historyTurn', turn));
}

function isSkills(value: unknown): value is Skill[] {
  return Array.isArray(value) && value.every((skill) => matchesSchema('skill', skill));
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
