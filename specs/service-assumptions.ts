import type { Assumption } from './assumption.ts';

/** Points that the interface leaves open about the service itself: appointments, conversations, the CRM webhook. */
export const serviceAssumptions = {
  'appointment-defaults': {
    section: 'Appointment (API and webhook shape)',
    notShown: 'The defaults of durationMinutes, title, kind and confirmed of an appointment.',
    weDo: 'The simulated API sets 30 minutes, the title Appointment, in_person and false.',
  },
  'appointment-business-confirmation': {
    section: 'Appointment (API and webhook shape)',
    notShown: 'When businessConfirmedAt is set for a proposed appointment.',
    weDo: 'At once, since the business proposes; only customerConfirmedAt is pending.',
  },
  'appointment-without-start': {
    section: 'Appointment',
    notShown: 'The effect of a change without a different time.',
    weDo: 'The simulated API returns the unchanged appointment and sends no message or event; a different duration counts as a different time.',
  },
  'appointment-any-state': {
    section: 'Appointment',
    notShown: 'The effect of changing or cancelling an appointment that is cancelled or over.',
    weDo: 'Any change makes it active again; cancelling works in any state, as the table shows.',
  },
  'appointment-cancellation-message': {
    section: 'API v1',
    notShown: 'Where a DELETE request contains the message.',
    weDo: 'The simulated API accepts it in a JSON body or as the query parameter message.',
  },
  'appointment-time-zone': {
    section: 'Appointment (API and webhook shape)',
    notShown: 'The time zone of startLocal.',
    weDo: 'The simulated service uses the time zone of the inbox, Europe/Berlin by default.',
  },
  'appointment-reminders-past': {
    section: 'Appointment',
    notShown: 'Whether a reminder is sent whose time has passed when both sides have agreed.',
    weDo: 'The simulated service does not send it.',
  },
  'appointment-notices': {
    section: 'Appointment',
    notShown: 'The channel and form of notices other than the invitation.',
    weDo: 'They are sent on the channel of the conversation, except reminders and notices after a call, which use WhatsApp; with a closed window they are sent as an approved template.',
  },
  'appointment-undeliverable': {
    section: 'Appointment',
    notShown: 'What happens when a notice cannot be delivered to the customer.',
    weDo: 'The team gets a note, and the appointment changes nevertheless; a reminder that is not sent emits no event.',
  },
  'webhook-secret-form': {
    section: 'Key responses',
    notShown: "The form of a subscription's secret.",
    weDo: 'The simulated API creates whk_ followed by 32 hex digits.',
  },
  'auto-reply-beyond-the-table': {
    section: 'Auto-reply of a conversation',
    notShown: 'What can change auto-reply during a pause and while it is off, other than handing back.',
    weDo: 'A person who steps in turns a pause into off, and muting again sets a new end; a handover does not change a pause, and muting does not change off.',
  },
  'chat-other-2xx': {
    section: 'Own-AI chat event: message.received',
    notShown: 'The meaning of a 2xx status other than 200, 202 and 204.',
    weDo: 'Not a failure: its body is not read, and a reply may follow.',
  },
  'chat-answer-wrong-types': {
    section: 'Own-AI chat event: message.received',
    notShown: 'What happens to an answer whose note, announcement or executeSkills has another type.',
    weDo: 'The simulated service ignores that field and carries out the rest, since the list of failures does not contain it.',
  },
  'chat-answer-missing-fields': {
    section: 'Own-AI chat event: message.received',
    notShown:
      'Whether text, action and note may be missing: only executeSkills and announcement are marked as optional.',
    weDo: 'A missing field has no effect, as an empty text sends nothing; an answer without any field is accepted.',
  },
  'crm-event-triggers': {
    section: 'CRM webhook events',
    notShown: 'What pauses a conversation, and what triggers Manual and FormSubmitted.',
    weDo: 'In the simulated service, tests and scenarios do.',
  },
  'crm-answer-patience': {
    section: 'CRM webhook answer',
    notShown: 'The timeout of an event other than a lookup, and when it is repeated.',
    weDo: 'The simulated service waits 10 seconds, two for IncomingCallLookup and NewConversation, and repeats at once.',
  },
  'crm-answer-invalid': {
    section: 'CRM webhook answer',
    notShown: 'How a 200 answer or a callback with an invalid body is treated.',
    weDo: 'The simulated service applies none of it and does not repeat the event; it answers 400 to such a callback.',
  },
  'crm-answer-identity': {
    section: 'CRM webhook: contactData',
    notShown:
      'The effect of an answer that changes phoneNumber, or has an empty id or a language other than de-DE and en-US.',
    weDo: 'The simulated service does not change the phone number or language; an empty id links nothing.',
  },
  'crm-callback-refused': {
    section: 'CRM webhook answer',
    notShown:
      'The response to a callback that is repeated, is too late, follows an answer other than 202, or uses an unknown address.',
    weDo: 'The simulated service answers 404 with the reason and applies nothing.',
  },
  'crm-callback-early': {
    section: 'CRM webhook answer',
    notShown: 'How a callback is treated that arrives before the event was answered, or after both attempts failed.',
    weDo: 'The simulated service accepts it: the former counts once the event is answered 202, the latter at once.',
  },
  'contact-without-phone': {
    section: 'CRM webhook: contactData',
    notShown: 'The value of phoneNumber for a contact without one.',
    weDo: 'The simulated service sends an empty string.',
  },
  'billing-shown': {
    section: 'Limits',
    notShown: 'How the service reports charges.',
    weDo: 'The simulated service writes no bill; its own events list what would be charged.',
  },
  'new-conversation-start': {
    section: 'CRM webhook events',
    notShown: 'Whether a chat that starts in a project opened by a note, a call or an email is a new conversation.',
    weDo: 'It is: the first message on a chat channel in a project sends NewConversation, and messages on others do not.',
  },
  'new-conversation-wait': {
    section: 'CRM webhook events',
    notShown: 'Whether the first chat event waits for the answer to NewConversation.',
    weDo: 'It waits up to two seconds, as for a lookup, and later messages are queued behind it.',
  },
  'crm-other-status': {
    section: 'CRM webhook answer',
    notShown: 'The meaning of a status other than 200, 202 and 204, including other 2xx.',
    weDo: 'The answer has failed, and the event is sent once more.',
  },
  'project-end': {
    section: 'What the service does',
    notShown: 'What ends a conversation and so requires a new project.',
    weDo: 'Nothing in the simulated service: a contact keeps its project.',
  },
  'log-time-ahead': {
    section: 'API v1',
    notShown: 'How a logged message with occurredAt in the future is treated.',
    weDo: 'The simulated API uses the current time instead.',
  },
  'log-notify-direction': {
    section: 'API v1',
    notShown: 'The effect of notify for a message with direction out.',
    weDo: 'None: the team gets a push notification for incoming messages only.',
  },
  'log-subject-line': {
    section: 'API v1',
    notShown: 'Where the subject of a logged email appears.',
    weDo: 'The simulated API makes it the first line of the text, followed by an empty line.',
  },
  'log-out-and-auto-reply': {
    section: 'API v1',
    notShown: 'Whether a logged reply from the team turns auto-reply off.',
    weDo: 'Only with ai pause.',
  },
  'template-in-open-window': {
    section: 'API v1',
    notShown: 'Whether a template is sent as a template when the WhatsApp window is open.',
    weDo: 'It is: the simulated API always sends it as a template.',
  },
  'waiting-text-other-channel': {
    section: 'Message (POST /v1/messages)',
    notShown: 'Whether a reply on another channel delivers a waiting WhatsApp message.',
    weDo: 'It does not: the message waits for the button or a WhatsApp message.',
  },
  'cancellation-message-window': {
    section: 'Appointment',
    notShown: 'What happens to the message of a cancellation when the WhatsApp window is closed.',
    weDo: 'The notice is sent as a template; the message waits behind a notification.',
  },
  'notices-without-sender': {
    section: 'Appointment',
    notShown: 'The channel of notices in an inbox without a WhatsApp sender.',
    weDo: 'Senders are not considered: a new conversation by number is on WhatsApp.',
  },
  'shared-email': {
    section: 'Contact (API)',
    notShown: 'Which contact an email address identifies when two contacts have it.',
    weDo: 'The one that had it first.',
  },
} as const satisfies Record<string, Assumption>;
