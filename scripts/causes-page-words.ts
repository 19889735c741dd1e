import type { SnippetTopic } from '../diagnosis/cause.ts';

/** Headings of the areas of causes, in the order of the page. */
export const areas = {
  config: 'Configured address and secret',
  network: 'DNS and network',
  tls: 'TLS',
  http: 'HTTP and the WebSocket upgrade',
  signature: 'Signatures',
  token: 'The bearer token',
  timing: 'Response times',
  payload: 'Event payloads',
  deduplication: 'Repeated deliveries',
  callback: 'Callbacks and replies after a 202',
  answer: 'Answers',
  phone: 'Phone calls',
} as const;

/** Title and description of each snippet topic. */
export const topics: Readonly<Record<SnippetTopic, { title: string; text: string }>> = {
  'verify-signature': {
    title: 'Verify a signature',
    text:
      'For own-AI chat; API webhooks are verified the same way, with the secret of their subscription. The signature is ' +
      'computed over the raw bytes as received, compared in constant time, and accepted within five minutes before or after ' +
      'the current time. The endpoint rejects every header that does not have the form `t=…,v1=…`, including a repeated header, ' +
      'without an exception. It parses the body only after that. Without a secret, the program does not start.',
  },
  'verify-call': {
    title: 'Verify a phone call',
    text:
      'The upgrade is signed over the call id in its header. Reject it before you answer it: to the service, a connection ' +
      'that is accepted and then closed looks like a lost call. PHP needs a separate process for calls; the snippet uses ' +
      'Workerman. Flask uses Flask-Sock, and Go uses gorilla/websocket.',
  },
  'check-token': {
    title: 'Check the bearer token',
    text: 'For the CRM webhook. The snippet compares the whole header in constant time, and answers 401 to everything else.',
  },
  'answer-in-time': {
    title: 'Answer in time',
    text:
      'For the CRM webhook. A caller waits at most two seconds for a lookup. A slower lookup gets a 202, and the answer ' +
      'follows once at `callbackUrl`: the lookup has its own timeout, and a repetition of the event joins the first one. The ' +
      'PHP snippet answers 204 instead, because a script cannot continue after its response in every environment.',
  },
  'call-back-once': {
    title: 'Call back exactly once',
    text:
      'For the CRM webhook. After a 202, send one POST to the unchanged `callbackUrl` of the event, with the same JSON as in a ' +
      '200, and without a token. The service may repeat the event with the same `callbackUrl`: answer it with 202, without a ' +
      'second callback or effect.',
  },
  'reply-later': {
    title: 'Reply to a chat message later',
    text:
      'For own-AI chat, if the model takes longer than the service waits. After a 202, send one POST to the unchanged ' +
      '`replyUrl` of the event, with the API key of the inbox. The event id is the key for deduplication: an event that a proxy ' +
      'repeats gets no second reply. A 409 means that the AI no longer has the conversation, so the answer is dropped.',
  },
  deduplicate: {
    title: 'Process a delivery once',
    text:
      'For API webhooks, by `X-Svc-Delivery-Id`. CRM events have no such header: identify them by their `callbackUrl`, as in ' +
      '[Call back exactly once](#call-back-exactly-once), and chat events by their id. Two simultaneous deliveries have one ' +
      'effect, and a delivery that failed can be repeated.',
  },
  'accept-any-event': {
    title: 'Accept any CRM event, and answer with JSON',
    text:
      'Events evolve: unknown fields, values and types are not errors. Documented fields can be null or missing. `eventType` ' +
      'is a name or, from before October 2026, a number. A library writes the JSON of the answer, with both flags as booleans ' +
      'and ids as strings; the answer is a 204 if there is no data to add.',
  },
  'answer-json': {
    title: 'Accept any chat message, and answer with JSON',
    text:
      'Types, values and fields that are unknown, null or missing are not errors; a ping has no data. A library writes the ' +
      'JSON and its content type, message text is truncated to its limit between characters, and the assistant stays quiet ' +
      'with a 204 while the team has the conversation.',
  },
  'stream-phone-answers': {
    title: 'Stream answers on the phone',
    text:
      'The endpoint sends an answer in pieces and ends it with `last: true`. An interruption, a new sentence or the end of the ' +
      'call stops the running answer at once, because the endpoint continues to read while it speaks. It ignores unknown ' +
      'frames. The service greets the caller, so the assistant waits for the first sentence.',
  },
};
