import { limits } from '../specs/limits.ts';
import { readIso8601 } from '../specs/iso-8601.ts';
import { shortJson } from '../specs/explain-violations.ts';
import type {
  MessageChannel,
  MessageLogRequest,
  MessageLogResponse,
  MessageRequest,
  MessageResponse,
} from '../specs/generated/types.ts';
import type { Contacts } from './contacts.ts';
import type { Conversations } from './conversations.ts';
import { isWhatsAppWindowOpen } from './customer-delivery.ts';
import { cutText, oneLine } from './cut-text.ts';
import type { InboxCore } from './inbox-core.ts';
import { Problem } from './problem.ts';
import type { ContactRecord, ProjectRecord, Workspace } from './workspace.ts';

/** An inbox with the parts that messages use. */
interface MessagesInbox extends InboxCore {
  readonly contacts: Contacts;
  readonly conversations: Conversations;
}

/**
 * Unicode code points of a logged text that are kept, including its subject: the limit for a message of the AI
 * (assumption log-text-length).
 */
const loggedTextCharacters = limits.ownAiTextCharacters;

/** Channels in the order in which they are tried without `channels` (assumption message-channel-choice). */
const channelOrder = ['whatsapp', 'sms', 'rcs', 'email'] as const satisfies readonly MessageChannel[];

/** Messages that are sent and logged through the API (interface: API v1). */
export class Messages {
  readonly #inbox: MessagesInbox;
  /** The first response, by channel and externalId. */
  readonly #logged = new Map<string, MessageLogResponse>();

  constructor(inbox: MessagesInbox) {
    this.#inbox = inbox;
  }

  /**
   * Sends a message as a reply of the team (interface: POST /v1/messages). Throws {@link Problem} not_found for an
   * unknown contact, consent_missing, and not_deliverable when no channel is usable; the team then has the
   * conversation.
   *
   * @param keyName name of the API key, shown as the sender (assumption key-creator)
   */
  send(request: MessageRequest, keyName: string): MessageResponse {
    const { contacts, conversations, ids, clock } = this.#inbox;
    const { text = '', purpose = 'none', whatsApp: { template } = {} } = request;
    const named = request.channels?.length ? request.channels : channelOrder;
    // Only WhatsApp has templates: a template without text is sent there if the contact can receive it.
    const channels: readonly MessageChannel[] = text === '' ? ['whatsapp', ...named] : named;
    const known = this.#known(request);
    if (purpose === 'marketing' && known?.marketingConsent !== true) throw new Problem('consent_missing');
    const contact = known ?? contacts.named(request);
    const sender = this.#sender(contact, channels);
    const project = conversations.current(contact, sender?.channel);
    if (sender === undefined) {
      conversations.handToTeam(project, 'A message from the API could not be delivered to the customer.');
      throw new Problem('not_deliverable', `${whyNone(contact, channels)}; the conversation went to the team.`);
    }
    const { channel, id: senderId } = sender;
    const sentAsTemplate = channel === 'whatsapp' && template !== undefined;
    const waitingForReply = channel === 'whatsapp' && !sentAsTemplate && !isWhatsAppWindowOpen(contact, clock.now());
    const messageId = ids.integer();
    conversations.addTurn(project, 'team', text, { messageId });
    conversations.teamReplied(project);
    const what = { channel, messageId, from: 'team', by: keyName, senderId };
    if (waitingForReply) {
      project.waiting.push({ messageId, text });
      this.#log(
        'a notification with a button: the WhatsApp window is closed',
        { kind: 'notification', ...what },
        project,
      );
    } else if (sentAsTemplate) {
      const reference = typeof template === 'string' ? template : shortJson(template);
      const line = `${oneLine(text)} (whatsapp, as template ${oneLine(reference)})`.trimStart();
      this.#log(line, { kind: 'template', ...what, text, template: reference }, project);
    } else {
      this.#log(`${oneLine(text)} (${channel})`, { kind: 'text', ...what, text }, project);
    }
    return {
      projectId: project.id,
      contactId: contact.id,
      messageId,
      status: 'queued',
      channel,
      senderId,
      sentAsTemplate,
      waitingForReply,
      consentOverridden: false,
    };
  }

  /**
   * Logs a message that was sent elsewhere; nothing is sent and nothing answers (interface: POST /v1/messages/log).
   * Throws {@link Problem} not_found or project_not_found.
   */
  log(request: MessageLogRequest): { response: MessageLogResponse; created: boolean } {
    const { contacts, conversations, ids, clock } = this.#inbox;
    const { channel, direction, externalId, subject, occurredAt, ai, notify } = request;
    const logId = !externalId ? undefined : `${channel} ${externalId}`;
    const first = logId === undefined ? undefined : this.#logged.get(logId);
    if (first) return { response: { ...first, created: false }, created: false };
    const { contact, project } = contacts.resolve(request);
    const isIncoming = direction === 'in';
    const messageId = ids.integer();
    const now = clock.now();
    // A message from the future would be listed after later ones (assumption log-time-ahead).
    const at = Math.min((occurredAt === undefined ? undefined : readIso8601(occurredAt)?.ms) ?? now, now);
    // The assistant and the team read the subject too; the interface has it for email only.
    const whole = channel === 'email' && subject ? `${subject}\n\n${request.text}` : request.text;
    const text = cutText(whole, loggedTextCharacters);
    conversations.addTurn(project, isIncoming ? 'customer' : 'team', text, { messageId, at });
    if (isIncoming) project.unread = true;
    if (isIncoming && notify === true) conversations.notifyTeam(project, `A message came on ${channel}.`, 'push');
    if (ai === 'pause') conversations.takeOver(project);
    if (ai === 'resume') conversations.handBack(project);
    const truncated = text.length < whole.length;
    const response = { projectId: project.id, contactId: contact.id, messageId, created: true, truncated };
    if (logId !== undefined) this.#logged.set(logId, response);
    return { response, created: true };
  }

  /** The contact of a message; `undefined` for an unknown number or address. */
  #known({ contactId, phone, email }: MessageRequest): ContactRecord | undefined {
    const { contacts } = this.#inbox;
    if (contactId !== undefined) return contacts.get(contactId);
    return phone === undefined ? contacts.byEmail(email ?? '') : contacts.byPhone(phone);
  }

  /** The first channel for which the inbox has a sender and on which the contact can receive. */
  #sender(contact: ContactRecord, channels: readonly MessageChannel[]): Workspace['senders'][number] | undefined {
    if (contact.undeliverable) return undefined;
    const { senders } = this.#inbox.workspace;
    for (const channel of channels) {
      if ((channel === 'email' ? contact.email : contact.phone) === null) continue;
      const sender = senders.find((one) => one.channel === channel);
      if (sender) return sender;
    }
    return undefined;
  }

  #log(text: string, what: Record<string, unknown>, project: ProjectRecord): void {
    this.#inbox.log('to-customer', text, what, project);
  }
}

function whyNone({ phone, email, undeliverable }: ContactRecord, channels: readonly MessageChannel[]): string {
  if (undeliverable) return 'The contact cannot be reached';
  const has = [phone === null ? '' : 'a phone number', email === null ? '' : 'an email address'].filter(Boolean);
  const known = has.join(' and ') || 'neither number nor address';
  return `The contact has ${known}, and the inbox has no sender for that among ${channels.join(', ')}`;
}
