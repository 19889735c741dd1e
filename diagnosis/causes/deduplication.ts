import type { Cause } from '../cause.ts';
import { everyRequirement } from '../explained-requirements.ts';

const both = ['crm-webhook', 'api-webhooks'] as const;
const all = ['crm-webhook', 'api-webhooks', 'own-ai-chat'] as const;
const section = 'Events';
const snippet = 'deduplicate';
const twice = 'Occasionally an event has its effect twice: two notes, two callbacks, two replies.';
const lost = 'Occasionally an event has no effect, although it was answered with 200.';
/** Keys of deliveries, by surface. */
const keys = {
  'crm-webhook': 'callbackUrl',
  'api-webhooks': 'X-Svc-Delivery-Id',
  'own-ai-chat': 'the id of the event (X-Svc-Delivery-Id)',
} as const;
const byKey = (key: string) =>
  `Store ${key} as a unique key before you process the event, and use no other field for this.`;
const byAnyKey = byKey('callbackUrl (CRM events) or X-Svc-Delivery-Id (API webhooks and chat)');
// The service makes one attempt for a chat event.
const ofChat = 'The service sends a chat event once; a repetition comes from your own proxy or queue.';
const byOwnKey = {
  'crm-webhook': { remediation: byKey(keys['crm-webhook']) },
  'api-webhooks': { remediation: byKey(keys['api-webhooks']) },
  'own-ai-chat': { remediation: `${byKey(keys['own-ai-chat'])} ${ofChat}` },
} satisfies Cause['onSurface'];

function cause(
  surfaces: Cause['surfaces'],
  symptom: string,
  summary: string,
  detection: string,
  remediation: string,
  explains?: RegExp,
): Cause {
  return { surfaces, explains, symptom, summary, detection, remediation, section, snippet };
}

/** The endpoint does not use the key of its surface. */
function withoutKey(
  surfaces: Cause['surfaces'],
  symptom: string,
  summary: string,
  detection: string,
  explains?: RegExp,
): Cause {
  return { ...cause(surfaces, symptom, summary, detection, byAnyKey, explains), onSurface: byOwnKey };
}

/** The endpoint treats two different deliveries as one. */
function mixing(what: string): Cause {
  return withoutKey(
    both,
    lost,
    `The endpoint treats different events with the same ${what} as one.`,
    `A new event that shares only the ${what} with an earlier one has no effect; one that shares everything except the ${what} has one.`,
  );
}

/** Causes in how an endpoint recognises repeated deliveries. */
export const deduplicationCauses = {
  'deduplication/none': withoutKey(
    all,
    twice,
    'The endpoint does not detect repeated deliveries: each one takes effect.',
    'The same delivery has a second effect, both when repeated later and when sent twice at the same time.',
    everyRequirement,
  ),
  'deduplication/only-while-at-work': cause(
    all,
    twice,
    'The endpoint forgets a delivery as soon as it has processed it.',
    'The same delivery sent twice at the same time has one effect; repeated later, it has a second one.',
    'Keep the key for as long as the delivery can be repeated: at least some minutes, preferably a day.',
  ),
  'deduplication/at-once': cause(
    both,
    twice,
    'The endpoint processes both of two identical deliveries that arrive at the same time.',
    'The same delivery repeated later has no second effect; sent twice at the same time, it has two.',
    'Store the key before the work, under a unique index, so that the second of two deliveries fails there; do not check first and store later.',
  ),
  'deduplication/signature': cause(
    ['api-webhooks', 'own-ai-chat'],
    twice,
    'The endpoint identifies deliveries by their signature, which is new each time.',
    'The same bytes repeated have no second effect; the same delivery with a new signature has one.',
    'Use X-Svc-Delivery-Id as the key; the signature changes with the sending time.',
  ),
  'deduplication/body': withoutKey(
    all,
    twice,
    'The endpoint identifies deliveries by the bytes of their body.',
    'The same delivery with different white space in its body has a second effect: a suspicion, since the interface does not show whether a repetition may differ.',
  ),
  'deduplication/timestamp': withoutKey(
    all,
    twice,
    'The endpoint identifies deliveries by a time in their body.',
    'Another delivery with the same time has no effect. If the same delivery with another time has a second one, this is a suspicion, since the interface does not show whether a repetition may differ.',
  ),
  'deduplication/duplicate-refused': cause(
    all,
    'Repeated deliveries fail with 409 or 500 and count as failed.',
    'The endpoint rejects a delivery that it has already processed.',
    'Accepted: new deliveries and the first of two identical ones. Rejected: the repetition, twice.',
    'Give a repeated delivery the same answer as the first; an existing unique key is not an error.',
  ),
  'deduplication/answer-not-repeated': {
    ...cause(
      ['crm-webhook'],
      'After a lost answer, the contact or case number never arrives.',
      'The endpoint answers a repeated event without the data of its first answer.',
      'The first answer has data; the answer to the same event repeated has none, twice.',
      'Store the answer with the callbackUrl and send it again; the service repeats the event because it did not get the first answer.',
    ),
    snippet: 'answer-in-time',
  },
  'deduplication/contact': mixing('contact'),
  'deduplication/one-per-contact': {
    ...cause(
      ['crm-webhook', 'own-ai-chat'],
      'The first event of a customer works; for a while, further ones are refused or get no data.',
      'The endpoint handles only the first event of a contact: it refuses later ones, or answers them without data, for a while.',
      'Accepted: the first event of a contact that the endpoint has not seen before. Rejected, or answered without data: the next event of the same contact, with another id. Both were observed for two contacts.',
      'Let an event wait for the earlier one of its contact, or handle both: a lock or a cache by contact must not refuse or drop the next event. Recognise repetitions by callbackUrl (CRM events) or by the id of the event (chat).',
      /^(?:accepts-(?!the-token|valid-signature|timestamp-)|answers-(?!in-time)|handles-similar-)/,
    ),
    explainsOtherProbes: true,
  },
  'deduplication/project': mixing('project'),
  'deduplication/appointment': mixing('appointment'),
  'deduplication/event-type': mixing('type'),
  'deduplication/content': mixing('content'),
} as const satisfies Record<`deduplication/${string}`, Cause>;

export type DeduplicationCauseId = keyof typeof deduplicationCauses;
