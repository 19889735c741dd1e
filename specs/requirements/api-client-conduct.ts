import type { Requirement } from './requirement.ts';

/** Requirements on a client across requests: repetition, refusals, pace, stored data. */
export const apiClientConduct = {
  'api-client/retry-keeps-its-key': {
    section: 'Limits',
    level: 'should',
    statement:
      'A message, note or skill that is sent again after no answer or a server error keeps its Idempotency-Key.',
    remediation:
      'Make the key once per request, before the first attempt, and store it with the job; do not make it inside the function that is retried.',
  },
  'api-client/retry-carries-a-key': {
    section: 'Limits',
    level: 'advice',
    statement:
      'A message, note or skill that is sent again after no answer or a server error had an Idempotency-Key from the start.',
    remediation:
      'Send Idempotency-Key with every message, note and skill that may be retried; without one the effect of the first attempt reaches the customer a second time.',
  },
  'api-client/retried-request-takes-effect-once': {
    section: 'Limits',
    level: 'should',
    statement:
      'A message, note, skill or logged message that was processed and is sent again because its answer did not arrive does not take effect a second time.',
    remediation:
      'Send each attempt with the same Idempotency-Key, a logged message with the same externalId; then the service processes it once.',
  },
  'api-client/another-request-has-another-key': {
    section: 'Limits',
    level: 'should',
    statement: 'A request does not reuse the Idempotency-Key of a different, accepted request of the same operation.',
    remediation:
      'Derive the key from what is sent or make a new random one per request. A constant, or the id of the customer or the process alone, makes the service drop the later requests.',
  },
  'api-client/operations-do-not-share-keys': {
    section: 'Limits',
    level: 'advice',
    statement: 'Messages, notes and skills do not share an Idempotency-Key.',
    remediation: 'Put the kind of request into the key, such as note-4711 and message-4711.',
  },
  'api-client/retried-log-entry-has-an-external-id': {
    section: 'API v1',
    level: 'advice',
    statement:
      'A logged message that is sent again after no answer or a server error had an externalId from the start.',
    remediation: 'Send the id of the message in your system as externalId; without it a retry shows the message twice.',
  },
  'api-client/retried-log-entry-keeps-its-external-id': {
    section: 'API v1',
    level: 'should',
    statement: 'A logged message that is sent again after no answer or a server error keeps its externalId.',
    remediation: 'Use the id that the message has in your system, not one that is made for each attempt.',
  },
  'api-client/another-log-entry-has-another-external-id': {
    section: 'API v1',
    level: 'should',
    statement: 'Different messages that are logged on one channel have different externalIds.',
    remediation:
      'Take the id of the single message, not that of the conversation or customer: the second message would not be stored.',
  },
  'api-client/drops-the-reply-after-409': {
    section: 'Errors',
    level: 'must',
    statement: 'An agent reply that was answered 409 is dropped and not sent again.',
    remediation: 'Exclude 409 from the statuses that your client or queue retries: the team has the conversation.',
  },
  'api-client/drops-the-skill-after-409': {
    section: 'Errors',
    level: 'should',
    statement: 'A skill that was answered 409 is not requested again at once.',
    remediation: 'Treat 409 as final for this turn: nothing runs while the team has the conversation.',
  },
  'api-client/does-not-repeat-what-was-refused': {
    section: 'Errors',
    level: 'advice',
    statement: 'A request that was refused with 400, 403, 404 or 422 is not sent again unchanged.',
    remediation:
      'Retry only what can succeed later unchanged: no answer, 5xx, 429. Log the code in title and correct the request.',
  },
  'api-client/requests-take-effect': {
    section: 'API v1',
    level: 'must',
    statement:
      'A request that cannot take effect (an unknown path, another method, a required field under another name, the Idempotency-Key of a different request) is also sent in a form that can.',
    remediation:
      'Compare method, path and field names with the table of API v1, and derive the Idempotency-Key from what is sent.',
  },
  'api-client/consent-refusal-is-not-worked-around': {
    section: 'What the service does',
    level: 'must',
    statement: 'A marketing message that was refused for lack of consent is not sent under another purpose.',
    remediation:
      'Stop at 403 and note that this customer has not agreed; never fall back to service or none with the same text.',
  },
  'api-client/promotion-is-sent-as-marketing': {
    section: 'What the service does',
    level: 'must',
    statement: 'Promotional messages are sent with the purpose marketing, which requires consent.',
    remediation: 'Set purpose to marketing for every campaign; service is for what the customer has asked for.',
    unobservable: 'whether a message is promotional depends on its meaning',
  },
  'api-client/waiting-message-is-not-sent-again': {
    section: 'Message (POST /v1/messages)',
    level: 'advice',
    statement: 'A message that was accepted and waits for the customer (waitingForReply) is not sent again.',
    remediation:
      'Treat 202 with waitingForReply as done: the message follows when the customer taps or replies. A second request becomes a second message.',
  },
  'api-client/tells-that-a-message-waits': {
    section: 'Message (POST /v1/messages)',
    level: 'advice',
    statement: 'The client shows its users when a message waits for the customer and has not arrived yet.',
    remediation: 'Show waitingForReply with the message in your system, instead of calling it delivered.',
    unobservable: 'what a client shows its users cannot be seen from the API',
  },
  'api-client/asks-for-no-skill-while-not-on': {
    section: 'Auto-reply of a conversation',
    level: 'should',
    statement: 'An agent reply names no skill after an earlier response has reported that auto-reply is not on.',
    remediation: 'Keep autoReply.state from the response, and omit executeSkills until it is on again: none would run.',
  },
  'api-client/at-most-60-requests-a-minute': {
    section: 'Limits',
    level: 'must',
    statement:
      'With one key, a client sends at most 60 requests a minute on average; a burst may use up one unused minute before it.',
    remediation:
      'Put all calls with the same key, agent replies included, behind one limiter of 60 a minute, in all processes together, and queue the rest.',
  },
  'api-client/at-most-60-in-any-minute': {
    section: 'Limits',
    level: 'should',
    statement: 'With one key, a client sends at most 60 requests in any span of one minute, wherever that span begins.',
    remediation:
      'Spread bulk work over time, such as one request a second; a limiter that counts per clock minute lets a double burst through at the turn of a minute.',
  },
  'api-client/waits-after-429': {
    section: 'Limits',
    level: 'advice',
    statement: 'A request that was refused with 429 is sent again only after the requested pause.',
    remediation: 'Read Retry-After of a 429 and wait that many seconds; wait longer each time when there is none.',
  },
  'api-client/contact-is-not-sent-again-unchanged': {
    section: 'Contact (API)',
    level: 'advice',
    statement: 'A contact whose id has been returned is not sent again as long as nothing about it has changed.',
    remediation:
      'Keep the id next to your own customer id and upsert only what changed; each upsert counts towards the rate of the key.',
  },
  'api-client/ids-are-of-their-kind': {
    section: 'Key responses',
    level: 'should',
    statement: 'The id of a contact is sent as contactId, and that of a project as projectId.',
    remediation:
      'Store contactId and projectId of each answer in separate fields; ids of contacts and projects are different numbers.',
  },
  'api-client/addresses-contacts-by-their-id': {
    section: 'Contact (API)',
    level: 'advice',
    statement: 'A contact whose id has been returned is addressed by contactId rather than by phone number.',
    remediation:
      'Store the id from POST /v1/contacts with your customer and send it as contactId; a number may change hands.',
  },
  'api-client/one-subscription-for-one-address': {
    section: 'Key responses',
    level: 'advice',
    statement: 'An address that has a subscription is not subscribed again for the same events.',
    remediation:
      'Store subscription and secret of the first response, which is the only one that contains them, and subscribe once and not at each start.',
  },
  'api-client/agent-secret-is-not-replaced-at-once': {
    section: 'Authentication',
    level: 'advice',
    statement: 'A secret that was just created for an assistant is not replaced at once.',
    remediation:
      'Create a secret once and store it: a new one invalidates it at once, and events signed with the old one fail.',
  },
  'api-client/reads-the-error-code-from-title': {
    section: 'Errors',
    level: 'should',
    statement: 'The code of an error is read from title of the problem details.',
    remediation: 'Compare title with the named codes; type and detail are for people and may change.',
    unobservable: 'which field of an answer a client reads is not visible in its requests',
  },
  'api-client/reads-times-without-zone-as-utc': {
    section: 'Appointment (API and webhook shape)',
    level: 'must',
    statement: 'start in responses is read as UTC though it has no zone suffix.',
    remediation: 'Attach UTC when you parse start; startLocal is the one to show unchanged.',
    unobservable: 'how a client interprets a time in a response is not visible in its requests',
  },
} as const satisfies Record<`api-client/${string}`, Requirement>;
