/** Reason why it is correct that an endpoint that does nothing meets a requirement. */
export interface PassReason {
  readonly title: string;
  readonly why: string;
  /** The requirements, by their ids. */
  readonly ids: RegExp;
  /** The endpoints to which the reason applies; absent: all. */
  readonly endpoints?: readonly string[];
}

const echo = '200 with the body of the request';

const reasons: readonly PassReason[] = [
  {
    title: 'It accepted the delivery',
    why: 'The requirement asks for a successful status (2xx), and the endpoint answered with one. Because it accepts invalid tokens and signatures as well, it fails the `refuses-…` requirements of the same surface.',
    ids: /^(?:crm-webhook|api-webhooks|own-ai-chat)\/(?:accepts-[\w-]+|answers-(?:any-valid-event|every-event|long-and-large-values|messages|ping|unknown-crm-ids)|needs-no-pause-at-once)$/,
  },
  {
    title: 'It answered a delivery with invalid credentials',
    why: 'The requirement asks for an answer that is not a server error (5xx). Whether the delivery is refused is judged by `refuses-…`, which these endpoints fail.',
    ids: /\/bad-(?:signature|token)-is-answered$/,
  },
  {
    title: 'It answered in time',
    why: 'The complete answer arrived within the limit.',
    ids: /(?:-within-two-seconds|\/answers-in-time[\w-]*)$/,
  },
  {
    title: 'It answered with the status that the interface names',
    why: 'The requirement is about the status and the presence of a body, and this is what it asks for.',
    ids: /\/(?:answers-200|answers-with-a-listed-status|answers-now-or-by-callback|no-content-has-no-body|answer-is-not-in-202-or-204|unknown-event-(?:name|number)-204)$/,
  },
  {
    title: 'Its answer has the required form',
    why: 'The requirement is about the form or the size of an answer that was received: a JSON object, or a body within the limit. That the answer has no usable content is judged by other requirements.',
    ids: /\/(?:answer-is-a-json-object|answer-within-64-kb|answer-within-64000-bytes|no-byte-order-mark)$/,
    endpoints: ['200 {}', '200 with an HTML page', echo],
  },
  {
    title: 'The repeated request happens to have what the requirement asks for',
    why: 'An event has contact data under the names that answers use, and the name of one contact only. That the flag of the contact data is missing fails `names-the-flag-of-each-part`.',
    ids: /^(?:crm-webhook\/answers-with-documented-fields|own-ai-chat\/keeps-conversations-apart)$/,
    endpoints: [echo],
  },
  {
    title: 'It accepted the call',
    why: 'Every connection was established in time, correctly signed ones included, stayed open while sentences were sent, and was closed properly. The endpoint fails `answers-a-prompt` and the `refuses-…` requirements.',
    ids: /^own-ai-phone\/(?:connects-within-5-seconds|accepts-valid-signature|accepts-timestamp-inside-tolerance|keeps-the-call-open|closes-with-the-service)$/,
    endpoints: ['silent call'],
  },
];

/** The reason why this pass is correct; `undefined` if there is none. */
export function reasonFor(id: string, endpoint: string): PassReason | undefined {
  return reasons.find(({ ids, endpoints }) => ids.test(id) && (endpoints?.includes(endpoint) ?? true));
}
