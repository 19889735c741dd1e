import type { Conversations } from './conversations.ts';
import { isWhatsAppWindowOpen, sendWaiting } from './customer-delivery.ts';
import { oneLine } from './cut-text.ts';
import type { InboxCore } from './inbox-core.ts';
import { localTimestamp } from './local-timestamp.ts';
import type { AppointmentRecord, ContactRecord, ProjectRecord } from './workspace.ts';

/** An inbox with the parts that notices use. */
interface NoticesInbox extends InboxCore {
  readonly conversations: Conversations;
}

/** Notices to a customer about an appointment (interface: Appointment). */
export type NoticeKind =
  'invitation' | 'second-question' | 'confirmation' | 're-book' | 'moved' | 'cancellation' | 'reminder';

interface Form {
  text: (what: string, when: string, oldTime: string) => string;
  buttons: readonly ('accept' | 'decline' | 'manage' | 'save')[];
}

const forms: Readonly<Record<NoticeKind, Form>> = {
  invitation: {
    text: (what, when) => `We propose ${what} on ${when}. Do you accept?`,
    buttons: ['accept', 'decline'],
  },
  'second-question': {
    text: (what, when) => `Are you sure that you cannot come to ${what} on ${when}?`,
    buttons: ['accept', 'decline'],
  },
  confirmation: {
    text: (what, when) => `${what} on ${when} is confirmed.`,
    buttons: ['manage', 'save'],
  },
  're-book': {
    text: (what, when, oldTime) => `${what} on ${oldTime} cannot take place. Do you accept ${when} instead?`,
    buttons: ['accept', 'decline'],
  },
  moved: {
    text: (what, when, oldTime) => `${what} has been moved from ${oldTime} to ${when}.`,
    buttons: ['manage', 'save'],
  },
  cancellation: { text: (what, when) => `${what} on ${when} has been cancelled.`, buttons: [] },
  reminder: { text: (what, when) => `A reminder: ${what} on ${when}.`, buttons: ['manage'] },
};

/** The customer of an appointment, and the conversation. */
export interface NoticeRecipient {
  contact: ContactRecord;
  project: ProjectRecord;
}

/**
 * Sends the customer a notice, as an approved template when the WhatsApp window is closed (assumption
 * appointment-notices). `false` when nothing can be delivered to this customer; the team then sees a note.
 *
 * @param oldStart for a moved appointment: its previous start in Unix milliseconds
 */
export function sendNotice(
  inbox: NoticesInbox,
  { contact, project }: NoticeRecipient,
  kind: NoticeKind,
  appointment: AppointmentRecord,
  oldStart = appointment.start,
): boolean {
  const { clock, conversations, ids, workspace } = inbox;
  const { id: appointmentId, title, start } = appointment;
  if (contact.undeliverable) {
    conversations.notifyTeam(project, `The ${kind} for “${oneLine(title)}” could not be delivered.`, 'note');
    return false;
  }
  const [when, oldTime] = [start, oldStart].map((at) => shownTime(at, workspace.timeZone)) as [string, string];
  const { text: write, buttons } = forms[kind];
  const text = write(`“${title}”`, when, oldTime);
  const channel = kind === 'reminder' || project.channel === 'phone' ? 'whatsapp' : project.channel;
  const asTemplate = channel === 'whatsapp' && !isWhatsAppWindowOpen(contact, clock.now());
  const messageId = ids.integer();
  conversations.addTurn(project, 'system', text, { messageId });
  const what = { kind, appointmentId, channel, messageId, text, from: 'system', buttons, asTemplate };
  const how = asTemplate ? `${channel}, as a template` : channel;
  inbox.log('to-customer', `${kind}: ${oneLine(text)} (${how})`, what, project);
  return true;
}

/** The customer taps a button of a notice: on WhatsApp this opens the window and delivers waiting messages. */
export function tapButton(
  inbox: NoticesInbox,
  { contact, project }: NoticeRecipient,
  button: 'accept' | 'decline',
  { id: appointmentId, title }: AppointmentRecord,
): void {
  const { channel } = project;
  const what = { appointmentId, button, contactId: contact.id, channel };
  inbox.log('customer', `${button}s “${oneLine(title)}”`, what, project);
  if (channel !== 'whatsapp' && channel !== 'phone') return;
  contact.lastWroteAt.whatsapp = inbox.clock.now();
  sendWaiting(inbox, project);
}

/** `2026-12-01 at 10:00` in the time zone of the inbox. */
function shownTime(at: number, timeZone: string): string {
  return localTimestamp(at, timeZone).slice(0, 16).replace('T', ' at ');
}
