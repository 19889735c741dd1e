import type { Cause } from '../cause.ts';

const both = ['crm-webhook', 'api-webhooks'] as const;
const all = ['crm-webhook', 'api-webhooks', 'own-ai-chat'] as const;
const section = 'Events';
const snippet = 'deduplicate';
const twice = 'Now and then something is done twice: two notes, two callbacks, two replies.';
const lost = 'Now and then an event is missing, though it was answered with 200.';
const byKey =
  'Remember callbackUrl (CRM events) or X-Svc-Delivery-Id (API webhooks) under a unique key before you act, and nothing else.';
// The service makes one attempt for a chat event.
const byAnyKey =
  'Remember callbackUrl (CRM events) or X-Svc-Delivery-Id (API webhooks; in chat it is the id of the event) under a unique ' +
  'key before you act, and nothing else. The service sends a chat event once; what repeats it is a proxy or queue of yours.';

function cause(
  surfaces: Cause['surfaces'],
  symptom: string,
  summary: string,
  detection: string,
  remediation: string,
): Cause {
  return { surfaces, symptom, summary, detection, remediation, section, snippet };
}

/** Two different deliveries are taken for one. */
function mixing(what: string): Cause {
  return cause(
    both,
    lost,
    `The endpoint takes different events with the same ${what} for one.`,
    `A new event that shares only the ${what} with an earlier one has no effect, and one that shares all but that has.`,
    byKey,
  );
}

/** Causes about what an endpoint takes for the same delivery. */
export const deduplicationCauses = {
  'deduplication/none': cause(
    all,
    twice,
    'The endpoint does not know a delivery again: each one has its effect.',
    'The same delivery again has a second effect, one after the other and at once.',
    byAnyKey,
  ),
  'deduplication/only-while-at-work': cause(
    all,
    twice,
    'The endpoint forgets a delivery as soon as it has dealt with it.',
    'The same delivery twice at once has one effect, and later it has a second one.',
    'Keep the key for as long as the delivery may come again: some minutes at least, better a day.',
  ),
  'deduplication/at-once': cause(
    both,
    twice,
    'The endpoint takes two of the same deliveries at the same moment for two.',
    'The same delivery later has no second effect, and twice at once it has two.',
    'Store the key before the work, under a unique index, so that the second of two fails there; do not look first and store later.',
  ),
  'deduplication/signature': cause(
    ['api-webhooks', 'own-ai-chat'],
    twice,
    'The endpoint knows a delivery again by its signature, which is new each time.',
    'The very same bytes again have no second effect, and the same delivery signed anew has.',
    'Use X-Svc-Delivery-Id as the key; the signature changes with the time of sending.',
  ),
  'deduplication/body': cause(
    all,
    twice,
    'The endpoint knows a delivery again by the bytes of its body.',
    'The same delivery with other white space in its body has a second effect.',
    byAnyKey,
  ),
  'deduplication/timestamp': cause(
    all,
    twice,
    'The endpoint knows a delivery again by a time in its body.',
    'The same delivery with another time has a second effect, or another delivery of the same time has none.',
    byAnyKey,
  ),
  'deduplication/duplicate-refused': cause(
    all,
    'Deliveries that come again fail, with 409 or 500, and count as failed.',
    'The endpoint refuses a delivery that it has dealt with.',
    'The first delivery is accepted and the same again is not, twice, and new ones are accepted.',
    'Answer a delivery that comes again as you answered the first; a unique key that is there already is not an error.',
  ),
  'deduplication/answer-not-repeated': {
    ...cause(
      ['crm-webhook'],
      'After a lost answer the contact or case number never arrives.',
      'The endpoint answers an event that comes again without the data of its first answer.',
      'The first answer has data, and the answer to the same event again has none, twice.',
      'Keep the answer with the callbackUrl and give it again; the service asks again because it did not get the first.',
    ),
    snippet: 'answer-in-time',
  },
  'deduplication/contact': mixing('contact'),
  'deduplication/project': mixing('project'),
  'deduplication/appointment': mixing('appointment'),
  'deduplication/event-type': mixing('type'),
  'deduplication/content': mixing('content'),
} as const satisfies Record<`deduplication/${string}`, Cause>;

export type DeduplicationCauseId = keyof typeof deduplicationCauses;
