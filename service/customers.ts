import { limits } from '../specs/limits.ts';
import { timestamp } from './clock.ts';
import type { Conversations } from './conversations.ts';
import type { CrmWebhook } from './crm-webhook.ts';
import { oneLine } from './cut-text.ts';
import { isWhatsAppWindowOpen, sendWaiting } from './customer-delivery.ts';
import type { InboxCore } from './inbox-core.ts';
import type { OwnAiChat } from './own-ai-chat.ts';
import { answerAsAssistant } from './answer-as-assistant.ts';
import type { ContactRecord, ProjectChannel, ProjectRecord } from './workspace.ts';

/** An inbox with the parts that customers use. */
interface CustomersInbox extends InboxCore {
  readonly conversations: Conversations;
  readonly crmWebhook: CrmWebhook;
  readonly chat: OwnAiChat;
}

/** A message of a customer. */
export interface CustomerMessage {
  channel: Exclude<ProjectChannel, 'phone'>;
  /** At least one character. */
  text: string;
}

/** Channels whose messages go to an own AI (interface: Own-AI chat event). */
const chatChannels: readonly ProjectChannel[] = ['whatsapp', 'webchat', 'telegram', 'chat'];

/** Customers who write messages (interface: Own-AI chat event). */
export class Customers {
  readonly #inbox: CustomersInbox;
  /**
   * How long the messages of a new chat wait: the data that the CRM returns in time is in their events, and no message
   * overtakes another.
   */
  readonly #beginnings = new WeakMap<ProjectRecord, Promise<void>>();

  constructor(inbox: CustomersInbox) {
    this.#inbox = inbox;
  }

  /**
   * Delivers a message of a customer: adds a turn to the current conversation, or to a new one, sends waiting messages,
   * reports a new chat to the CRM and passes the message to the one that answers the conversation. Resolves when all of
   * that is done.
   */
  async write(contact: ContactRecord, { channel, text }: CustomerMessage): Promise<ProjectRecord> {
    if (text === '') throw new RangeError('expected a message with text, received none');
    const { conversations, clock, ids, crmWebhook, chat } = this.#inbox;
    const project = conversations.current(contact, channel);
    const isChat = chatChannels.includes(channel);
    // A note, a call or an email may have opened the project before the first chat message.
    const isNew = isChat && !project.chatHasBegun;
    if (isNew) project.chatHasBegun = true;
    const at = clock.now();
    project.channel = channel;
    contact.lastWroteAt[channel] = at;
    const messageId = ids.integer();
    conversations.addTurn(project, 'customer', text, { messageId });
    const data = { contactId: contact.id, messageId, channel, text };
    this.#inbox.log('customer', `writes on ${channel}: ${oneLine(text)}`, data, project);
    if (isWhatsAppWindowOpen(contact, at)) sendWaiting(this.#inbox, project);
    const crm = isNew ? crmWebhook.send('NewConversation', { contact, project }) : undefined;
    if (crm) this.#beginnings.set(project, atMost(crm, limits.crmLookupAnswerMs));
    await this.#beginnings.get(project);
    if (!isChat) {
      conversations.notifyTeam(project, `A message came on ${channel}.`, 'push');
    } else if (project.agentId === null) {
      answerAsAssistant(this.#inbox, project, contact, { isNew });
    } else if (!project.forwarded) {
      await chat.deliver(project, { id: messageId, text, receivedAt: timestamp(at) });
    }
    await crm;
    return project;
  }
}

/** Resolves when some work has ended, but after this many milliseconds at the latest. */
async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise((resolve) => (timer = setTimeout(resolve, ms).unref()));
  await Promise.race([work, deadline]).finally(() => clearTimeout(timer));
}
