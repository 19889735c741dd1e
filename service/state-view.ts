import { timestamp } from './clock.ts';
import type { ServiceInbox } from './service-inbox.ts';
import type { ContactRecord, ProjectRecord } from './workspace.ts';

/**
 * The content of an inbox as JSON, for tests: fields are named as in the interface, times are UTC without a zone. It
 * contains no secret, token or key.
 */
export function stateView(inbox: ServiceInbox): Record<string, unknown> {
  const { workspace, clock, conversations, appointments, agents } = inbox;
  const { id, name, timeZone, hasOwnWhatsAppNumber, senders, templates, crmWebhook, keys } = workspace;
  return {
    workspaceId: id,
    workspaceName: name,
    now: timestamp(clock.now()),
    timeZone,
    hasOwnWhatsAppNumber,
    senders,
    templates,
    crmWebhook: crmWebhook ? { url: crmWebhook.url } : null,
    keyNames: [...keys.values()],
    contacts: [...workspace.contacts.values()].map(contactView),
    projects: [...workspace.projects.values()].map((project) => ({
      ...projectView(project),
      autoReply: conversations.autoReply(project),
    })),
    appointments: [...workspace.appointments.values()].map((record) => appointments.wire(record)),
    agents: [...workspace.agents.values()].map((record) => agents.wire(record)),
    subscriptions: [...workspace.subscriptions.values()].map(({ secret: _secret, createdAt, ...rest }) => ({
      ...rest,
      createdAt: timestamp(createdAt),
    })),
  };
}

function contactView({ lastWroteAt, crm, ...rest }: ContactRecord) {
  const at = Object.entries(lastWroteAt).map(([channel, ms]) => [channel, timestamp(ms)]);
  return { ...rest, lastWroteAt: Object.fromEntries(at) as Record<string, string>, crm };
}

function projectView({
  id,
  contactId,
  name,
  isOpen,
  channel,
  agentId,
  turns,
  notes,
  crm,
  waiting,
  unread,
}: ProjectRecord) {
  return {
    id,
    contactId,
    name,
    isOpen,
    channel,
    agentId,
    turns: turns.map(({ at, ...turn }) => ({ ...turn, at: timestamp(at) })),
    notes: notes.map(({ at, ...note }) => ({ ...note, at: timestamp(at) })),
    waiting,
    unread,
    crm,
  };
}
