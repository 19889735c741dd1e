import type { SnippetTopic } from '../diagnosis/cause.ts';

/** Headings of the areas that causes belong to, in the order of the page. */
export const areas = {
  config: 'Address and secret as they were entered',
  network: 'The way to the endpoint',
  tls: 'The encrypted connection',
  http: 'The first answer',
  signature: 'The signature',
  token: 'The bearer token',
  timing: 'Time',
  payload: 'What an event holds',
  deduplication: 'Repeated deliveries',
  callback: 'What follows a 202',
  answer: 'The answer',
  phone: 'The phone call',
} as const;

/** What the snippets of a topic show. */
export const topics: Readonly<Record<SnippetTopic, { title: string; text: string }>> = {
  'verify-signature': {
    title: 'Verify a signature',
    text:
      'For own-AI chat; API webhooks are verified the same way with the secret of their subscription. The signature is ' +
      'computed over the bytes as they came, compared in constant time, and fresh within five minutes to both sides. ' +
      'Whatever does not have the one form `t=…,v1=…` is refused, a header that came twice as well, and never ends in an ' +
      'exception. Parsing comes after that. Without a secret the program does not start.',
  },
  'verify-call': {
    title: 'Verify a phone call',
    text:
      'The upgrade is signed over the call id of its header. It is refused before it is answered: a connection that is ' +
      'accepted and then closed looks to the service like a call that broke off. PHP needs a process of its own for ' +
      'calls; the snippet uses Workerman. Flask uses Flask-Sock, and Go gorilla/websocket.',
  },
  'check-token': {
    title: 'Check the bearer token',
    text: 'For the CRM webhook. The whole header is compared, in constant time, and everything else gets a 401.',
  },
  'answer-in-time': {
    title: 'Answer in time',
    text:
      'For the CRM webhook. A caller waits for a lookup two seconds at most. What takes longer becomes a 202, and the ' +
      'answer follows at `callbackUrl`, once: the lookup has a limit of its own, and the same event once more joins the ' +
      'first. The PHP snippet answers 204 instead, because a script cannot go on after its answer everywhere.',
  },
  'call-back-once': {
    title: 'Call back exactly once',
    text:
      'For the CRM webhook. After a 202, one POST to the `callbackUrl` of the event as it is, with the same JSON as a 200 ' +
      'would have, and without a token. The same event may come once more with the same `callbackUrl`: it gets a 202, no ' +
      'second callback and no second effect.',
  },
  'reply-later': {
    title: 'Reply to a chat message later',
    text:
      'For own-AI chat, where the model takes longer than the service waits. After a 202, one POST to the `replyUrl` of ' +
      'the event as it is, with the API key of the inbox. The id of the event is its key: an event that some proxy sends ' +
      'again has no second reply. A 409 says that the conversation is no longer ours, so the answer is dropped.',
  },
  deduplicate: {
    title: 'Take a delivery once',
    text:
      'For API webhooks, by `X-Svc-Delivery-Id`. CRM events have no such header: they are known again by their ' +
      '`callbackUrl`, as in [Call back exactly once](#call-back-exactly-once), and chat events by their id. ' +
      'Two at the same time have one effect, and one that failed may be tried again.',
  },
  'accept-any-event': {
    title: 'Take any CRM event, and answer with JSON',
    text:
      'Events grow: unknown fields, values and types are not errors. Fields that are documented can be null or missing. ' +
      '`eventType` comes as a name or, from before October 2026, as a number. The answer is JSON that a library writes, ' +
      'with both flags as booleans, ids as strings, and a 204 where there is nothing to add.',
  },
  'answer-json': {
    title: 'Take any chat message, and answer with JSON',
    text:
      'Types, values and fields that are unknown, null or missing are not errors; a ping has no data. ' +
      'A library writes the JSON and its content type, texts are cut to their limits between characters, and the assistant ' +
      'stays quiet with a 204 while the team has the conversation.',
  },
  'stream-phone-answers': {
    title: 'Speak on the phone',
    text:
      'An answer is sent in pieces and closed with `last: true`. An interruption, a new sentence or the end of the call ' +
      'stops the one that is running, at once. Reading goes on meanwhile. Unknown frames are ignored. The service greets, ' +
      'so the assistant waits for the first sentence.',
  },
};

/** The frameworks that snippets are written for: file of a topic, and name of the language for highlighting. */
export const frameworks: Readonly<Record<string, { file: string; language: string }>> = {
  Express: { file: 'express.js', language: 'js' },
  Fastify: { file: 'fastify.js', language: 'js' },
  Flask: { file: 'flask.py', language: 'python' },
  FastAPI: { file: 'fastapi.py', language: 'python' },
  PHP: { file: 'php.php', language: 'php' },
  Spring: { file: 'Spring.java', language: 'java' },
  'ASP.NET': { file: 'AspNet.cs', language: 'csharp' },
  Go: { file: 'main.go', language: 'go' },
};
