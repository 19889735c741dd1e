import { apiAssumptions } from './api-assumptions.ts';
import type { Assumption } from './assumption.ts';
import { deepLinkAssumptions } from './deep-link-assumptions.ts';
import { ownAiAssumptions } from './own-ai-assumptions.ts';
import { phoneAssumptions } from './phone-assumptions.ts';
import { serviceAssumptions } from './service-assumptions.ts';

/** Every point that the interface leaves open, by slug. */
export const assumptions = {
  'contact-fields': {
    section: 'Contact (API)',
    mark: 1,
    notShown: 'Fields of a contact other than the six listed ones.',
    weDo: 'The simulated API stores and returns the six and ignores others in a request.',
  },
  'appointment-request-bounds': {
    section: 'Appointment (API and webhook shape)',
    mark: 1,
    notShown: 'Values of kind other than in_person, the range of durationMinutes, the length of a title.',
    weDo: 'Sends in_person, 1 to 1440 minutes and titles of 1 to 200 characters; the simulated API accepts any string as kind and title and any positive whole number of minutes.',
  },
  'project-resource': {
    section: 'Key responses',
    mark: 1,
    notShown: 'The fields of a project in the API and of the entries in its transcript.',
    weDo: 'The simulated API has no project resource; the transcript is an array of turns with role, text and at, as in chat history.',
  },
  'crm-field-limits': {
    section: 'CRM webhook: projectData',
    mark: 1,
    notShown: 'Length limits and read-only marks of CRM fields other than crmAiInfo.',
    weDo: 'Sends strings of moderate length, and longer ones as advice; of an answer, measures only crmAiInfo and reports only a changed svcContactId.',
  },
  'appointment-statuses': {
    section: 'Appointment',
    mark: 1,
    notShown: 'The complete list of statuses, and the status after a reschedule.',
    weDo: 'Uses proposed, confirmed and cancelled; a reschedule that must be confirmed again gives proposed.',
  },
  'message-statuses': {
    section: 'Message (POST /v1/messages)',
    mark: 1,
    notShown: 'Statuses of a message other than queued.',
    weDo: 'The simulated API answers queued and shows no later status.',
  },
  'list-responses': {
    section: 'API v1',
    mark: 1,
    notShown: 'The responses for senders, templates and transcripts, and whether lists are paginated.',
    weDo: 'The simulated API returns plain arrays without pagination.',
  },
  'appointment-change-request': {
    section: 'API v1',
    mark: 2,
    notShown: 'The fields of an appointment change other than confirmed, and what PATCH and DELETE return.',
    weDo: 'The simulated API accepts start and durationMinutes and returns the changed appointment for both.',
  },
  'appointment-and-subscription-endpoints': {
    section: 'API v1',
    mark: 3,
    notShown: 'Reading appointments; listing, changing or deleting webhook subscriptions.',
    weDo: 'The simulated API has none of these and answers 404, or 405 where the path supports another method.',
  },
  'whatsapp-object': {
    section: 'API v1',
    mark: 4,
    notShown: 'The fields of the whatsApp object other than template, and what consentOverridden means.',
    weDo: 'The simulated API reads only the template and always answers with consentOverridden false.',
  },
  'key-scopes': {
    section: 'Authentication',
    mark: 1,
    notShown: 'Scopes of API keys, and endpoints that list or revoke them.',
    weDo: 'A key grants every operation in its inbox; the simulated API has no endpoint for keys.',
  },
  'manual-and-form-payload': {
    section: 'CRM webhook events',
    mark: 1,
    notShown: 'Fields specific to Manual and FormSubmitted.',
    weDo: 'Sends them with the same fields as the other events without an appointment.',
  },
  'webhook-redelivery': {
    section: 'API webhook events',
    mark: 1,
    notShown: 'Whether and when a failed delivery is sent again.',
    weDo: 'The harness repeats deliveries only to observe deduplication; the simulated service makes one attempt.',
  },
  'appointment-finished-trigger': {
    section: 'API webhook events',
    mark: 2,
    notShown: 'When an appointment becomes finished.',
    weDo: 'The simulated service finishes a confirmed appointment when its duration has passed.',
  },
  'error-codes': {
    section: 'Errors',
    mark: 1,
    notShown: 'The complete list of error codes.',
    weDo: 'The simulated API uses the documented codes, and others of the same form for the rest: invalid_request, unauthorized, consent_missing, not_found, method_not_allowed, idempotency_key_in_use, request_timeout, payload_too_large, unsupported_media_type, idempotency_key_reused, rate_limited, headers_too_large, internal_error and unavailable.',
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
    notShown: 'The status for a missing or unknown API key.',
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
    weDo: 'The simulated API accepts JSON bodies of up to 1 MiB with at most 200 levels and 20,000 values, and does not limit fields that have no documented limit.',
  },
  'deprecation-policy': {
    section: 'Versioning',
    mark: 1,
    notShown: 'When and how versions end, and when the final version is released.',
    weDo: 'Speaks protocol revision 2026-10-11 and API v1; sends the numeric event types as well, as if the transition period had no end.',
  },

  'event-timestamp-form': {
    section: 'CRM webhook (the service calls the integrator)',
    notShown: 'The form of timestampUtc.',
    weDo: 'Sends UTC without a zone suffix, as the appointment shape has it.',
  },
  'own-ai-timestamp-form': {
    section: 'Own-AI chat event: message.received',
    notShown: 'The form of createdAt, receivedAt, at and pausedUntil, except that a time without a zone is UTC.',
    weDo: 'Sends UTC without a zone suffix.',
  },
  'appointment-timestamp-form': {
    section: 'Appointment (API and webhook shape)',
    notShown: 'The form of timestamps other than start and startLocal.',
    weDo: 'Sends UTC without a zone suffix.',
  },
  'opt-in-timestamp-zone': {
    section: 'CRM webhook: contactData',
    notShown: 'Whether a customOptIn timestamp, which has no zone, is UTC or local time.',
    weDo: 'Sends UTC; accepts any timestamp in an answer.',
  },
  'timestamp-fraction': {
    section: 'Appointment (API and webhook shape)',
    notShown: 'Whether timestamps have fractional seconds.',
    weDo: 'Sends whole seconds; accepts fractional seconds.',
  },
  'custom-date-form': {
    section: 'CRM webhook: contactData',
    notShown: 'The form of customDate1 and customDate2.',
    weDo: 'Sends year, month and day as in 2026-10-11; accepts any string in an answer.',
  },
  'custom-numeric-form': {
    section: 'CRM webhook: contactData',
    notShown: 'The number format of the strings customNumeric1 and customNumeric2.',
    weDo: 'Sends digits with a decimal point and at most two decimals; accepts any string in an answer.',
  },
  'contact-language-form': {
    section: 'CRM webhook: contactData',
    notShown: 'The values of language.',
    weDo: 'Sends de-DE and en-US, as in calls; accepts any string in an answer.',
  },
  'phone-number-form': {
    section: 'CRM webhook: contactData',
    notShown: 'The form of phone numbers in events.',
    weDo: 'Sends a plus sign and 7 to 15 digits, the international form that the API requires.',
  },
  'postal-address-nulls': {
    section: 'CRM webhook: contactData',
    notShown: 'Types of the fields of a postal address other than isDefault, and whether they can be null.',
    weDo: 'Sends strings, empty where there is no value; accepts strings, null and missing fields in an answer.',
  },
  'crm-parts-without-value': {
    section: 'CRM webhook (the service calls the integrator)',
    notShown: 'Whether contactData or projectData can be null in an event.',
    weDo: 'Sends both as objects with every documented field.',
  },
  'crm-flags-missing': {
    section: 'CRM webhook (the service calls the integrator)',
    notShown: 'Whether an answer can omit a flag.',
    weDo: 'Reads a missing flag as false.',
  },
  'legacy-event-numbers': {
    section: 'CRM webhook events',
    notShown: 'Whether the appointment events have numbers as well.',
    weDo: 'Sends the six listed numbers, none of them for an appointment event.',
  },
  'callback-answer': {
    section: 'CRM webhook (the service calls the integrator)',
    notShown: 'What the service answers to a callback.',
    weDo: 'Answers 200 without a body.',
  },
  'appointment-external-id': {
    section: 'Appointment (API and webhook shape)',
    notShown: 'The values of externalId and metadata of an appointment created without them.',
    weDo: 'Always sends a string and an object, either of which may be empty.',
  },
  'webhook-event-id': {
    section: 'API webhook events',
    notShown: 'The form of an event id, and whether X-Svc-Delivery-Id equals it.',
    weDo: 'Sends letters, digits, - and _; a redelivery keeps its delivery id, and no check relies on the two ids being equal.',
  },
  'chat-ids': {
    section: 'Own-AI chat event: message.received',
    notShown: 'Types of the ids of contact and message, and what follows evt_ in an event id.',
    weDo: 'Sends integers, as in the API; 8 to 40 letters and digits follow the prefix.',
  },
  'chat-text-bounds': {
    section: 'Own-AI chat event: message.received',
    notShown: "Lengths of the customer's text and of history turns.",
    weDo: 'Sends 1 to 4000 characters; reports the handling of long strings as advice.',
  },
  'chat-skills-offered': {
    section: 'Skill (attached to an assistant)',
    notShown: 'How many skills are listed, and the length limits of their strings.',
    weDo: 'Sends the configured skills, or up to ten generated ones; an announcement that is not set is null.',
  },
  'chat-answer-members-missing': {
    section: 'Own-AI chat event: message.received',
    notShown: 'What a missing or null field of a chat answer or agent reply means.',
    weDo: 'Reads both as not given; reads a missing action as none.',
  },
  'paused-until': {
    section: 'Auto-reply',
    notShown: 'Whether every pause has an end time.',
    weDo: 'Sends pausedUntil during each pause.',
  },
  'skill-reason-when-done': {
    section: 'Skills as tools',
    notShown: 'Whether reason is omitted or null when a skill ran.',
    weDo: 'Omits it, unless it is pending-approval.',
  },
  'skills-in-reply-response': {
    section: 'API v1',
    notShown: 'Whether the response contains skills when the reply requested none.',
    weDo: 'Omits it.',
  },
  'status-after-two-actions': {
    section: 'Agent reply (POST .../agent-replies) status',
    notShown: 'The status of a reply with both text and a handover.',
    weDo: 'Answers handed_over.',
  },
  'problem-type': {
    section: 'Errors',
    notShown: 'The type field of problem bodies.',
    weDo: 'Sends about:blank or omits it, which are equivalent in RFC 9457.',
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
    notShown: 'User-Agent and other headers that are not listed.',
    weDo: 'Sends User-Agent svc-conform and the content type application/json.',
  },
  'generated-bounds': {
    section: 'Resources and their fields',
    notShown: 'Bounds of ids and other values in events.',
    weDo: 'Sends ids from 1 to 9007199254740991, the largest whole number that every JSON reader represents exactly; those above 2147483647 as advice.',
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
