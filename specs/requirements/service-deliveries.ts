import type { ServiceStatement } from './requirement.ts';

/** Behaviour of the service with the CRM webhook and with chat events of an own AI, beyond the form of its requests. */
export const serviceDeliveries = {
  'service/crm-lookup-when-a-call-comes-in': {
    section: 'CRM webhook events',
    statement: 'When a call comes in, the service sends IncomingCallLookup.',
  },
  'service/crm-lookup-informs-the-greeting': {
    section: 'CRM webhook events',
    statement: 'If a lookup is answered in time, the service knows the answer when it greets the caller.',
  },
  'service/crm-tells-a-new-conversation': {
    section: 'CRM webhook events',
    statement: 'When a chat conversation starts, the service sends NewConversation.',
  },
  'service/crm-tells-a-finished-call': {
    section: 'CRM webhook events',
    statement: 'About a minute after a call FinishedCall is sent.',
  },
  'service/crm-finished-call-follows-the-transcription': {
    section: 'CRM webhook events',
    statement: 'After a call that is recorded, FinishedCall is sent after the transcription.',
    awaits: 'recordings of calls, which the simulated service does not make',
  },
  'service/crm-summary-is-of-the-whole-project': {
    section: 'CRM webhook: projectData',
    statement:
      'currentSummary is a running summary of the project: it begins with the first words and changes as the conversation continues.',
  },
  'service/crm-ai-info-is-read-live': {
    section: 'CRM webhook: contactData',
    statement: 'The assistant reads crmAiInfo live in every conversation.',
    awaits: "answers of the service's own assistant, which is not simulated",
  },
  'service/crm-tells-a-paused-conversation': {
    section: 'CRM webhook events',
    statement: 'When a conversation is paused, the service sends ConversationPaused.',
  },
  'service/crm-can-be-sent-by-hand': {
    section: 'CRM webhook events',
    statement: 'Manual is sent when a user triggers it.',
  },
  'service/crm-tells-a-submitted-form': {
    section: 'CRM webhook events',
    statement: 'When a form is submitted, the service sends FormSubmitted.',
  },
  'service/crm-binds-the-case-number': {
    section: 'CRM webhook events',
    statement:
      'A crmProjectId in the answer to FinishedCall or ConversationPaused stays with the project and is in later events.',
  },
  'service/crm-lookup-fills-the-contact': {
    section: 'CRM webhook events',
    statement:
      'Names, crmContactId and crmAiInfo in the answer to a lookup stay with the contact and are in later events.',
  },
  'service/crm-events-go-to-one-address': {
    section: 'CRM webhook events',
    statement: 'Each inbox has one CRM webhook, and every event of the inbox goes there.',
  },
  'service/crm-takes-a-callback-once': {
    section: 'Limits',
    statement: 'Of several POSTs to one callbackUrl the first is applied and no other.',
  },
  'service/crm-ai-info-stays-within-5000': {
    section: 'Limits',
    statement: 'crmAiInfo in an event has at most 5000 characters.',
  },
  'service/crm-ids-are-texts': {
    section: 'CRM webhook (the service calls the integrator)',
    statement: 'crmContactId and crmProjectId are strings in events and are accepted as strings from answers.',
  },
  'service/crm-contact-id-stays': {
    section: 'CRM webhook: contactData',
    statement: 'svcContactId identifies the contact and is not changed by an answer.',
  },
  'service/signature-time-is-of-sending': {
    section: 'Limits',
    statement: 'The t of a signature is the time of sending, and so within the five minutes that receivers allow.',
  },
  'service/chat-event-per-message': {
    section: 'Own-AI chat event: message.received',
    statement:
      'Each message that a customer writes on WhatsApp, web chat or Telegram causes a chat event when an own-AI assistant answers the conversation.',
  },
  'service/chat-event-names-the-channel': {
    section: 'Own-AI chat event: message.received',
    statement: 'A chat event names its channel: whatsapp, webchat, telegram or chat.',
  },
  'service/chat-starts-without-a-greeting': {
    section: 'Own-AI chat event: message.received',
    statement: 'A chat that an own AI answers begins without greeting and privacy notice of the service.',
  },
  'service/chat-without-address-goes-to-the-team': {
    section: 'Own-AI chat event: message.received',
    statement: 'Without a chat address every message goes straight to the team.',
  },
  'service/chat-without-secret-goes-to-the-team': {
    section: 'Own-AI chat event: message.received',
    statement: 'Without a secret every message goes straight to the team.',
  },
  'service/chat-none-keeps-the-ai': {
    section: 'Own-AI chat event: message.received',
    statement: 'The action none leaves the conversation with the AI.',
  },
  'service/chat-note-is-for-the-team': {
    section: 'Own-AI chat event: message.received',
    statement: 'The note of an answer is seen by the team and does not reach the customer.',
  },
  'service/chat-failure-shows-in-the-status': {
    section: 'Errors',
    statement:
      'A failure in chat shows in lastFailureAt, lastError and consecutiveFailures of the assistant; a success shows in lastSuccessAt and ends the count.',
  },
  'service/chat-failure-while-the-team-has-it-notifies-nobody': {
    section: 'Own-AI chat event: message.received',
    statement: 'No one is notified of a failure while the team already has the conversation.',
  },
} as const satisfies Record<`service/${string}`, ServiceStatement>;
