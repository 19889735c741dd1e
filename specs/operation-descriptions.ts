import type { OperationId } from './api-operations.ts';
import { limits } from './limits.ts';

/** Description of each operation of API v1 in the OpenAPI document (interface: API v1 and its behaviour notes). */
export const operationDescriptions: Readonly<Record<OperationId, string>> = {
  getMe: 'Returns the inbox (workspace) that the API key belongs to and the name of the key. Useful to test a key.',
  upsertContact:
    'Looks up the contact by its phone number. Answers 201 when it created the contact and 200 when it existed already; ' +
    'store the id with your own customer id.',
  sendMessage:
    'Sends a message to one target: a phone number, an email address or an existing contact. It counts as a reply from ' +
    `the team. WhatsApp accepts free text within ${limits.whatsAppWindowHours} hours of the customer's last message. After that, ` +
    'without an approved template, the customer gets a notification with a button, and the message waits ' +
    '(waitingForReply) until the customer taps the button or replies. With purpose marketing the contact must have given marketing consent.',
  logMessage:
    'Adds a message to the conversation that was sent or received elsewhere. Nothing is sent; the assistant reads the ' +
    'message but does not answer it. The same externalId on the same channel is logged once: a repeated request is ' +
    'answered 200 with the first message. ai pause hands the conversation to the team, resume back to the assistant.',
  addNote: 'A note is for the team: the customer never gets it, and the assistant does not read it.',
  createAppointment:
    'With confirmed false, the appointment is proposed, and the customer gets an invitation to accept or decline. With ' +
    'confirmed true, both sides have agreed, and the customer gets a confirmation. Emits only appointment.created.',
  changeAppointment:
    'After a change of the time the customer must confirm again, unless confirmed is true. Emits appointment.rescheduled.',
  cancelAppointment:
    'The customer gets a notice, followed by the message if there is one. Emits appointment.cancelled.',
  subscribeWebhook:
    'The service sends the listed events to the address, signed with the secret in this response. The secret is not shown again.',
  getTranscript: 'All messages and speech of the project, oldest first.',
  listSenders: 'The numbers and addresses from which the inbox sends.',
  listWhatsAppTemplates: 'The templates that WhatsApp has approved.',
  listAgents: 'The assistants of the kind "Your own AI" with their connection status, skills and limits.',
  getAgent: 'One assistant of the kind "Your own AI".',
  changeAgent:
    'Omitted fields do not change; an empty address disconnects that channel. timeoutSeconds is limited to the range ' +
    `${limits.ownAiTimeoutSecondsMin} to ${limits.ownAiTimeoutSecondsMax}.`,
  replaceAgentSecret:
    'Only this response contains the new secret; the previous one stops working at once. Use it unchanged, as UTF-8.',
  testAgent:
    'Sends a signed ping to chatUrl (any 2xx passes), then opens the phone connection once and closes it. A failed test ' +
    'is also answered 200, with success false.',
  sendAgentReply:
    'Sends the answer of your own AI to a message.received that it answered 202, 204 or 200 without a body. Counts ' +
    'towards the requests per minute. Drop the answer after a 409: nothing was done.',
  runSkill:
    'Runs a skill of the assistant that answers the project, as in chat, also during a call. A refused skill is ' +
    'answered 200 with ok false and the reason. After a 409 nothing ran: the team has the conversation.',
};

/** Description of each group of operations. */
export const tagDescriptions = {
  Inbox: 'The inbox (workspace) that an API key belongs to.',
  Contacts: 'Customers of the inbox.',
  Messages: 'Messages to customers, and messages sent or received elsewhere.',
  Notes: 'Notes that only the team sees.',
  Appointments: 'Appointments with customers.',
  Webhooks: 'Signed deliveries of appointment events.',
  Projects: 'Conversations and cases.',
  Agents: 'Assistants of the kind "Your own AI", their replies and their skills.',
  CRM: 'The webhook that brings conversations to your CRM and context to the assistant.',
} as const;
