import { adoptConversation } from '../../service/adopt-event.ts';
import type { ServiceInbox } from '../../service/service-inbox.ts';
import type { ProjectRecord } from '../../service/workspace.ts';
import { matchesSchema } from '../../specs/validators.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { isId, assignIds } from './assign-ids.ts';

/** The fields of an event about a conversation. They may have any type, because the user can set them to anything. */
export interface ConversationFields {
  projectId?: unknown;
  channel?: unknown;
  contact?: unknown;
  history?: unknown;
  skills?: unknown;
  autoReply?: unknown;
  /** Not of the conversation, but of the event. */
  agentId?: unknown;
  workspaceId?: unknown;
  /** Of a call only. */
  from?: unknown;
}

/** A conversation of the service, and the fields of the event that it cannot represent. */
export interface ConversationState {
  project: ProjectRecord;
  /** Names of fields whose values the service cannot represent. */
  unsupported: readonly string[];
}

/** Whether the service can represent the value of a field. */
const isRepresentable: Record<
  Exclude<keyof ConversationFields, 'agentId' | 'workspaceId'>,
  (value: unknown) => boolean
> = {
  projectId: isId,
  channel: (value) => channels.includes(value),
  contact: isJsonObject,
  history: (value) => isArrayOf('historyTurn', value),
  skills: (value) => isArrayOf('skill', value),
  autoReply: (value) => matchesSchema('autoReply', value),
  from: (value) => typeof value === 'string',
};

const channels: readonly unknown[] = ['whatsapp', 'webchat', 'telegram', 'chat'];

/**
 * Puts a conversation of the service into the state that an event describes, so that the service handles the answer as in
 * that state. Ignores invalid values.
 */
export function prepareConversation(inbox: ServiceInbox, fields: ConversationFields): ConversationState {
  const names = Object.keys(isRepresentable) as (keyof typeof isRepresentable)[];
  const isUnsupported = (name: keyof typeof isRepresentable) =>
    fields[name] !== undefined && !isRepresentable[name](fields[name]);
  const unsupported = names.filter(isUnsupported);
  const { projectId, contact, from, skills, channel, ...others } = Object.fromEntries(
    names.filter((name) => !isUnsupported(name)).map((name) => [name, fields[name]]),
  ) as ConversationFields;
  const { workspace, ids } = inbox;
  const [agent] = workspace.agents.values();
  const [known] = workspace.contacts.values();
  const { workspaceId, agentId } = fields;
  const contactFields = (contact ?? {}) as Record<string, unknown>;
  // Another number is another customer.
  const isKnown = (contactFields['phone'] ?? from) === known?.phone;
  assignIds(
    workspace,
    { agent, ...(isKnown && { contact: known }) },
    { workspaceId, agentId, contactId: contactFields['id'] },
  );
  const contactId = isId(contactFields['id']) ? contactFields['id'] : (known?.id ?? ids.integer());
  const { autoReply } = others as { autoReply?: { state: string } };
  // While auto-reply is not on, events list no skills, although the assistant has them.
  const replacesSkills = skills !== undefined && (autoReply?.state ?? 'on') === 'on';
  if (replacesSkills && agent) agent.skills = [];
  const project = adoptConversation(inbox, {
    ...others,
    projectId: (projectId as number | undefined) ?? ids.integer(),
    agentId: agent?.agentId ?? null,
    channel: channel ?? 'webchat',
    contact: { phone: from, ...contactFields, id: contactId },
    ...(replacesSkills && { skills }),
  });
  return { project, unsupported };
}

function isArrayOf(schema: 'historyTurn' | 'skill', value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => matchesSchema(schema, item));
}
