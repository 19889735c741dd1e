import type { Cause } from '../cause.ts';

const crm = ['crm-webhook'] as const;
const chat = ['own-ai-chat'] as const;
const both = ['crm-webhook', 'own-ai-chat'] as const;

const section = 'CRM webhook answer';
const replies = 'Own-AI chat event: message.received';
const nothingArrives = 'The endpoint answers 202, and nothing more ever arrives.';
const asGiven = 'Use the address of the event exactly as it is given, as one text: do not parse, decode or rebuild it.';

/** Causes about what should follow a 202. */
export const callbackCauses = {
  'callback/without-query': {
    surfaces: crm,
    symptom: nothingArrives,
    summary: 'The callback goes to callbackUrl without its query.',
    detection:
      'Two events are answered 202; to the path of callbackUrl comes a request that lacks what stands behind the question mark.',
    remediation: asGiven,
    section,
    snippet: 'call-back-once',
  },
  'callback/address-altered': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'What follows the 202 goes to an address that is not quite the one that was given.',
    detection:
      'Two events are answered 202; a request comes that bears the mark of the given address and differs from it.',
    remediation: asGiven,
    section,
    snippet: 'call-back-once',
  },
  'callback/wrong-place': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'What follows the 202 goes to our host, but to an address that was not given.',
    detection: 'Two events are answered 202; each time a request comes to a path of ours that stands in no event.',
    remediation: asGiven,
    section,
    snippet: 'call-back-once',
  },
  'callback/mixed-up': {
    surfaces: both,
    symptom: 'With several events at a time, some get the data of others and some get nothing.',
    summary: 'What follows two events that come together goes to the address of only one of them.',
    detection:
      'Two events are sent together, twice; all that follows arrives at the address of one and nothing at that of the other.',
    remediation: 'Keep the address with the event that it came in, not in a variable that all events share.',
    section,
    snippet: 'call-back-once',
  },
  'callback/twice': {
    surfaces: crm,
    symptom: 'Data is applied twice, or the second callback is refused.',
    summary: 'One event gets more than one callback.',
    detection:
      'Two events are answered 202; each callbackUrl receives more than one POST, though the first was answered 200.',
    remediation: 'Note the event as done before you call back, and take a status of 200 for success.',
    section,
    snippet: 'call-back-once',
  },
  'callback/after-answer': {
    surfaces: both,
    symptom: 'The same arrives twice.',
    summary: 'What the answer has said already is sent to the address for later answers as well.',
    detection: 'An event is answered 200 (CRM: or 204), and yet a request comes to its address.',
    remediation: 'Either answer at once or later: send nothing more after a 200 with a body.',
    section,
    snippet: 'call-back-once',
  },
  'callback/wrong-method': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'What follows the 202 is not a POST.',
    detection: 'Two events are answered 202; the right address receives another method.',
    remediation:
      'Send a POST. If your client does so and something else arrives, a redirect or a proxy in between changes it.',
    section,
    snippet: 'call-back-once',
  },
  'callback/empty-body': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'What follows the 202 has no body.',
    detection: 'Two events are answered 202; the right address receives a POST without a body.',
    remediation:
      'Send the answer as the JSON body of the POST, and look whether your client takes the body under the name that you give it.',
    section,
    snippet: 'call-back-once',
  },
  'callback/token-sent': {
    surfaces: crm,
    symptom: 'Nothing at first; the token is sent out with every callback.',
    summary: 'The callback carries the webhook token, which it does not need.',
    detection: 'Two events are answered 202; the callback holds the token.',
    remediation: 'Leave Authorization out when you post to callbackUrl; the address itself is the permission.',
    section: 'Authentication',
    snippet: 'call-back-once',
  },
  'callback/https-assumed': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'TLS is spoken to an address that begins with http:.',
    detection:
      'Two events are answered 202; at our plain port arrives the beginning of a TLS handshake and no request.',
    remediation:
      'Take the scheme, host and port of the address as they are given; do not put https: or 443 in their place.',
    section,
  },
  'callback/malformed-request': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'What arrives after the 202 is not a request that HTTP allows.',
    detection: 'Two events are answered 202; at our port arrive bytes that are no HTTP/1.1, and no request.',
    remediation:
      'Use an HTTP library for the callback and not a socket; look for line ends in header values and a wrong Content-Length.',
    section,
    snippet: 'call-back-once',
  },
  'callback/no-way-back': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'The endpoint is on another machine, and the address that it is given leads to the machine that asks.',
    detection: 'The address of the endpoint is not loopback, and that of our inbox is.',
    remediation:
      'Set service.publicUrl to an address under which the endpoint reaches this machine, for example that of a tunnel.',
    section,
  },
  'callback/public-url-broken': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'The public address of our inbox does not lead to it.',
    detection: 'A request of our own to the address that is given to the endpoint does not arrive.',
    remediation:
      'Start the tunnel or proxy behind service.publicUrl, and let it pass POST requests on to service.host and service.port.',
    section,
  },
  'callback/never-sent': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'Nothing follows the 202.',
    detection: 'Two events are answered 202; neither a request nor a connection arrives in the time that is waited.',
    remediation:
      'Look into the log of the work that begins after the 202: often it fails, or the runtime stops it once the answer is out.',
    section,
    snippet: 'call-back-once',
  },
  'callback/not-yet': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'What follows the 202 takes longer than was waited for.',
    detection:
      'Two events are answered 202, and nothing arrives in the time that is waited, which is shorter than what the interface allows.',
    remediation: 'Run check, which waits for the whole five minutes.',
    section: 'Limits',
  },
  'callback/kept-in': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'A firewall or proxy on the side of the endpoint does not let its requests out.',
    detection: 'Two events are answered 202, the public address of our inbox works, and no connection arrives.',
    remediation:
      'Let the endpoint make HTTPS connections to the host of callbackUrl or replyUrl, and set its proxy for outgoing requests.',
    section,
  },
  'callback/other-host': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'What follows the 202 goes to another host, which we cannot see.',
    detection: 'Two events are answered 202, and no connection arrives at the host that was given.',
    remediation: asGiven,
    section,
  },
  'callback/reply-without-key': {
    surfaces: chat,
    symptom: 'Replies are refused with 401.',
    summary: 'The reply carries no API key.',
    detection: 'A message is answered later; the POST to replyUrl has neither X-Api-Key nor Authorization: Bearer.',
    remediation: 'Send the API key of the inbox as X-Api-Key.',
    section: 'Authentication',
    snippet: 'reply-later',
  },
  'callback/reply-key-elsewhere': {
    surfaces: chat,
    symptom: 'Replies are refused with 401.',
    summary: 'The reply carries the API key in a place where it is not looked for.',
    detection:
      'A message is answered later; the POST to replyUrl holds the key, but not in X-Api-Key or behind Authorization: Bearer.',
    remediation:
      'Send the API key of the inbox as X-Api-Key, or as Authorization with the word Bearer and a space before it.',
    section: 'Authentication',
    snippet: 'reply-later',
  },
  'callback/reply-wrong-key': {
    surfaces: chat,
    symptom: 'Replies are refused with 401.',
    summary: 'The reply carries another key than the API key of the inbox.',
    detection: 'A message is answered later; the key of the POST to replyUrl is not that of the config.',
    remediation:
      'Create an API key in the inbox that the assistant belongs to and give it to the endpoint; look for white space and quotes around it.',
    section: 'Authentication',
    snippet: 'reply-later',
  },
  'callback/reply-secret-as-key': {
    surfaces: chat,
    symptom: 'Replies are refused with 401.',
    summary: 'The reply carries the secret of the assistant in the place of the API key.',
    detection: 'A message is answered later; the key of the POST to replyUrl is the secret that signs messages.',
    remediation:
      'The secret proves that messages come from the service; replies need an API key of the inbox (svc_sk_…).',
    section: 'Authentication',
    snippet: 'reply-later',
  },
  'callback/reply-twice': {
    surfaces: chat,
    symptom: 'The customer gets the same text twice.',
    summary: 'The same reply is sent twice.',
    detection: 'A message is answered later; the same text arrives at its replyUrl twice, though the first was taken.',
    remediation: 'Send each reply once, take 202 for success, and let one worker alone handle a message.',
    section: replies,
    snippet: 'reply-later',
  },
} as const satisfies Record<`callback/${string}`, Cause>;
