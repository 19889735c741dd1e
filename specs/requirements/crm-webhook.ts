import { crmWebhookAnswers } from './crm-webhook-answers.ts';
import type { Requirement } from './requirement.ts';

const requests = {
  'crm-webhook/accepts-the-token': {
    section: 'Authentication',
    probe: 'token',
    level: 'must',
    statement: 'An event that carries the configured bearer token is accepted.',
    remediation:
      'Compare the Authorization header with the word Bearer, one space and the token. Check that the configured token and address are those of this environment.',
  },
  'crm-webhook/refuses-missing-token': {
    section: 'Authentication',
    probe: 'token',
    level: 'must',
    statement: 'An event without an Authorization header is not accepted.',
    remediation:
      'Check the header before anything else and answer 401 when it is absent; look for routes or environments where the check is switched off.',
  },
  'crm-webhook/refuses-wrong-token': {
    section: 'Authentication',
    probe: 'token',
    level: 'must',
    statement: 'An event with another token is not accepted.',
    remediation:
      'Compare the token with the configured value instead of testing only that one is present, and refuse when no token is configured on your side.',
  },
  'crm-webhook/refuses-truncated-token': {
    section: 'Authentication',
    probe: 'token',
    level: 'must',
    statement: 'An event that carries only the beginning of the token is not accepted.',
    remediation:
      'Compare the whole token: lengths first, then all bytes. Do not compare only as many characters as were sent.',
  },
  'crm-webhook/refuses-prefixed-token': {
    section: 'Authentication',
    probe: 'token',
    level: 'must',
    statement: 'An event whose token has additional characters before or after the valid one is not accepted.',
    remediation:
      'Test the token for equality rather than with starts-with, ends-with or contains, and anchor a pattern at both ends.',
  },
  'crm-webhook/refuses-differently-cased-token': {
    section: 'Authentication',
    probe: 'token',
    level: 'must',
    statement: 'An event whose token differs from the valid one in letter case is not accepted.',
    remediation:
      'Compare the token byte by byte. Only the word Bearer may be compared without regard to case; do not lower-case the whole header.',
  },
  'crm-webhook/refuses-other-scheme': {
    section: 'Authentication',
    probe: 'token',
    level: 'must',
    statement: 'An event that carries the token under a scheme other than Bearer is not accepted.',
    remediation:
      'Split the header into scheme and token, and require the scheme Bearer; do not read only its last word.',
  },
  'crm-webhook/refuses-with-401': {
    section: 'Errors',
    unprobed: 'message-shows-it',
    level: 'must',
    statement: 'An event without the valid bearer token is refused with status 401.',
    remediation:
      'Answer 401 for a missing and for an invalid token alike, instead of 400, 403, 404 or a redirect to a sign-in page. Some middleware, such as bearerAuth() of Hono, answers 400 to a scheme other than Bearer: set its status or check the header yourself.',
  },
  'crm-webhook/bad-token-is-answered': {
    section: 'Errors',
    unprobed: 'message-shows-it',
    level: 'must',
    statement:
      'A bad token gets an answer with a status below 500, not a server error, silence or a dropped connection.',
    remediation:
      'Guard the reading of the Authorization header: absent, empty and unusual values must lead to a 401 and not to an exception. Constant-time functions such as timingSafeEqual() throw on unequal lengths, so test the length first.',
  },
  'crm-webhook/refused-event-has-no-effect': {
    section: 'Authentication',
    unprobed: 'message-shows-it',
    level: 'must',
    statement: 'An event that is refused for its token has no effect: nothing is stored, sent or called back for it.',
    remediation:
      'Check the token before the body is read, stored or queued, and before callbackUrl is remembered; do not start work and check the token at the same time.',
  },
  'crm-webhook/handles-similar-events': {
    section: 'CRM webhook events',
    probe: 'deduplication',
    level: 'should',
    statement:
      'Events that resemble each other (same contact, same project, same type, same second) are different events, and each has its own answer and effect.',
    remediation: 'Recognise a repeated event by its callbackUrl alone, not by contact, project, type or time.',
  },
  'crm-webhook/answers-every-event': {
    section: 'CRM webhook answer',
    probe: 'payload',
    level: 'must',
    statement: 'Each of the twelve event types is answered 200, 202 or 204.',
    remediation:
      'Answer 204 to event types that you do not use. Use no other 2xx status, and catch errors of your backend systems.',
  },
  'crm-webhook/accepts-legacy-numbers': {
    section: 'CRM webhook events',
    probe: 'payload',
    level: 'must',
    statement: 'An event whose eventType is one of the six legacy numbers is answered 200, 202 or 204.',
    remediation:
      'Allow eventType to be a string or a number in your model or schema; a typed deserialiser usually needs a converter for it.',
  },
  'crm-webhook/legacy-number-means-its-name': {
    section: 'CRM webhook events',
    unprobed: 'answers-are-compared',
    level: 'must',
    statement: 'A legacy number is treated as the event name that it replaced.',
    remediation:
      'Map 0 to IncomingCallLookup, 1 to FinishedCall, 2 to NewConversation, 3 to ConversationPaused, 4 to Manual and 5 to FormSubmitted, then use only the name.',
  },
  'crm-webhook/unknown-event-name-204': {
    section: 'CRM webhook events',
    probe: 'payload',
    level: 'must',
    statement: 'An event whose name the receiver does not know is answered 204.',
    remediation:
      'Give the switch on eventType a default branch that answers 204, and do not read eventType into a closed enumeration that throws.',
  },
  'crm-webhook/unknown-event-number-204': {
    section: 'CRM webhook events',
    probe: 'payload',
    level: 'must',
    statement: 'An event whose type is a number without a meaning is answered 204.',
    remediation:
      'Look numbers up in the list of six and answer 204 when there is no entry; an index beyond the end must not throw.',
  },
  'crm-webhook/lookup-within-two-seconds': {
    section: 'Limits',
    probe: 'timing',
    level: 'must',
    statement: 'An IncomingCallLookup is answered completely within two seconds.',
    remediation:
      'Answer from an index or cache keyed by phone number. When the lookup takes longer, answer 202 at once and POST the result to callbackUrl afterwards.',
  },
  'crm-webhook/new-conversation-within-two-seconds': {
    section: 'CRM webhook events',
    probe: 'timing',
    level: 'must',
    statement: 'A NewConversation is answered completely within two seconds, like a lookup.',
    remediation:
      'Serve NewConversation by the same fast path as IncomingCallLookup, or answer 202 at once and POST the result to callbackUrl.',
  },
  'crm-webhook/lookup-on-fresh-connection-within-two-seconds': {
    section: 'Limits',
    probe: 'timing',
    level: 'must',
    statement: 'A lookup on a new connection is answered within two seconds of its first byte.',
    remediation:
      'Keep the service warm (no cold start, no scale to zero) and avoid work per connection such as a reverse lookup of its address; or answer 202 before the work.',
  },
  'crm-webhook/lookup-on-kept-connection-within-two-seconds': {
    section: 'Limits',
    probe: 'timing',
    level: 'must',
    statement: 'A lookup on a connection that was used before is answered within two seconds.',
    remediation:
      'Let the server read the next request of a kept-alive connection at once, or close the connection with the answer.',
  },
  'crm-webhook/lookup-during-other-events-within-two-seconds': {
    section: 'Limits',
    probe: 'timing',
    level: 'must',
    statement: 'A lookup that arrives while the endpoint handles another event is answered within two seconds.',
    remediation:
      'Keep long work off the thread that answers: use asynchronous calls or a separate worker, and answer 202 to events that take long. Do not serve requests one after the other.',
  },
  'crm-webhook/ten-lookups-at-once-within-two-seconds': {
    section: 'Limits',
    probe: 'timing',
    level: 'should',
    statement: 'Ten lookups that arrive at the same moment are each answered within two seconds.',
    remediation:
      'Handle requests concurrently: no global lock, enough workers and database connections. A server that handles one connection at a time, such as HTTPServer of Python, serves no other connection while one is open: use ThreadingHTTPServer. Answer 202 when the queue gets long.',
  },
  'crm-webhook/keeps-callers-apart': {
    section: 'CRM webhook answer',
    unprobed: 'answers-are-compared',
    level: 'must',
    statement: 'The answer to a lookup contains no data of another caller whose lookup arrives at the same moment.',
    remediation:
      'Keep the number that is looked up, and what was found, with its request, not in a variable of the module or in a shared connection.',
  },
  'crm-webhook/answers-each-caller-with-its-own-data': {
    section: 'CRM webhook answer',
    unprobed: 'answers-are-compared',
    level: 'should',
    statement:
      'The answer to the lookup of a caller contains no data of another caller: neither its record, whatever was looked up before, nor the summaries of its conversations.',
    remediation:
      'Check the condition on the phone number in the search, answer 204 when it finds nothing, and do not fall back to the first record or to one that an earlier lookup found. Keep summaries under the contact that they are about, not in a list that contacts share.',
  },
  'crm-webhook/accepts-lookups-at-once': {
    section: 'CRM webhook events',
    probe: 'timing',
    level: 'should',
    statement: 'Ten lookups that arrive at the same moment are each accepted.',
    remediation:
      'Keep everything that belongs to one lookup with its request, not in a variable of the module or the application, and let a lookup wait for a lock or a connection instead of failing on it.',
  },
  'crm-webhook/redelivery-has-the-same-outcome': {
    section: 'CRM webhook events',
    probe: 'deduplication',
    level: 'must',
    statement:
      'The same event sent again with the same callbackUrl leads to the same outcome: the service ends up with the same data.',
    remediation:
      'Store the outcome under callbackUrl and give it again, or compute it from data that the first delivery did not change. The repetition means that the first answer may not have arrived.',
  },
  'crm-webhook/redelivery-at-once-has-the-same-outcome': {
    section: 'CRM webhook events',
    probe: 'deduplication',
    level: 'must',
    statement: 'The same event, sent twice at the same moment, is answered both times, with the same outcome.',
    remediation:
      'Let the second request wait for the result of the first or compute it too, instead of failing on a lock or a unique key.',
  },
  'crm-webhook/redelivery-has-one-effect': {
    section: 'CRM webhook events',
    probe: 'deduplication',
    level: 'must',
    statement: 'The same event sent again with the same callbackUrl has no second effect.',
    remediation:
      'Put a unique key on callbackUrl and insert it in the same transaction as the effect; skip the effect when it is there.',
  },
  'crm-webhook/one-effect-after-a-crash': {
    section: 'CRM webhook events',
    unprobed: 'needs-earlier-exchanges',
    level: 'advice',
    statement:
      'An event that is repeated after the endpoint was killed between its effect and its answer has no second effect.',
    remediation:
      'Derive the Idempotency-Key of requests to API v1 from callbackUrl; store callbackUrl in one transaction with effects in your own database. If callbackUrl is stored before the effect, a crash in between loses the effect; if it is stored afterwards, a crash doubles the effect.',
  },
  'crm-webhook/accepts-null-members': {
    section: 'CRM webhook: contactData',
    probe: 'payload',
    level: 'must',
    statement: 'Every field of contactData and projectData that may be null is accepted when it is null.',
    remediation:
      'Declare these fields as nullable and test for null before using them; a new caller has hardly any of them.',
  },
  'crm-webhook/accepts-null-parts': {
    section: 'CRM webhook (the service calls the integrator)',
    probe: 'payload',
    level: 'advice',
    statement: 'An event whose contactData or projectData as a whole is null is answered normally.',
    remediation: 'Guard the access to both parts and answer 204 when the one you need is not there.',
  },
  'crm-webhook/accepts-missing-members': {
    section: 'CRM webhook: contactData',
    probe: 'payload',
    level: 'advice',
    statement: 'An event that omits fields that could be null is answered as if they were null.',
    remediation: 'Treat a field that is absent like one that is null; give it a default in the model.',
  },
  'crm-webhook/accepts-no-postal-addresses': {
    section: 'CRM webhook: contactData',
    probe: 'payload',
    level: 'must',
    statement: 'An empty list of postalAddresses is accepted.',
    remediation: 'Test the length of the list before taking its first or default entry.',
  },
  'crm-webhook/accepts-several-postal-addresses': {
    section: 'CRM webhook: contactData',
    probe: 'payload',
    level: 'must',
    statement: 'Several postalAddresses are accepted, with none, one or more of them marked as default.',
    remediation: 'Iterate over the list instead of expecting a single entry; choose the default one or else the first.',
  },
  'crm-webhook/accepts-appointment-data': {
    section: 'CRM webhook events',
    probe: 'payload',
    level: 'must',
    statement:
      'Appointment events are accepted with any permitted appointmentData: times null or set, metadata of any kind.',
    remediation:
      'Model appointmentData with nullable times and metadata as a map of strings to strings, and keep unusual keys from becoming properties or columns.',
  },
  'crm-webhook/accepts-unknown-members': {
    section: 'Versioning',
    probe: 'payload',
    level: 'should',
    statement: 'Fields of an event that the receiver does not know are ignored at every depth.',
    remediation: 'Switch off strict handling of unknown fields in the deserialiser or schema, also in nested objects.',
  },
  'crm-webhook/answers-any-valid-event': {
    section: 'CRM webhook answer',
    probe: 'payload',
    level: 'must',
    statement: 'Any event that fits the documented shape is answered 200, 202 or 204.',
    remediation:
      'Inspect the smallest event in the report: the difference from an accepted one is what your model, database column or text handling does not support.',
  },
  'crm-webhook/answers-long-and-large-values': {
    section: 'Resources and their fields',
    probe: 'payload',
    level: 'advice',
    statement: 'Long strings and large ids are answered like others, since the interface states no limit for them.',
    remediation:
      'Accept strings of any length and whole numbers up to 2^53-1, or cut long strings where you store them; the smallest event in the report shows the field that is too small.',
  },
  'crm-webhook/accepts-unknown-values': {
    section: 'Versioning',
    probe: 'payload',
    level: 'should',
    statement:
      'Values that the receiver does not know (a language, an address type, an appointment status or kind) are ignored.',
    remediation:
      'Read such fields as plain text and fall back to a default; do not map them to a closed list that throws.',
  },
  'crm-webhook/one-address-per-inbox': {
    section: 'CRM webhook events',
    level: 'should',
    statement: 'Several inboxes are distinguished by separate addresses or tokens, as events carry no inbox id.',
    remediation: 'Give each inbox its own path or token and derive the inbox from it.',
    unobservable: 'one address is under test; how many inboxes it serves is not visible from outside',
  },
  'crm-webhook/token-is-passed-on-safely': {
    section: 'Authentication',
    level: 'should',
    statement: 'The token is passed on safely, for example with a password manager, and not in a plain email.',
    remediation:
      'Share it through a password manager or secret store, and replace it when it was ever sent in the open.',
    unobservable: 'how a secret is shared is not visible in answers',
  },
  'crm-webhook/tests-in-an-inbox-of-their-own': {
    section: 'Authentication',
    level: 'advice',
    statement: 'Tests run in an inbox or organisation that exists for testing only.',
    remediation: 'Make a test inbox with its own address and token, and point the tests at it.',
    unobservable: 'events carry no inbox id, so the inbox cannot be identified',
  },
} as const satisfies Record<`crm-webhook/${string}`, Requirement>;

/** Requirements on the receiver of the CRM webhook. */
export const crmWebhook = { ...requests, ...crmWebhookAnswers };
