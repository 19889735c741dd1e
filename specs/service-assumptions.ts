import type { Assumption } from './assumption.ts';

/** What the interface leaves open about what happens inside the service: appointments, conversations, the CRM webhook. */
export const serviceAssumptions = {
  'appointment-defaults': {
    section: 'Appointment (API and webhook shape)',
    notShown: 'What an appointment has for durationMinutes, title, kind and confirmed when they are missing.',
    weDo: 'The simulated API sets 30 minutes, the title Appointment, in_person and false.',
  },
  'appointment-business-confirmation': {
    section: 'Appointment (API and webhook shape)',
    notShown: 'When businessConfirmedAt is set for an appointment that is proposed.',
    weDo: 'At once, since it is the business that proposes; only customerConfirmedAt waits.',
  },
  'appointment-without-start': {
    section: 'Appointment',
    notShown: 'What a change does that brings no other time.',
    weDo: 'The simulated API returns the appointment as it is, and nothing is sent or emitted; another duration counts as another time.',
  },
  'appointment-any-state': {
    section: 'Appointment',
    notShown: 'What changing or cancelling does to an appointment that is cancelled or over.',
    weDo: 'Any change makes it active again; cancelling works in any state, as the table says.',
  },
  'appointment-cancellation-message': {
    section: 'API v1',
    notShown: 'Where the message of a DELETE stands.',
    weDo: 'The simulated API takes it in a JSON body or as the query parameter message.',
  },
  'appointment-time-zone': {
    section: 'Appointment (API and webhook shape)',
    notShown: 'Whose local time startLocal is.',
    weDo: 'The simulated service takes the time zone of the inbox, Europe/Berlin unless told otherwise.',
  },
  'appointment-reminders-past': {
    section: 'Appointment',
    notShown: 'What becomes of a reminder whose time is past when both sides have agreed.',
    weDo: 'The simulated service leaves it out.',
  },
  'appointment-notices': {
    section: 'Appointment',
    notShown: 'The channel and form of the notices in addition to the invitation.',
    weDo: 'They go out on the channel of the conversation, reminders and those after a call on WhatsApp; with a closed window as an approved template.',
  },
  'appointment-undeliverable': {
    section: 'Appointment',
    notShown: 'What happens when a notice cannot be delivered to the customer.',
    weDo: 'The team sees a note, and the appointment changes all the same; a reminder that does not go out emits nothing.',
  },
  'webhook-secret-form': {
    section: 'Key responses',
    notShown: 'The form of the secret of a subscription.',
    weDo: 'The simulated API makes whk_ and 32 hex digits.',
  },
  'auto-reply-beyond-the-table': {
    section: 'Auto-reply of a conversation',
    notShown: 'What changes during a pause and while auto-reply is off, in addition to handing back.',
    weDo: 'A person who steps in ends a pause with off, and muting again sets a new end; a handover leaves a pause as it is, and muting leaves off as it is.',
  },
  'chat-other-2xx': {
    section: 'Own-AI chat event: message.received',
    notShown: 'What an answer with a 2xx other than 200, 202 and 204 means.',
    weDo: 'No failure: its body is not read, and a reply may follow.',
  },
  'crm-event-triggers': {
    section: 'CRM webhook events',
    notShown: 'What pauses a conversation, and who triggers Manual and submits forms.',
    weDo: 'In the simulated service tests and scenarios do.',
  },
  'crm-answer-patience': {
    section: 'CRM webhook answer',
    notShown: 'How long an event other than a lookup waits for its answer, and when the repetition comes.',
    weDo: 'The simulated service waits 10 seconds, two for IncomingCallLookup and NewConversation, and repeats at once.',
  },
  'crm-answer-invalid': {
    section: 'CRM webhook answer',
    notShown: 'What becomes of a 200 answer or a callback whose body is not valid.',
    weDo: 'The simulated service applies nothing of it and does not repeat the event; such a callback is answered 400.',
  },
  'crm-answer-identity': {
    section: 'CRM webhook: contactData',
    notShown:
      'What an answer does that changes phoneNumber, or has an empty id or a language in addition to de-DE and en-US.',
    weDo: 'The simulated service leaves phone number and language as they are; an empty id binds nothing.',
  },
  'crm-callback-refused': {
    section: 'CRM webhook answer',
    notShown:
      'What a callback is answered that comes again, too late, after another answer than 202, or to an address that was never given.',
    weDo: 'The simulated service answers 404 with the reason and applies nothing.',
  },
  'crm-callback-early': {
    section: 'CRM webhook answer',
    notShown: 'What becomes of a callback that comes before the event was answered, or after both attempts had failed.',
    weDo: 'The simulated service takes it: the first counts once 202 was answered, the second at once.',
  },
  'contact-without-phone': {
    section: 'CRM webhook: contactData',
    notShown: 'What phoneNumber holds for a contact who has none.',
    weDo: 'The simulated service sends an empty text.',
  },
  'billing-shown': {
    section: 'Limits',
    notShown: 'How the service tells what was charged.',
    weDo: 'The simulated service writes no bill; what would be charged stands in its own events.',
  },
  'new-conversation-start': {
    section: 'CRM webhook events',
    notShown:
      'Whether a chat that starts in a project which a note, a call or an email has opened is a new conversation.',
    weDo: 'It is: the first message on a chat channel in a project sends NewConversation, and messages on others do not.',
  },
  'new-conversation-wait': {
    section: 'CRM webhook events',
    notShown: 'Whether the first chat event waits for the answer to NewConversation.',
    weDo: 'It waits up to two seconds, as for a lookup, and later messages wait behind it.',
  },
  'crm-other-status': {
    section: 'CRM webhook answer',
    notShown: 'What an answer with a status other than 200, 202 and 204 means, another 2xx included.',
    weDo: 'It is a failed answer, and the event goes out once more.',
  },
  'project-end': {
    section: 'What the service does',
    notShown: 'What ends a conversation, so that a new project is needed.',
    weDo: 'Nothing does in the simulated service: a contact keeps its project.',
  },
  'log-time-ahead': {
    section: 'API v1',
    notShown: 'What a logged message is whose occurredAt lies ahead.',
    weDo: 'The simulated API takes it as one of now.',
  },
  'log-notify-direction': {
    section: 'API v1',
    notShown: 'What notify does for a message with direction out.',
    weDo: 'Nothing: the team gets a push for incoming messages only.',
  },
  'log-subject-line': {
    section: 'API v1',
    notShown: 'Where the subject of a logged email stands.',
    weDo: 'The simulated API makes it the first line of the text, and an empty line follows.',
  },
  'log-out-and-auto-reply': {
    section: 'API v1',
    notShown: 'Whether a logged reply of the team turns auto-reply off.',
    weDo: 'Only with ai pause.',
  },
  'template-in-open-window': {
    section: 'API v1',
    notShown: 'Whether a template goes out as one when the WhatsApp window is open.',
    weDo: 'The simulated API sends it as a template all the same.',
  },
  'waiting-text-other-channel': {
    section: 'Message (POST /v1/messages)',
    notShown: 'Whether a reply on another channel delivers a WhatsApp text that waits.',
    weDo: 'It goes on waiting for the button or a WhatsApp message.',
  },
  'cancellation-message-window': {
    section: 'Appointment',
    notShown: 'What becomes of the message of a cancellation when the WhatsApp window is closed.',
    weDo: 'The notice goes as a template; the message waits behind a notification.',
  },
  'notices-without-sender': {
    section: 'Appointment',
    notShown: 'The channel of notices in an inbox without a WhatsApp sender.',
    weDo: 'Senders are not looked at: a new conversation by number is on WhatsApp.',
  },
  'shared-email': {
    section: 'Contact (API)',
    notShown: 'Whom an email address means that two contacts have.',
    weDo: 'The one that had it first.',
  },
} as const satisfies Record<string, Assumption>;
