import type { Assumption } from './assumption.ts';

/** Points that the interface leaves open about requests to API v1 without marking them. */
export const apiAssumptions = {
  'api-null-members': {
    section: 'API v1',
    notShown: 'The meaning of a field that is null in a request.',
    weDo: 'The simulated API reads it as missing, likewise an empty phone or email.',
    advises: ['api-client/no-null-members'],
  },
  'api-unknown-members': {
    section: 'API v1',
    notShown: 'How the service treats undocumented request fields and query parameters.',
    weDo: 'The simulated API ignores them.',
  },
  'api-required-members': {
    section: 'API v1',
    notShown:
      'Which fields of a message, an appointment and a subscription are required; for contacts, logged messages and notes the table marks the required or the optional ones.',
    weDo: 'The simulated API requires what the request cannot do without: text or an approved template of a message; the phone and start of an appointment; the url and events of a subscription.',
  },
  'contact-without-value': {
    section: 'Contact (API)',
    notShown: 'The form in which a contact is returned whose phone, email or name is not known.',
    weDo: 'The simulated API returns every field, null where there is no value.',
  },
  'key-creator': {
    section: 'What the service does',
    notShown: "How the key's creator is shown, from whom a message sent through the API is shown as coming.",
    weDo: 'The simulated service has no users; it shows the name of the key in their place.',
  },
  'api-target-form': {
    section: 'API v1',
    notShown: 'Whether the target of a logged message or a note is in the body itself or in an object named target.',
    weDo: 'The simulated API accepts either, but not both in one request.',
  },
  'api-new-contacts': {
    section: 'API v1',
    notShown: 'How requests other than for contacts treat a phone number or an email address that no contact has.',
    weDo: 'The simulated API creates a contact with nothing else; a contactId or projectId must exist.',
  },
  'api-phone-form': {
    section: 'Contact (API)',
    notShown: 'The accepted spellings of a phone number in international form.',
    weDo: 'The simulated API accepts a plus sign, or 00 for it, and at most 15 digits with spaces, hyphens, dashes, dots, slashes or brackets between them, a trunk zero in brackets and an extension, stores plus sign and digits alone, and refuses anything else.',
  },
  'api-email-form': {
    section: 'Contact (API)',
    notShown: 'Which email addresses are accepted.',
    weDo: 'The simulated API accepts up to 254 characters without spaces and with one @ that is neither first nor last, and ignores case when it looks up a contact.',
  },
  'api-request-times': {
    section: 'API v1',
    notShown: 'Which forms of ISO 8601 are accepted.',
    weDo: 'The simulated API accepts the extended and the basic form, dates by month, week or day of the year, and times without minutes or seconds; start with Z, a zero offset or no zone, and no other offset; occurredAt with any offset, without an offset (read as UTC), or as a date alone.',
  },
  'api-empty-text': {
    section: 'API v1',
    notShown: 'Whether the text of a message, logged message or note can be empty.',
    weDo: 'The simulated API accepts empty text, except in a message without a template.',
  },
  'api-ids-in-paths': {
    section: 'API v1',
    notShown: 'The response when an id in a path is not a positive integer.',
    weDo: 'The simulated API answers as for an unknown id, and answers 400 to invalid percent encoding.',
  },
  'api-transport-errors': {
    section: 'Errors',
    notShown: 'The response to unknown paths, other methods, bodies that are not JSON, and other media types.',
    weDo: 'The simulated API answers 404, 405 with Allow, 400 and 415 (also for compressed bodies), 413 and 431 when a request is too large, and 408 when it does not arrive in time; each with problem details.',
  },
  'api-two-keys': {
    section: 'Authentication',
    notShown: 'Which key is used when a request has both headers.',
    weDo: 'The simulated API uses X-Api-Key.',
  },
  'api-documents': {
    section: 'Versioning',
    notShown: 'Whether the description, reference and changelog require a key, and the form of the changelog.',
    weDo: 'The simulated API serves them without a key, the changelog as JSON.',
  },
  'consent-error-code': {
    section: 'Errors',
    notShown: 'The code of the 403 for a message without marketing consent.',
    weDo: 'The simulated API sends consent_missing.',
  },
  'marketing-consent-source': {
    section: 'What the service does',
    notShown: 'How a contact gives marketing consent, since the API has no field for it.',
    weDo: 'The simulated service starts with contacts with and without consent, and tests can change it; serviceConsent is false until a request sets it.',
  },
  'service-purpose-consent': {
    section: 'API v1',
    notShown: 'Whether a message with purpose service requires serviceConsent.',
    weDo: 'The simulated API sends it without serviceConsent.',
  },
  'message-channel-choice': {
    section: 'What the service does',
    notShown: 'The order in which the service tries the channels, and what happens when none is usable.',
    weDo: 'The simulated API tries WhatsApp, SMS, RCS and email in this order and uses the first for which the inbox has a sender and the contact an address; without one it answers 422 not_deliverable, and the team gets the conversation.',
  },
  'message-template-reference': {
    section: 'API v1',
    notShown: 'The form of a template reference, and how the service treats a template that is not approved.',
    weDo: 'The simulated API treats any string, number or object as an approved template.',
  },
  'message-and-auto-reply': {
    section: 'What the service does',
    notShown: "Whether a message sent through the API turns auto-reply off, as a person's reply does.",
    weDo: 'It does, since it counts as a reply from the team.',
  },
  'log-subject-elsewhere': {
    section: 'API v1',
    notShown: 'How a subject on a channel other than email is treated.',
    weDo: 'The simulated API ignores it.',
  },
  'log-text-length': {
    section: 'Key responses',
    notShown: 'The length above which logged text is truncated.',
    weDo: 'The simulated API keeps 4000 characters, including the subject of an email, and answers with truncated true when there were more.',
  },
  'log-ai-pause': {
    section: 'API v1',
    notShown: 'Whether a pause set with ai pause ends by itself.',
    weDo: 'The simulated API turns auto-reply off until a user hands back or a message is logged with resume.',
  },
  'log-and-the-window': {
    section: 'API v1',
    notShown: 'Whether a logged WhatsApp message from the customer opens the 24-hour window.',
    weDo: 'It does not, because the message arrived outside the service.',
  },
  'log-external-id-scope': {
    section: 'API v1',
    notShown: 'For how long, and for which contacts, an externalId is remembered.',
    weDo: 'The simulated API remembers it permanently, per channel and inbox.',
  },
  'idempotency-key-form': {
    section: 'Limits',
    notShown: 'The form and length of an Idempotency-Key, and its effect on other operations.',
    weDo: 'The simulated API accepts any value of 1 to 255 characters and ignores the header on other operations.',
  },
  'idempotency-same-request': {
    section: 'Limits',
    notShown: 'When two requests are the same, and the response when a key was used for a different request.',
    weDo: 'The simulated API compares the API key, method, path and JSON value of the body, and answers 422 idempotency_key_reused.',
  },
  'idempotency-under-way': {
    section: 'Limits',
    notShown: 'The response to a request while the first one with its key is still being processed.',
    weDo: 'The simulated API answers 409 idempotency_key_in_use.',
  },
  'idempotency-of-errors': {
    section: 'Limits',
    notShown: 'Whether an error is kept for an Idempotency-Key.',
    weDo: 'The simulated API stores the response of every processed request, including errors; it stores none for requests refused because of their key, rate or form.',
  },
  'rate-limit-minute': {
    section: 'Limits',
    notShown: 'Whether the minute is a calendar minute or a sliding window, and whether refused requests count.',
    weDo: 'The simulated API counts the requests that it accepted in the last 60 seconds.',
  },
  'not-found-code': {
    section: 'Errors',
    notShown: 'The code for an assistant, an appointment or a contact that the inbox does not have.',
    weDo: 'The simulated API answers 404 not_found.',
  },
  'agent-secret-status': {
    section: 'API v1',
    notShown: 'The status of the response that contains a new secret.',
    weDo: 'The simulated API answers 200.',
  },
  'loopback-addresses': {
    section: 'Errors',
    notShown: 'How the service decides that an address is publicly reachable.',
    weDo: 'The simulated API refuses literal addresses of non-public networks, user names and spaces, and does not resolve host names; for loopback addresses it also accepts http and ws, for endpoints under development.',
  },
  'agent-test-without-address': {
    section: 'API v1',
    notShown:
      'What the test of an assistant does when only one of its addresses is set, and whether it affects the connection status.',
    weDo: 'The simulated service tests the address that is set, fails without sending when none is set or the secret is missing, and does not change the connection status.',
  },
  'agent-first-contact': {
    section: 'Own-AI assistant (agent)',
    notShown:
      'The values of lastSuccessAt, lastFailureAt and lastError before the first success and the first failure.',
    weDo: 'The simulated API sends null.',
  },
  'agent-skill-members': {
    section: 'Own-AI assistant (agent)',
    notShown: "The fields of a skill in an assistant's list other than hoursLimited.",
    weDo: 'The simulated API sends the same fields as events.',
  },
  'agent-reply-conflict': {
    section: 'Errors',
    notShown: 'Which replies are answered 409, given that text sent while the team has the conversation is delivered.',
    weDo: 'The simulated API answers 409 when no own-AI assistant answers the project; otherwise it delivers the text, refuses skills, and adds a note for the first text after the team stepped in.',
  },
  'agent-reply-codes': {
    section: 'Errors',
    notShown: 'The code for a reply with a field of the wrong type or too many skills.',
    weDo: 'The simulated API answers 400 invalid_reply; in a direct answer it refuses the skills after the fifth with not-allowed.',
  },
  'skill-limit-hour': {
    section: 'Limits',
    notShown: 'What skillsPerHourLimit counts, and over which hour.',
    weDo: 'The simulated service counts the skills that ran in the conversation within the last 60 minutes.',
  },
  'forward-in-chat': {
    section: 'Skills as tools',
    notShown:
      'How "no further events" after a forward is consistent with events that keep arriving while auto-reply is off.',
    weDo: 'After a forward in chat the simulated service sends no events until the conversation is handed back; after a handover it continues to send them with the state off.',
  },
} as const satisfies Record<string, Assumption>;
