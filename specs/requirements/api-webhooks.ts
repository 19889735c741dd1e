import { onSurface } from './requirement.ts';
import type { Requirement } from './requirement.ts';
import { signedDelivery } from './signed-delivery.ts';

/** Requirements on the receiver of signed appointment events. */
export const apiWebhooks = {
  ...onSurface('api-webhooks', signedDelivery),
  'api-webhooks/answers-200': {
    section: 'API webhook events',
    unprobed: 'message-shows-it',
    level: 'should',
    statement: 'A delivery that is accepted is answered 200 and not with another 2xx.',
    remediation: 'Set the status to 200 explicitly; frameworks often choose 201, 202 or 204 by themselves.',
  },
  'api-webhooks/refuses-with-401': {
    section: 'Errors',
    unprobed: 'message-shows-it',
    level: 'must',
    statement: 'A delivery with a stale time or a signature that does not match is refused with status 401.',
    remediation:
      'Answer 401 where the time or the comparison fails, instead of 400, 403 or a redirect. It is simplest to set the status in one place for the whole verification.',
  },
  'api-webhooks/refuses-with-4xx-if-unreadable': {
    section: 'Errors',
    unprobed: 'message-shows-it',
    level: 'must',
    statement: 'A delivery whose signature header is missing, empty or unreadable is refused with a 4xx status.',
    remediation:
      'Answer 401 (or another 4xx) where the header cannot be parsed into t and v1, instead of a redirect to a sign-in page.',
  },
  'api-webhooks/refuses-with-401-if-unreadable': {
    section: 'Errors',
    unprobed: 'message-shows-it',
    level: 'advice',
    statement: 'A delivery whose signature header is missing, empty or unreadable is refused with status 401.',
    remediation:
      'Answer 401 from every branch of the verification: missing, unreadable, invalid and stale alike, instead of 400 or 403.',
  },
  'api-webhooks/bad-signature-is-answered': {
    section: 'Errors',
    unprobed: 'message-shows-it',
    level: 'must',
    statement:
      'A bad signature gets an answer with a status below 500, not a server error, silence or a dropped connection.',
    remediation:
      'Catch what your parser and comparison throw on malformed input. Constant-time functions throw on unequal lengths, so test the length first and answer 401.',
  },
  'api-webhooks/refused-delivery-has-no-effect': {
    section: 'Authentication',
    unprobed: 'message-shows-it',
    level: 'must',
    statement:
      'A delivery that is refused for its signature or its time has no effect, nor does it keep a valid delivery with the same id from having its effect.',
    remediation:
      'Verify the signature and the time before the event is stored, queued or acted on, and before its id is remembered; do not start work and verify at the same time.',
  },
  'api-webhooks/handles-similar-deliveries': {
    section: 'API webhook events',
    probe: 'deduplication',
    level: 'should',
    statement:
      'Deliveries that resemble each other (same contact, same project, same appointment, same type, same second) are different deliveries, and each has its own effect.',
    remediation:
      'Recognise a repeated delivery by X-Svc-Delivery-Id alone, not by contact, project, appointment, type or time.',
  },
  'api-webhooks/accepts-every-event-type': {
    section: 'API webhook events',
    probe: 'payload',
    level: 'must',
    statement: 'Each of the six appointment event types is accepted.',
    remediation:
      'Give every type a branch, or answer 200 and ignore those you have no use for; do not let one run into an error.',
  },
  'api-webhooks/accepts-null-and-set-times': {
    section: 'Appointment (API and webhook shape)',
    probe: 'payload',
    level: 'must',
    statement: 'The four times that may be null are accepted both null and set, in any combination.',
    remediation:
      'Declare customerConfirmedAt, businessConfirmedAt, cancelledAt and finishedAt as nullable in your model and test for null before parsing them.',
  },
  'api-webhooks/accepts-metadata-with-unusual-keys': {
    section: 'Appointment (API and webhook shape)',
    probe: 'payload',
    level: 'must',
    statement: 'Metadata is accepted whatever its string keys and values look like, and also when it is empty.',
    remediation:
      'Read metadata into a map of strings to strings. Do not turn keys into properties, columns or paths; keys such as __proto__, an empty string or an emoji are allowed.',
  },
  'api-webhooks/accepts-events-out-of-order': {
    section: 'API webhook events',
    unprobed: 'order-decides',
    level: 'must',
    statement: 'An event is accepted even when it arrives before an earlier one.',
    remediation:
      'Store the appointment as the event carries it, and create it when it is not known yet. Use updatedAt to decide which state is newer.',
  },
  'api-webhooks/accepts-unknown-members': {
    section: 'Versioning',
    probe: 'payload',
    level: 'should',
    statement: 'Fields that the receiver does not know are ignored, in the envelope and in the appointment.',
    remediation: 'Switch off strict handling of unknown fields in the deserialiser or schema, at every depth.',
  },
  'api-webhooks/accepts-later-event-type': {
    section: 'API webhook events',
    probe: 'payload',
    level: 'should',
    statement: 'A verified delivery whose event type was added later is answered with a 2xx and ignored.',
    remediation:
      'Give the switch on type a default branch that answers 200 without doing anything; keep types as text, not as a closed enumeration.',
  },
  'api-webhooks/accepts-any-valid-event': {
    section: 'API webhook events',
    probe: 'payload',
    level: 'must',
    statement: 'Any event that fits the documented shape is accepted.',
    remediation:
      'Inspect the smallest event in the report: the difference from an accepted one is what your model, database column or text handling does not support.',
  },
  'api-webhooks/accepts-long-and-large-values': {
    section: 'Resources and their fields',
    probe: 'payload',
    level: 'advice',
    statement: 'Long strings and large ids are accepted like others, since the interface states no limit for them.',
    remediation:
      'Accept strings of any length and whole numbers up to 2^53-1, or cut long strings where you store them; the smallest event in the report shows the field that is too small.',
  },
  'api-webhooks/accepts-unknown-values': {
    section: 'Versioning',
    probe: 'payload',
    level: 'should',
    statement: 'An appointment status or kind that the receiver does not know is ignored.',
    remediation:
      'Read status and kind as plain text and handle an event with an unknown one as if the field were absent; do not map them to a closed list that throws.',
  },
  'api-webhooks/reads-start-as-utc': {
    section: 'Appointment',
    level: 'must',
    statement: 'start is read as UTC and startLocal as local time, though neither has a zone suffix.',
    remediation: 'Attach UTC to start explicitly when parsing it; show startLocal unchanged, without converting it.',
    unobservable: 'how an endpoint interprets a time is not visible in its answer',
  },
  'api-webhooks/accepts-redelivery': {
    section: 'API webhook events',
    probe: 'deduplication',
    level: 'must',
    statement: 'A delivery that is repeated later with the same X-Svc-Delivery-Id is accepted again.',
    remediation:
      'Answer a delivery id that you know with 200 and do nothing more; a unique-key error of the database is no reason to answer 409 or 500.',
  },
  'api-webhooks/accepts-redelivery-at-once': {
    section: 'API webhook events',
    probe: 'deduplication',
    level: 'must',
    statement: 'Two deliveries with the same X-Svc-Delivery-Id at the same moment are both accepted.',
    remediation:
      'Let the insertion of the delivery id decide which request does the work, and answer 200 to the other one too, without waiting for locks that can time out.',
  },
  'api-webhooks/accepts-deliveries-at-once': {
    section: 'API webhook events',
    probe: 'timing',
    level: 'must',
    statement: 'Different deliveries at the same moment are each accepted.',
    remediation:
      'Keep the raw body and everything else that belongs to one delivery with its request, not in a variable of the module or the application, and let a delivery wait for a lock instead of failing on it.',
  },
  'api-webhooks/accepts-reliably': {
    section: 'API webhook events',
    unprobed: 'needs-earlier-exchanges',
    level: 'should',
    statement:
      'A valid delivery is accepted every time: no answer to it is an error while the same content is accepted at another time.',
    remediation:
      'Keep everything that belongs to one request with it, let a request wait for a lock or a connection of a pool instead of failing on it, and retry what fails for a moment, such as a deadlock. The log of the endpoint shows what failed at that time.',
  },
  'api-webhooks/needs-no-pause-at-once': {
    section: 'API webhook events',
    unprobed: 'message-shows-it',
    level: 'should',
    statement:
      'A few deliveries at the same moment are accepted without a request for a pause (429, or 503 with Retry-After).',
    remediation:
      'Wait for the lock, or put deliveries into a queue, instead of answering 429 or 503: the interface does not state that such a delivery is sent again.',
  },
  'api-webhooks/redelivery-has-one-effect': {
    section: 'API webhook events',
    probe: 'deduplication',
    level: 'must',
    statement: 'A delivery that is repeated later with the same X-Svc-Delivery-Id has no second effect.',
    remediation:
      'Keep each X-Svc-Delivery-Id in durable storage, in the same transaction as its effect, and skip the effect when the id is already there.',
  },
  'api-webhooks/redelivery-at-once-has-one-effect': {
    section: 'API webhook events',
    probe: 'deduplication',
    level: 'must',
    statement: 'Two deliveries with the same X-Svc-Delivery-Id at the same moment have one effect.',
    remediation:
      'Put a unique key on the delivery id and insert it before the effect. Looking it up first and inserting it later lets both requests through.',
  },
  'api-webhooks/one-effect-after-a-crash': {
    section: 'API webhook events',
    unprobed: 'needs-earlier-exchanges',
    level: 'advice',
    statement:
      'A delivery that is repeated after the endpoint was killed between its effect and its answer has no second effect.',
    remediation:
      'Derive the Idempotency-Key of requests to API v1 from the delivery id; store the id in one transaction with effects in your own database. If the id is stored before the effect, a crash in between loses the effect; if it is stored afterwards, a crash doubles the effect.',
  },
  'api-webhooks/keeps-the-secret': {
    section: 'Authentication',
    level: 'must',
    statement: 'The secret of a subscription is stored when it is created, since it is shown only once.',
    remediation:
      'Store the secret from the response of POST /v1/webhooks in your secret store at once; when it is lost, make a new subscription.',
    unobservable: 'where an integrator stores a secret is not visible in its answers',
  },
  'api-webhooks/address-is-https': {
    section: 'API v1',
    level: 'must',
    statement: 'The address that is subscribed is an https address.',
    remediation: 'Put a TLS certificate in front of the endpoint and subscribe its https address.',
    unobservable: 'the address under test is often a local one; the subscribed address is known only to the service',
  },
} as const satisfies Record<`api-webhooks/${string}`, Requirement>;
