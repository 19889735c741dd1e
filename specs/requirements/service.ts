import type { ServiceStatement } from './requirement.ts';
import { serviceApi } from './service-api.ts';
import { serviceAppointments } from './service-appointments.ts';
import { serviceConversation } from './service-conversation.ts';
import { serviceDeepLinks } from './service-deep-links.ts';
import { serviceDeliveries } from './service-deliveries.ts';
import { serviceMessages } from './service-messages.ts';
import { servicePhone } from './service-phone.ts';

/** Behaviour of the service: the acceptance list of the simulated one. */
export const service = {
  'service/crm-event-is-a-post-with-bearer-token': {
    section: 'CRM webhook (the service calls the integrator)',
    statement: 'A CRM event is a POST with Authorization: Bearer and the token that was entered for the inbox.',
  },
  'service/crm-event-has-six-members': {
    section: 'CRM webhook (the service calls the integrator)',
    statement:
      'The body of a CRM event has eventType, timestampUtc, callbackUrl, contactData, projectData and appointmentData.',
  },
  'service/crm-event-type-is-a-name': {
    section: 'CRM webhook events',
    statement: 'eventType is one of twelve names; six of them had the numbers 0 to 5 until October 2026.',
  },
  'service/crm-appointment-data-only-on-appointment-events': {
    section: 'CRM webhook: projectData',
    statement: 'appointmentData holds an appointment on the six appointment events and is null on all others.',
  },
  'service/crm-events-carry-no-inbox-id': {
    section: 'CRM webhook events',
    statement: 'Nothing in a CRM event names the inbox.',
  },
  'service/crm-callback-address-is-of-one-event': {
    section: 'CRM webhook events',
    statement: 'Each event has its own callbackUrl, so that a receiver can recognise a repetition by it.',
  },
  'service/crm-lookup-waits-two-seconds': {
    section: 'What the service does',
    statement:
      'The service waits up to two seconds for the answer to an IncomingCallLookup; then it greets the caller.',
  },
  'service/crm-applies-only-flagged-parts': {
    section: 'CRM webhook (the service calls the integrator)',
    statement: 'Of a 200 answer or a callback only the parts with a true flag are applied.',
  },
  'service/crm-204-changes-nothing': {
    section: 'CRM webhook answer',
    statement: 'A 204 answer leaves contact and project unchanged, and no callback is awaited.',
  },
  'service/crm-takes-a-callback-within-five-minutes': {
    section: 'Limits',
    statement: 'After a 202 one POST to callbackUrl is accepted within five minutes, in the shape of a 200 answer.',
  },
  'service/crm-callback-needs-no-authentication': {
    section: 'Authentication',
    statement: 'A callback is accepted without an Authorization header.',
  },
  'service/crm-repeats-once': {
    section: 'Errors',
    statement:
      'After an answer that failed or came too late, the same event goes out one more time, its callbackUrl unchanged.',
  },
  'service/signature-covers-the-raw-bytes': {
    section: 'Authentication',
    statement:
      'Signed deliveries carry X-Svc-Signature with t in Unix seconds and v1 as hex HMAC-SHA256 over t, a full stop and the bytes sent.',
  },
  'service/signature-uses-the-secret-as-text': {
    section: 'Authentication',
    statement: 'The key of the HMAC is the unchanged UTF-8 text of the secret, whsec_ included, never decoded.',
  },
  'service/api-webhook-delivery-id-is-unique': {
    section: 'API webhook events',
    statement: 'Every delivery of an API webhook carries an X-Svc-Delivery-Id that no other delivery has.',
  },
  'service/api-webhook-envelope': {
    section: 'API webhook events',
    statement:
      'The body of an API webhook has id, one of six types, createdAt without a zone, workspaceId and an appointment as data.',
  },
  'service/appointment-start-has-no-zone-suffix': {
    section: 'Appointment (API and webhook shape)',
    statement: 'start is UTC without a zone suffix, and startLocal is local time without one.',
  },
  'service/appointment-returns-what-the-integrator-set': {
    section: 'Appointment (API and webhook shape)',
    statement: 'externalId and metadata come back unchanged in every webhook.',
  },
  'service/chat-event-headers': {
    section: 'Own-AI chat event: message.received',
    statement:
      'Chat events are JSON by POST with X-Svc-Signature, X-Svc-Event, X-Svc-Delivery-Id and X-Svc-Agent-Protocol.',
  },
  'service/chat-event-header-names-the-type': {
    section: 'Own-AI chat event: message.received',
    statement: 'X-Svc-Event is message.received or ping, as the type in the body.',
  },
  'service/chat-delivery-id-is-the-body-id': {
    section: 'Own-AI chat event: message.received',
    statement: 'X-Svc-Delivery-Id equals the id in the body, which starts with evt_.',
  },
  'service/chat-protocol-in-header-and-body': {
    section: 'Versioning',
    statement: 'The protocol revision 2026-10-11 is in X-Svc-Agent-Protocol and in protocol of the body.',
  },
  'service/chat-event-members': {
    section: 'Own-AI chat event: message.received',
    statement:
      'message.received has id, type, createdAt, protocol, workspaceId, agentId and data with project, channel, contact, message, history, replyUrl, skills and autoReply.',
  },
  'service/ping-has-no-data': {
    section: 'Own-AI chat event: message.received',
    statement: 'A ping is signed like any chat event and has no data.',
  },
  'service/ping-passes-with-any-2xx': {
    section: 'API v1',
    statement: 'Any 2xx answer to a ping counts as a success.',
  },
  'service/chat-history-is-the-last-30-turns': {
    section: 'Own-AI chat event: message.received',
    statement: 'history has at most thirty turns, the oldest first, without the message that is being delivered.',
  },
  'service/chat-omits-missing-contact-members': {
    section: 'Own-AI chat event: message.received',
    statement: 'name, phone and email of a contact are omitted when they are not known; they are never null.',
  },
  'service/chat-reply-address-is-absolute': {
    section: 'Own-AI chat event: message.received',
    statement: 'replyUrl is the absolute address of agent-replies of the project.',
  },
  'service/chat-lists-skills-allowed-now': {
    section: 'Skill (attached to an assistant)',
    statement: 'skills lists only what is allowed at this moment.',
  },
  'service/chat-skills-are-empty-while-not-on': {
    section: 'Auto-reply of a conversation',
    statement: 'skills is empty while auto-reply is paused or off.',
  },
  'service/chat-paused-until-only-during-a-pause': {
    section: 'Auto-reply',
    statement: 'pausedUntil is there only while auto-reply is paused.',
  },
  'service/chat-events-continue-while-not-on': {
    section: 'Own-AI chat event: message.received',
    statement:
      'A conversation that the team has taken over still causes chat events; their auto-reply state is not on.',
  },
  'service/chat-sends-nothing-without-a-secret': {
    section: 'Authentication',
    statement: 'Without a secret no chat event is sent.',
  },
  'service/chat-waits-timeout-seconds': {
    section: 'Limits',
    statement: 'The service waits for an answer up to timeoutSeconds, 10 by default and kept between 2 and 30.',
  },
  'service/chat-has-one-attempt': {
    section: 'Own-AI chat event: message.received',
    statement: 'A chat event is sent once, whatever is answered.',
  },
  'service/chat-failure-goes-to-the-team': {
    section: 'Own-AI chat event: message.received',
    statement:
      'A status outside 2xx, a late answer, over 64 KB, invalid JSON, an unknown action or over 4000 characters of text hands the conversation to the team with a note.',
  },
  'service/chat-failure-is-silent-while-the-team-has-it': {
    section: 'Own-AI chat event: message.received',
    statement: 'The service writes no note about a failure while the team already has the conversation.',
  },
  'service/chat-sends-the-text-of-a-200': {
    section: 'Own-AI chat event: message.received',
    statement: 'The text of a 200 answer is sent at once, and an empty text sends nothing.',
  },
  'service/chat-waits-for-a-later-reply': {
    section: 'Own-AI chat event: message.received',
    statement: 'After 202, 204 or 200 without a body, a reply through agent-replies is accepted.',
  },
  'service/chat-handover-turns-auto-reply-off': {
    section: 'Own-AI chat event: message.received',
    statement:
      'After the action handover, following events carry auto-reply off until the conversation is handed back.',
  },
  'service/chat-end-changes-nothing-else': {
    section: 'Own-AI chat event: message.received',
    statement: 'In chat, the action end has no effect other than sending the text.',
  },
  'service/note-is-cut-at-500': {
    section: 'Limits',
    statement: 'A note of more than 500 characters is cut and is not a failure.',
  },
  'service/skills-run-in-order': {
    section: 'Skills as tools',
    statement: 'The text is sent first, then the alerts run, and the forward runs last.',
  },
  'service/chat-tells-skill-outcomes-in-the-history': {
    section: 'Skills as tools',
    statement:
      'The history of the next event contains the outcome of a skill that a direct answer requested: a system turn with the key in square brackets and the reason in parentheses.',
  },
  'service/reply-takes-the-key-in-either-header': {
    section: 'Authentication',
    statement: 'agent-replies takes the API key of the inbox as X-Api-Key or as a bearer token.',
  },
  'service/reply-is-answered-202': {
    section: 'API v1',
    statement: 'An accepted reply is answered 202 with projectId, messageId, status and autoReply.',
  },
  'service/reply-message-id-is-null-without-text': {
    section: 'API v1',
    statement: 'messageId is null when a reply had only an action.',
  },
  'service/reply-status-tells-what-happened': {
    section: 'Agent reply (POST .../agent-replies) status',
    statement:
      'status is sent for a message that went out, handed_over for a handover and noop when there was nothing to do.',
  },
  'service/reply-tells-skill-outcomes': {
    section: 'Skills as tools',
    statement: 'The answer to a reply that named skills lists key, ok and reason of each.',
  },
  'service/reply-skills-are-not-allowed-while-not-on': {
    section: 'Auto-reply of a conversation',
    statement: 'While auto-reply is not on, each skill in a reply is refused with not-allowed.',
  },
  'service/reply-invalid-is-400': {
    section: 'Errors',
    statement: 'A reply with an unknown action or more than 4000 characters of text is answered 400 invalid_reply.',
  },
  'service/reply-unknown-project-is-404': {
    section: 'Errors',
    statement: 'A reply for a project that the inbox does not have is answered 404 project_not_found.',
  },
  'service/reply-not-with-agent-is-409': {
    section: 'Errors',
    statement:
      'A reply for a project that no own-AI assistant answers is answered 409 project_not_with_agent, and nothing runs.',
  },
  'service/reply-not-deliverable-is-422': {
    section: 'Errors',
    statement:
      'A message that cannot be delivered is answered 422 not_deliverable, and the team gets the conversation.',
  },
  'service/errors-are-problem-details': {
    section: 'Errors',
    statement: 'Errors of the API are RFC 9457 problem details with the code in title.',
  },

  ...serviceApi,
  ...serviceMessages,
  ...serviceAppointments,
  ...serviceConversation,
  ...serviceDeliveries,
  ...servicePhone,
  ...serviceDeepLinks,
} as const satisfies Record<`service/${string}`, ServiceStatement>;

/** Id of a statement about the service itself. */
export type ServiceId = keyof typeof service;
