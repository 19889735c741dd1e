import { apiAssumptions } from './api-assumptions.ts';
import type { Assumption } from './assumption.ts';
import { deepLinkAssumptions } from './deep-link-assumptions.ts';
import { ownAiAssumptions } from './own-ai-assumptions.ts';
import { phoneAssumptions } from './phone-assumptions.ts';
import { serviceAssumptions } from './service-assumptions.ts';

/** What the interface leaves open, by a slug. */
export const assumptions = {
  'contact-fields': {
    section: 'Contact (API)',
    mark: 1,
    notShown: 'Fields of a contact in addition to the six that are listed.',
    weDo: 'The simulated API keeps and returns the six; others in a request are ignored.',
  },
  'appointment-request-bounds': {
    section: 'Appointment (API and webhook shape)',
    mark: 1,
    notShown: 'Values of kind in addition to in_person, the range of durationMinutes, the length of a title.',
    weDo: 'Sends in_person, 1 to 1440 minutes and titles of 1 to 200 characters; the simulated API takes any text as kind and title and any positive whole number of minutes.',
  },
  'project-resource': {
    section: 'Key responses',
    mark: 1,
    notShown: 'The fields of a project in the API, and of the records of its transcript.',
    weDo: 'The simulated API has no project resource of its own; the transcript is an array of turns with role, text and at, as in chat history.',
  },
  'crm-field-limits': {
    section: 'CRM webhook: projectData',
    mark: 1,
    notShown: 'Length limits and read-only marks of the CRM fields in addition to crmAiInfo.',
    weDo: 'Sends texts of moderate length, and longer ones as advice; in an answer only crmAiInfo is measured, and only a changed svcContactId is told.',
  },
  'appointment-statuses': {
    section: 'Appointment',
    mark: 1,
    notShown: 'The whole list of statuses, and the status after a reschedule.',
    weDo: 'Uses proposed, confirmed and cancelled; a reschedule that must be confirmed again gives proposed.',
  },
  'message-statuses': {
    section: 'Message (POST /v1/messages)',
    mark: 1,
    notShown: 'Statuses of a message in addition to queued.',
    weDo: 'The simulated API answers queued and shows no later status.',
  },
  'list-responses': {
    section: 'API v1',
    mark: 1,
    notShown: 'The responses for senders, templates and transcripts, and whether lists come in pages.',
    weDo: 'The simulated API returns plain arrays in one piece.',
  },
  'appointment-change-request': {
    section: 'API v1',
    mark: 2,
    notShown: 'The fields of an appointment change in addition to confirmed, and what PATCH and DELETE return.',
    weDo: 'The simulated API takes start and durationMinutes and returns the changed appointment for both.',
  },
  'appointment-and-subscription-endpoints': {
    section: 'API v1',
    mark: 3,
    notShown: 'Reading appointments; listing, changing or deleting webhook subscriptions.',
    weDo: 'The simulated API has none of these and answers 404, or 405 where the path takes another method.',
  },
  'whatsapp-object': {
    section: 'API v1',
    mark: 4,
    notShown: 'The whatsApp object in addition to its template, and what consentOverridden tells.',
    weDo: 'The simulated API looks at the template only and always answers consentOverridden false.',
  },
  'key-scopes': {
    section: 'Authentication',
    mark: 1,
    notShown: 'Scopes of API keys, and endpoints that list or revoke them.',
    weDo: 'A key may do everything in its inbox; the simulated API has no endpoint for keys.',
  },
  'manual-and-form-payload': {
    section: 'CRM webhook events',
    mark: 1,
    notShown: 'What Manual and FormSubmitted carry in particular.',
    weDo: 'Sends them with the same fields as the other events without an appointment.',
  },
  'webhook-redelivery': {
    section: 'API webhook events',
    mark: 1,
    notShown: 'Whether and when a failed delivery is sent again.',
    weDo: 'The harness repeats deliveries only to see deduplication; the simulated service makes one attempt.',
  },
  'appointment-finished-trigger': {
    section: 'API webhook events',
    mark: 2,
    notShown: 'What makes an appointment finished.',
    weDo: 'The simulated service finishes a confirmed appointment when its duration has passed.',
  },
  'error-codes': {
    section: 'Errors',
    mark: 1,
    notShown: 'The complete list of error codes.',
    weDo: 'The simulated API uses the named codes, and others of the same form for the rest: invalid_request, unauthorized, consent_missing, not_found, method_not_allowed, idempotency_key_in_use, request_timeout, payload_too_large, unsupported_media_type, idempotency_key_reused, rate_limited, headers_too_large, internal_error and unavailable.',
  },
  'problem-members': {
    section: 'Errors',
    mark: 2,
    notShown: 'Fields of a problem body beyond RFC 9457.',
    weDo: 'Sends none.',
  },
  'key-error-status': {
    section: 'Errors',
    mark: 3,
    notShown: 'The status for a missing or wrong API key.',
    weDo: 'The simulated API answers 401.',
  },
  'rate-limit-status': {
    section: 'Limits',
    mark: 1,
    notShown: 'The status when a key makes too many requests.',
    weDo: 'The simulated API answers 429 with Retry-After.',
  },
  'api-request-bounds': {
    section: 'Limits',
    mark: 2,
    notShown: 'The largest request body and the lengths of fields in API requests.',
    weDo: 'The simulated API takes bodies up to 1 MiB, of JSON with at most 200 levels and 20,000 values, and does not measure fields that have no documented limit.',
  },
  'deprecation-policy': {
    section: 'Versioning',
    mark: 1,
    notShown: 'When and how versions end, and when the final one comes.',
    weDo: 'Speaks protocol revision 2026-10-11 and API v1; the numeric event types are sent as well, as if the transition had no end.',
  },

  'event-timestamp-form': {
    section: 'CRM webhook (the service calls the integrator)',
    notShown: 'The form of timestampUtc.',
    weDo: 'Sends UTC without a zone suffix, as the appointment shape has it.',
  },
  'own-ai-timestamp-form': {
    section: 'Own-AI chat event: message.received',
    notShown:
      'The form of createdAt, receivedAt, at and pausedUntil, in addition to that a time without a zone is UTC.',
    weDo: 'Sends UTC without a zone suffix.',
  },
  'appointment-timestamp-form': {
    section: 'Appointment (API and webhook shape)',
    notShown: 'The form of the timestamps in addition to start and startLocal.',
    weDo: 'Sends UTC without a zone suffix.',
  },
  'opt-in-timestamp-zone': {
    section: 'CRM webhook: contactData',
    notShown: 'Whether a customOptIn timestamp, which has no zone, is UTC or local time.',
    weDo: 'Sends UTC; in an answer any timestamp is taken.',
  },
  'timestamp-fraction': {
    section: 'Appointment (API and webhook shape)',
    notShown: 'Whether timestamps carry a fraction of a second.',
    weDo: 'Sends whole seconds; a fraction is accepted in what we receive.',
  },
  'custom-date-form': {
    section: 'CRM webhook: contactData',
    notShown: 'How customDate1 and customDate2 are written.',
    weDo: 'Sends year, month and day as in 2026-10-11; in an answer any text is taken.',
  },
  'custom-numeric-form': {
    section: 'CRM webhook: contactData',
    notShown: 'How customNumeric1 and customNumeric2, which are texts, write a number.',
    weDo: 'Sends digits with a point and at most two decimals; in an answer any text is taken.',
  },
  'contact-language-form': {
    section: 'CRM webhook: contactData',
    notShown: 'The values of language.',
    weDo: 'Sends de-DE and en-US, which calls use; in an answer any text is taken.',
  },
  'phone-number-form': {
    section: 'CRM webhook: contactData',
    notShown: 'How phone numbers in events are written.',
    weDo: 'Sends a plus sign and 7 to 15 digits, the international form that the API asks for.',
  },
  'postal-address-nulls': {
    section: 'CRM webhook: contactData',
    notShown: 'Types of the fields of a postal address in addition to isDefault, and whether they can be null.',
    weDo: 'Sends texts, empty where there is nothing; in an answer text, null and missing fields are all taken.',
  },
  'crm-parts-without-value': {
    section: 'CRM webhook (the service calls the integrator)',
    notShown: 'Whether contactData or projectData can be null in an event.',
    weDo: 'Sends both as objects with every documented field.',
  },
  'crm-flags-missing': {
    section: 'CRM webhook (the service calls the integrator)',
    notShown: 'Whether a flag can be omitted of an answer.',
    weDo: 'A missing flag is read as false.',
  },
  'legacy-event-numbers': {
    section: 'CRM webhook events',
    notShown: 'Whether the appointment events had numbers as well.',
    weDo: 'Sends the six numbers that are listed, none of them with an appointment.',
  },
  'callback-answer': {
    section: 'CRM webhook (the service calls the integrator)',
    notShown: 'What the service answers to a callback.',
    weDo: 'Answers 200 without a body.',
  },
  'appointment-external-id': {
    section: 'Appointment (API and webhook shape)',
    notShown: 'What externalId and metadata hold when an appointment was made without them.',
    weDo: 'Sends a text and an object, which may be empty, every time.',
  },
  'webhook-event-id': {
    section: 'API webhook events',
    notShown: 'The form of an event id, and whether X-Svc-Delivery-Id equals it.',
    weDo: 'Sends letters, digits, - and _; a redelivery keeps its delivery id, and nothing rests on the two ids being equal.',
  },
  'chat-ids': {
    section: 'Own-AI chat event: message.received',
    notShown: 'Types of the ids of contact and message, and what follows evt_ in an event id.',
    weDo: 'Sends integers, as in the API; 8 to 40 letters and digits follow the prefix.',
  },
  'chat-text-bounds': {
    section: 'Own-AI chat event: message.received',
    notShown: "Lengths of the customer's text and of history turns.",
    weDo: 'Sends 1 to 4000 characters; what an endpoint makes of long ones is told as advice.',
  },
  'chat-skills-offered': {
    section: 'Skill (attached to an assistant)',
    notShown: 'How many skills are listed, and bounds of their texts.',
    weDo: 'Sends the configured ones, or up to ten forged ones; an announcement that is not set is null.',
  },
  'chat-answer-members-missing': {
    section: 'Own-AI chat event: message.received',
    notShown: 'What a missing or null field of a chat answer or agent reply means.',
    weDo: 'Reads both as not given; a missing action is none.',
  },
  'paused-until': {
    section: 'Auto-reply',
    notShown: 'Whether every pause has an end.',
    weDo: 'Sends pausedUntil during each pause.',
  },
  'skill-reason-when-done': {
    section: 'Skills as tools',
    notShown: 'Whether reason is omitted or null when a skill was carried out.',
    weDo: 'Leaves it out, unless it is pending-approval.',
  },
  'skills-in-reply-response': {
    section: 'API v1',
    notShown: 'Whether skills is in the response to a reply that asked for none.',
    weDo: 'Leaves it out.',
  },
  'status-after-two-actions': {
    section: 'Agent reply (POST .../agent-replies) status',
    notShown: 'The status of a reply that has a text and a handover.',
    weDo: 'Answers handed_over.',
  },
  'problem-type': {
    section: 'Errors',
    notShown: 'The type field of problem bodies.',
    weDo: 'Sends about:blank or leaves it out, which RFC 9457 treats alike.',
  },
  'call-signature-header': {
    section: 'Authentication',
    notShown: 'Whether the signature header of a call has the parts t and v1, as deliveries have.',
    weDo: 'Sends the same form.',
  },
  'signature-parts': {
    section: 'Authentication',
    notShown: 'The order of the signature parts, unknown parts, and the case of the hex digits.',
    weDo: 'Sends t, then v1, nothing else, in lower case.',
  },
  'user-agent': {
    section: 'Events',
    notShown: 'User-Agent and other headers in addition to the listed ones.',
    weDo: 'Sends User-Agent svc-conform and the content type application/json.',
  },
  'generated-bounds': {
    section: 'Resources and their fields',
    notShown: 'Bounds of ids and other values in events.',
    weDo: 'Sends ids from 1 to 9007199254740991, the largest whole number that every JSON reader keeps; above 2147483647 as advice.',
    advises: [
      'own-ai-phone/accepts-extreme-call-values',
      'own-ai-chat/answers-long-and-large-values',
      'api-webhooks/accepts-long-and-large-values',
    ],
  },

  ...apiAssumptions,
  ...serviceAssumptions,
  ...ownAiAssumptions,
  ...phoneAssumptions,
  ...deepLinkAssumptions,
} as const satisfies Record<string, Assumption>;

export type AssumptionId = keyof typeof assumptions;
