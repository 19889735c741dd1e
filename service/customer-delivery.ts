import { limits } from '../specs/limits.ts';
import { oneLine } from './cut-text.ts';
import { Problem } from './problem.ts';
import { insertTurn } from './history.ts';
import type { InboxCore } from './inbox-core.ts';
import type { ContactRecord, ProjectChannel, ProjectRecord } from './workspace.ts';

/** The sender of a message to the customer. `system`: the service itself. */
export type MessageSender = 'agent' | 'team' | 'system';

/**
 * Whether WhatsApp accepts free text to this contact at `now`, Unix milliseconds (interface: What the service does).
 */
export function isWhatsAppWindowOpen({ lastWroteAt }: ContactRecord, now: number): boolean {
  const { whatsapp } = lastWroteAt;
  return whatsapp !== undefined && now - whatsapp < limits.whatsAppWindowHours * 3_600_000;
}

/**
 * Sends a message on the channel of the conversation, where the customer wrote last, and adds it as a turn; after a
 * call on the channel on which the contact can be reached. With a closed WhatsApp window it sends a notification with a
 * button instead, and the message waits. Throws {@link Problem} not_deliverable. Returns the message's id.
 */
export function sendToCustomer(inbox: InboxCore, project: ProjectRecord, text: string, from: MessageSender): number {
  const contact = inbox.workspace.contacts.get(project.contactId);
  if (!contact || contact.undeliverable) throw new Problem('not_deliverable');
  const channel = project.channel === 'phone' ? lastChannel(contact) : project.channel;
  const messageId = inbox.ids.integer();
  if (text !== '') insertTurn(project, { role: from, text, at: inbox.clock.now(), messageId });
  const waits = channel === 'whatsapp' && !isWhatsAppWindowOpen(contact, inbox.clock.now());
  if (waits) {
    project.waiting.push({ messageId, text });
    const what = { kind: 'notification', channel, messageId, from };
    inbox.log('to-customer', 'a notification with a button: the WhatsApp window is closed', what, project);
  } else {
    inbox.log(
      'to-customer',
      `${oneLine(text)} (${channel})`,
      { kind: 'text', channel, messageId, text, from },
      project,
    );
  }
  return messageId;
}

/** Delivers the messages that waited for the customer to tap the button or reply (interface: Message). */
export function sendWaiting(inbox: InboxCore, project: ProjectRecord): void {
  const waiting = project.waiting.splice(0);
  for (const { messageId, text } of waiting) {
    const what = { kind: 'text', channel: 'whatsapp', messageId, text, waited: true };
    inbox.log('to-customer', `${oneLine(text)} (whatsapp, had waited)`, what, project);
  }
}

/** The channel on which a contact wrote last; otherwise the one on which it can be reached. */
export function lastChannel({ lastWroteAt, phone }: ContactRecord): ProjectChannel {
  const [latest] = Object.entries(lastWroteAt).toSorted(([, a], [, b]) => b - a);
  return (latest?.[0] as ProjectChannel | undefined) ?? (phone === null ? 'email' : 'whatsapp');
}
