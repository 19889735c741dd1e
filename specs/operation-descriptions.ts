import type { OperationId } from './api-operations.ts';
import { limits } from './limits.ts';

/** What each operation of API v1 does, for a reader of the OpenAPI document (interface: API v1 and its behaviour notes). */
export const operationDescriptions: Readonly<Record<OperationId, string>> = {
  getMe: 'Tells the inbox (workspace) that the API key belongs to, and the name of the key. Good for trying a key.',
  upsertContact:
    'Looks the contact up by its phone number. Answers 201 when it was created and 200 when it was there already; keep ' +
    'the id beside your own customer id.',
  sendMessage:
    'Sends a text to one target: a phone number, an email address or a contact that exists. It counts as a reply of the ' +
    `team. WhatsApp takes free text within ${limits.whatsAppWindowHours} hours of the customer's last message. Later, and without an ` +
    'approved template, the customer gets a notification with a button, and the text waits (waitingForReply) until the ' +
    'customer taps it or replies. With purpose marketing the contact must have given marketing consent.',
  logMessage:
    'Puts a message into the conversation that was sent or received elsewhere. Nothing is sent, and the assistant does not ' +
    'answer it, but reads it. The same externalId on the same channel is logged once: again it is answered 200 with the ' +
    'first message. ai pause gives the conversation to the team, resume gives it back to the assistant.',
  addNote: 'A note is for the team: the customer never gets it, and the assistant does not read it.',
  createAppointment:
    'With confirmed false the appointment is proposed, and the customer gets an invitation to accept or decline. With ' +
    'confirmed true both sides have agreed, and the customer gets a confirmation. Emits appointment.created only.',
  changeAppointment:
    'With a new time the customer has to confirm again, unless confirmed is true. Emits appointment.rescheduled.',
  cancelAppointment:
    'The customer gets a notice of it, and the message, where there is one, right after it. Emits appointment.cancelled.',
  subscribeWebhook:
    'The service sends the named events to the address, each signed with the secret of this answer. It cannot be read again.',
  getTranscript: 'What was written and said in the project, oldest first.',
  listSenders: 'The numbers and addresses that the inbox sends from.',
  listWhatsAppTemplates: 'The templates that WhatsApp has approved.',
  listAgents: 'The assistants of the kind "Your own AI" with their connection status, skills and limits.',
  getAgent: 'One assistant of the kind "Your own AI".',
  changeAgent:
    'What is omitted stays as it is, and an empty address disconnects that channel. timeoutSeconds is kept within ' +
    `${limits.ownAiTimeoutSecondsMin} and ${limits.ownAiTimeoutSecondsMax}.`,
  replaceAgentSecret:
    'The new secret stands in this answer only, and the previous one stops working at once. Use it as UTF-8 text as it is.',
  testAgent:
    'Sends a signed ping to chatUrl, which any 2xx passes, then opens the phone connection once and closes it. A test that ' +
    'fails is answered 200 too, with success false.',
  sendAgentReply:
    'The answer of your own AI to a message.received that was answered 202, 204 or 200 without a body. Counts among the ' +
    'requests of a minute. Drop the answer after a 409: nothing was done.',
  runSkill:
    'Runs a skill of the assistant that answers the project, as in chat, also during a call. A skill that is refused is ' +
    'answered 200 with ok false and the reason. Nothing runs after a 409: the team has the conversation.',
};

/** What each group of operations is about. */
export const tagDescriptions = {
  Inbox: 'The inbox (workspace) that an API key belongs to.',
  Contacts: 'Customers of the inbox.',
  Messages: 'Messages to customers, and messages that went elsewhere.',
  Notes: 'What only the team sees.',
  Appointments: 'Appointments with customers.',
  Webhooks: 'Signed deliveries of what happens to appointments.',
  Projects: 'Conversations and cases.',
  Agents: 'Assistants of the kind "Your own AI", their replies and their skills.',
  CRM: 'The webhook that brings conversations to your CRM and context to the assistant.',
} as const;
