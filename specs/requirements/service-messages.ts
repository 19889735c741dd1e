import type { ServiceStatement } from './requirement.ts';

/** Behaviour of the service with messages, logged messages and notes. */
export const serviceMessages = {
  'service/message-is-queued': {
    section: 'Message (POST /v1/messages)',
    statement:
      'A message is answered 202 with status queued and all that the interface lists: project, contact, message, channel, sender, and the outcome of template, window and consent.',
  },
  'service/message-goes-to-one-target': {
    section: 'API v1',
    statement: 'A message goes to one of phone, email or contactId; none or several of them are refused.',
  },
  'service/message-contact-must-exist': {
    section: 'API v1',
    statement: 'A message to a contactId that the inbox does not have is refused.',
  },
  'service/message-purpose-is-none-by-default': {
    section: 'API v1',
    statement: 'The purpose of a message is none, service or marketing, and none when it is missing.',
  },
  'service/message-marketing-needs-consent': {
    section: 'Errors',
    statement:
      'A message with purpose marketing to a contact without marketing consent is answered 403, and nothing is sent.',
  },
  'service/message-marketing-goes-with-consent': {
    section: 'What the service does',
    statement: 'A message with purpose marketing is sent when the contact has given marketing consent.',
  },
  'service/message-takes-channels-in-order': {
    section: 'API v1',
    statement: 'Of the channels that a message names, the first usable one is used.',
  },
  'service/message-channel-is-chosen': {
    section: 'What the service does',
    statement: 'Without channels the service picks among WhatsApp, SMS, RCS and email.',
  },
  'service/message-opens-a-project': {
    section: 'What the service does',
    statement: 'A message to a contact without an open project opens one; otherwise it lands in the open one.',
  },
  'service/message-counts-as-the-team': {
    section: 'What the service does',
    statement:
      'A message sent through the API appears in the conversation as one of the team, and the assistant does not take over after it.',
  },
  'service/message-in-the-window-goes-at-once': {
    section: 'What the service does',
    statement: 'Free text on WhatsApp goes out at once when the customer wrote within the last 24 hours.',
  },
  'service/message-outside-the-window-waits': {
    section: 'API v1',
    statement:
      'With a closed WhatsApp window and no template the answer has waitingForReply true and sentAsTemplate false.',
  },
  'service/message-outside-the-window-is-announced': {
    section: 'What the service does',
    statement: 'Instead of a message that waits, the customer gets a short notification with a button.',
  },
  'service/message-that-waits-goes-with-the-tap': {
    section: 'Message (POST /v1/messages)',
    statement: 'A message that waits is delivered when the customer taps the button or replies.',
  },
  'service/message-with-template-goes-at-once': {
    section: 'API v1',
    statement: 'With an approved template the answer has sentAsTemplate true, and nothing waits.',
  },
  'service/log-is-created': {
    section: 'API v1',
    statement: 'A logged message is answered 201 with project, contact and message, and with created true.',
  },
  'service/log-takes-four-targets': {
    section: 'API v1',
    statement:
      'A logged message names a project, a contact, a phone number or an email address; none or several of them are refused.',
  },
  'service/log-has-a-direction': {
    section: 'API v1',
    statement:
      'A logged message with the direction in appears as written by the customer, one with the direction out as written by the team.',
  },
  'service/log-has-a-channel': {
    section: 'API v1',
    statement: 'The channel of a logged message is email, whatsapp, sms or rcs; others are refused.',
  },
  'service/log-has-a-subject-on-email-only': {
    section: 'API v1',
    statement: 'The subject of a logged message is kept on email, and on no other channel.',
  },
  'service/log-keeps-when-it-occurred': {
    section: 'API v1',
    statement: 'A logged message appears at occurredAt, or at the time of the request when that is missing.',
  },
  'service/log-again-is-the-first': {
    section: 'API v1',
    statement:
      'A message with an externalId that was logged before on the same channel is answered 200 with the first message, and appears there once.',
  },
  'service/log-on-another-channel-is-another': {
    section: 'API v1',
    statement: 'The same externalId on another channel is another message.',
  },
  'service/log-sends-nothing': {
    section: 'API v1',
    statement: 'A logged message is not sent to anyone.',
  },
  'service/log-is-not-answered': {
    section: 'API v1',
    statement: 'The assistant does not answer a logged message.',
  },
  'service/log-is-read-by-the-assistant': {
    section: 'API v1',
    statement: 'The assistant reads a logged message as part of the conversation.',
  },
  'service/log-incoming-is-unread': {
    section: 'API v1',
    statement: 'A logged message from the customer is unread for the team.',
  },
  'service/log-pushes-only-when-asked': {
    section: 'API v1',
    statement: 'The team gets a push for a logged message with notify true, and for no other.',
  },
  'service/log-keeps-the-reply-channel': {
    section: 'API v1',
    statement: 'A logged message does not change the channel on which the contact is answered.',
  },
  'service/log-lands-in-the-current-project': {
    section: 'API v1',
    statement: 'A logged message for a contact lands in the current project of the contact.',
  },
  'service/log-pause-hands-to-the-team': {
    section: 'API v1',
    statement: 'A logged message with ai pause hands the conversation to the team.',
  },
  'service/log-resume-returns-to-the-assistant': {
    section: 'API v1',
    statement: 'A logged message with ai resume returns the conversation to the assistant.',
  },
  'service/log-tells-truncation': {
    section: 'Key responses',
    statement: 'In the answer to a logged message, truncated is true when its text was cut.',
  },
  'service/log-unknown-project-is-404': {
    section: 'Errors',
    statement: 'A logged message for a project that the inbox does not have is answered 404 project_not_found.',
  },
  'service/note-is-created': {
    section: 'API v1',
    statement:
      'A note is answered 201 with project, contact and note, and appears in the project with its text and, where it has one, its title.',
  },
  'service/note-takes-four-targets': {
    section: 'API v1',
    statement:
      'A note names a project, a contact, a phone number or an email address; none or several of them are refused.',
  },
  'service/note-never-reaches-the-customer': {
    section: 'API v1',
    statement: 'No part of a note goes to the customer.',
  },
  'service/note-is-not-read-by-the-assistant': {
    section: 'API v1',
    statement: 'No part of a note goes to the assistant.',
  },
  'service/note-unknown-project-is-404': {
    section: 'Errors',
    statement: 'A note for a project that the inbox does not have is answered 404 project_not_found.',
  },
} as const satisfies Record<`service/${string}`, ServiceStatement>;
