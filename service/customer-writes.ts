import { limits } from '../specs/limits.ts';
import { timestamp } from './clock.ts';
import { oneLine } from './cut-text.ts';
import { isWhatsAppWindowOpen, sendWaiting } from './customer-delivery.ts';
import { letAssistantAnswer } from './service-assistant.ts';
import type { ServiceInbox } from './service-inbox.ts';
import type { ContactRecord, ProjectChannel, ProjectRecord } from './workspace.ts';

/** A message of a customer. */
export interface CustomerMessage {
  channel: Exclude<ProjectChannel, 'phone'>;
  /** At least one character. */
  text: string;
}

/** Channels whose messages go to an own AI (interface: Own-AI chat event). */
const chatChannels: readonly ProjectChannel[] = ['whatsapp', 'webchat', 'telegram', 'chat'];

/**
 * Until when the messages of a chat that starts wait, so that what the CRM answers in time is in their events, and none
 * overtakes another.
 */
const beginnings = new WeakMap<ProjectRecord, Promise<void>>();

/**
 * A customer writes: a turn in the current conversation, or in a new one; waiting texts go out; the CRM hears of a chat
 * that starts, and then whoever answers the conversation gets the message. Resolves when that is done.
 */
export async function takeCustomerMessage(
  inbox: ServiceInbox,
  contact: ContactRecord,
  { channel, text }: CustomerMessage,
): Promise<ProjectRecord> {
  if (text === '') throw new RangeError('expected a message with text, received none');
  const { conversations, clock } = inbox;
  const project = conversations.current(contact, channel);
  const isChat = chatChannels.includes(channel);
  // A note, a call or an email may have opened the project before the first chat message.
  const isNew = isChat && !project.chatHasBegun;
  if (isNew) project.chatHasBegun = true;
  const at = clock.now();
  project.channel = channel;
  contact.lastWroteAt[channel] = at;
  const messageId = inbox.ids.integer();
  conversations.addTurn(project, 'customer', text, { messageId });
  const what = { contactId: contact.id, messageId, channel, text };
  inbox.tell('customer', `writes on ${channel}: ${oneLine(text)}`, what, project);
  if (isWhatsAppWindowOpen(contact, at)) sendWaiting(inbox, project);
  const told = isNew ? inbox.crmWebhook.send('NewConversation', { contact, project }) : undefined;
  if (told) beginnings.set(project, atMost(told, limits.crmLookupAnswerMs));
  await beginnings.get(project);
  if (!isChat) {
    conversations.tellTeam(project, `A message came on ${channel}.`, 'push');
  } else if (project.agentId === null) {
    letAssistantAnswer(inbox, project, contact, { isNew });
  } else if (!project.forwarded) {
    await inbox.chat.deliver(project, { id: messageId, text, receivedAt: timestamp(at) });
  }
  await told;
  return project;
}

/** Resolves when something has ended, but after this many milliseconds at the latest. */
async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise((resolve) => (timer = setTimeout(resolve, ms).unref()));
  await Promise.race([work, deadline]).finally(() => clearTimeout(timer));
}
