import type { Assumption } from './assumption.ts';

/** What the interface leaves open about requests to API v1, in addition to what it marks itself. */
export const apiAssumptions = {
  'api-null-members': {
    section: 'API v1',
    notShown: 'What a field means that is null in a request.',
    weDo: 'The simulated API reads it as missing, and so an empty phone or email.',
    advises: ['api-client/no-null-members'],
  },
  'api-unknown-members': {
    section: 'API v1',
    notShown: 'What becomes of fields of a request that are not documented, and of query parameters.',
    weDo: 'The simulated API ignores them.',
  },
  'api-required-members': {
    section: 'API v1',
    notShown: 'Which fields of a request have to be there, in addition to the phone number of a contact.',
    weDo: 'The simulated API asks for what it cannot do without: one target, a text (or an approved template of a message), the direction and channel of a logged message, phone and start of an appointment, url and events of a subscription.',
  },
  'api-target-form': {
    section: 'API v1',
    notShown:
      'Whether the target of a logged message or a note stands in the body itself or in an object named target.',
    weDo: 'The simulated API takes both, one at a time.',
  },
  'api-new-contacts': {
    section: 'API v1',
    notShown:
      'What becomes of a phone number or an email address that no contact has, in requests other than for contacts.',
    weDo: 'The simulated API makes a contact that has nothing else; a contactId or projectId has to exist.',
  },
  'api-phone-form': {
    section: 'Contact (API)',
    notShown: 'How a phone number in international form may be written.',
    weDo: 'The simulated API accepts a plus sign and at most 15 digits with spaces, hyphens, dashes, dots, slashes or brackets between them, a trunk zero in brackets and an extension, stores plus sign and digits alone, and refuses anything else.',
  },
  'api-email-form': {
    section: 'Contact (API)',
    notShown: 'Which email addresses are taken.',
    weDo: 'The simulated API takes up to 254 characters without spaces and with one @ that is neither first nor last, and finds a contact by it in upper and lower case alike.',
  },
  'api-request-times': {
    section: 'API v1',
    notShown: 'Which forms of ISO 8601 are taken.',
    weDo: 'The simulated API accepts the extended and the basic form, dates by month, week or day of the year, and times without minutes or seconds; start with Z, a zero offset or no zone, and no other offset; occurredAt with any offset, without one as UTC, or as a date alone.',
  },
  'api-empty-text': {
    section: 'API v1',
    notShown: 'Whether the text of a message, a logged message or a note can be empty.',
    weDo: 'The simulated API accepts an empty one, except for a message without a template.',
  },
  'api-ids-in-paths': {
    section: 'API v1',
    notShown: 'What an id in a path is answered that is not a positive integer.',
    weDo: 'The simulated API answers as to an id that it does not have; percent encoding that is none is answered 400.',
  },
  'api-transport-errors': {
    section: 'Errors',
    notShown: 'What is answered to unknown paths, other methods, bodies that are not JSON, and other media types.',
    weDo: 'The simulated API answers 404, 405 with Allow, 400 and 415, the latter to compressed bodies too, 413 and 431 to what is too large, and 408 to what does not arrive; each as problem details.',
  },
  'api-two-keys': {
    section: 'Authentication',
    notShown: 'Which key counts when a request has both headers.',
    weDo: 'The simulated API takes X-Api-Key.',
  },
  'api-documents': {
    section: 'Versioning',
    notShown: 'Whether description, reference and changelog need a key, and the form of the changelog.',
    weDo: 'The simulated API gives them to everybody, the changelog as JSON.',
  },
  'consent-error-code': {
    section: 'Errors',
    notShown: 'The code of the 403 for a message without marketing consent.',
    weDo: 'The simulated API sends consent_missing.',
  },
  'marketing-consent-source': {
    section: 'What the service does',
    notShown: 'How a contact gives marketing consent, for which the API has no field.',
    weDo: 'The simulated service begins with contacts that have given it and contacts that have not, and tests set it; serviceConsent is false until it is sent.',
  },
  'service-purpose-consent': {
    section: 'API v1',
    notShown: 'Whether a message with purpose service needs serviceConsent.',
    weDo: 'The simulated API sends it without.',
  },
  'message-channel-choice': {
    section: 'What the service does',
    notShown: 'In which order the service picks among the channels, and what happens when none can be used.',
    weDo: 'The simulated API takes WhatsApp, SMS, RCS or email, the first that the inbox has a sender for and the contact an address; when there is none it answers 422 not_deliverable, and the team gets the conversation.',
  },
  'message-template-reference': {
    section: 'API v1',
    notShown: 'The form of a template reference, and what becomes of one that is not approved.',
    weDo: 'The simulated API takes a text, a number or an object, whatever it refers to, for an approved template.',
  },
  'message-and-auto-reply': {
    section: 'What the service does',
    notShown: 'Whether a message through the API turns auto-reply off, as a reply of a person does.',
    weDo: 'It does, since it counts as a reply of the team.',
  },
  'log-subject-elsewhere': {
    section: 'API v1',
    notShown: 'What becomes of a subject on a channel other than email.',
    weDo: 'The simulated API leaves it aside.',
  },
  'log-text-length': {
    section: 'Key responses',
    notShown: 'From which length a logged text is cut.',
    weDo: 'The simulated API keeps 4000 characters, the subject of an email included, and answers truncated true when there were more.',
  },
  'log-ai-pause': {
    section: 'API v1',
    notShown: 'Whether ai pause is a pause with an end.',
    weDo: 'The simulated API turns auto-reply off, until somebody hands back or a message is logged with resume.',
  },
  'log-and-the-window': {
    section: 'API v1',
    notShown: 'Whether a logged WhatsApp message of the customer opens the window of 24 hours.',
    weDo: 'It does not: the message came by another way.',
  },
  'log-external-id-scope': {
    section: 'API v1',
    notShown: 'For how long, and for which contacts, an externalId is remembered.',
    weDo: 'The simulated API remembers it for good, by channel and inbox.',
  },
  'idempotency-key-form': {
    section: 'Limits',
    notShown: 'The form and length of an Idempotency-Key, and what it does on other operations.',
    weDo: 'The simulated API takes any text of 1 to 255 characters and does not look at it on other operations.',
  },
  'idempotency-same-request': {
    section: 'Limits',
    notShown: 'What makes two requests the same, and what a key brings that was used for another one.',
    weDo: 'The simulated API compares API key, method, path and JSON value of the body, and answers 422 idempotency_key_reused.',
  },
  'idempotency-under-way': {
    section: 'Limits',
    notShown: 'What a request is answered whose first sending is still being processed.',
    weDo: 'The simulated API answers 409 idempotency_key_in_use.',
  },
  'idempotency-of-errors': {
    section: 'Limits',
    notShown: 'Whether an error is kept for an Idempotency-Key.',
    weDo: 'The simulated API keeps what was processed, also when that ended in an error; requests that were refused for key, rate or form are not kept.',
  },
  'rate-limit-minute': {
    section: 'Limits',
    notShown: 'Whether a minute is one of the clock, and whether refused requests count.',
    weDo: 'The simulated API counts what it took in the last 60 seconds.',
  },
  'not-found-code': {
    section: 'Errors',
    notShown: 'The code for an assistant, an appointment or a contact that the inbox does not have.',
    weDo: 'The simulated API answers 404 not_found.',
  },
  'agent-secret-status': {
    section: 'API v1',
    notShown: 'The status of the answer that holds a new secret.',
    weDo: 'The simulated API answers 200.',
  },
  'loopback-addresses': {
    section: 'Errors',
    notShown: 'How the service decides that an address is publicly reachable.',
    weDo: 'The simulated API refuses literal addresses of networks that are not public, user names and spaces, and looks no name up; on the same machine it takes http and ws too, for endpoints under development.',
  },
  'agent-test-without-address': {
    section: 'API v1',
    notShown:
      'What the test of an assistant does when only one of its addresses is set, and whether it counts in the connection status.',
    weDo: 'The simulated service tests what is set, fails without sending when nothing is or when there is no secret, and leaves the connection status as it is.',
  },
  'agent-first-contact': {
    section: 'Own-AI assistant (agent)',
    notShown: 'What lastSuccessAt, lastFailureAt and lastError hold before the first success and the first failure.',
    weDo: 'The simulated API sends null.',
  },
  'agent-skill-members': {
    section: 'Own-AI assistant (agent)',
    notShown: 'Which fields a skill has in the list of an assistant in addition to hoursLimited.',
    weDo: 'The simulated API sends those that events have.',
  },
  'agent-reply-conflict': {
    section: 'Errors',
    notShown:
      'Which replies are answered 409, as a text that is sent while the team has the conversation is delivered.',
    weDo: 'The simulated API answers 409 when no own-AI assistant answers the project; otherwise a text is delivered, skills are refused, and the first text after the team stepped in brings a note.',
  },
  'agent-reply-codes': {
    section: 'Errors',
    notShown: 'The code for a reply with a field of a wrong type, or with more skills than are allowed.',
    weDo: 'The simulated API answers 400 invalid_reply; in a direct answer the skills after the fifth are refused with not-allowed.',
  },
  'skill-limit-hour': {
    section: 'Limits',
    notShown: 'What skillsPerHourLimit counts, and over which hour.',
    weDo: 'The simulated service counts the skills that ran in the conversation within the last 60 minutes.',
  },
  'forward-in-chat': {
    section: 'Skills as tools',
    notShown:
      'How no further events after a forward goes together with events that keep arriving while auto-reply is off.',
    weDo: 'After a forward in chat the simulated service sends none until the conversation is handed back; after a handover they go on with the state off.',
  },
} as const satisfies Record<string, Assumption>;
