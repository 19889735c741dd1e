import type { Cause } from '../cause.ts';

const crm = ['crm-webhook'] as const;
const chat = ['own-ai-chat'] as const;
const both = ['crm-webhook', 'own-ai-chat'] as const;

const section = 'CRM webhook answer';
const replies = 'Own-AI chat event: message.received';
const onChat = { 'own-ai-chat': { section: replies } } as const;
const nothingArrives = 'The endpoint answers 202, but no callback or reply ever arrives.';
const asGiven = 'Use the address from the event unchanged, as one string: do not parse, decode or rebuild it.';

/** Causes of callbacks and replies that fail after a 202. */
export const callbackCauses = {
  'callback/without-query': {
    surfaces: crm,
    symptom: nothingArrives,
    summary: 'The endpoint sends the callback to callbackUrl without its query string.',
    detection:
      'Two events get 202; a request arrives at the path of callbackUrl without the part after the question mark.',
    remediation: asGiven,
    section,
    snippet: 'call-back-once',
  },
  'callback/address-altered': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'The endpoint sends the callback or reply to an altered form of the address from the event.',
    detection:
      'Two events get 202; a request arrives that contains the unique part of the given address, but does not match the address.',
    remediation: asGiven,
    section,
    onSurface: onChat,
    snippet: 'call-back-once',
  },
  'callback/wrong-place': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'The endpoint sends the callback or reply to the right host, but to an address that no event contains.',
    detection: 'Two events get 202; for each, a request arrives at our host on a path that no event contains.',
    remediation: asGiven,
    section,
    onSurface: onChat,
    snippet: 'call-back-once',
  },
  'callback/mixed-up': {
    surfaces: both,
    symptom: 'When several events arrive at a time, some get the data of others and some get nothing.',
    summary:
      'The endpoint sends the callbacks or replies for two simultaneous events to the address of only one of them.',
    detection:
      'Two events are sent together, twice; everything arrives at the address of one event and nothing at the address of the other. A chat message may get several replies, so for a chat it is only suspected.',
    remediation: 'Keep the address together with the event that contained it, not in a variable that all events share.',
    section,
    onSurface: onChat,
    snippet: 'call-back-once',
  },
  'callback/twice': {
    surfaces: crm,
    symptom: 'Data is applied twice, or the second callback is rejected.',
    summary: 'The endpoint sends more than one callback for one event.',
    detection: 'Two events get 202; each callbackUrl receives more than one POST, although the first was answered 200.',
    remediation: 'Record the event as done before you call back, and treat a 200 as success.',
    section,
    snippet: 'call-back-once',
  },
  'callback/after-answer': {
    surfaces: both,
    symptom: 'The same data or message arrives twice.',
    summary: 'The endpoint answers the event at once and sends the same answer again to callbackUrl or replyUrl.',
    detection: 'An event gets 200 (CRM: or 204), and a request still arrives at its address.',
    remediation: 'Answer either at once or later: send nothing more after a 200 with a body.',
    section,
    onSurface: onChat,
    snippet: 'call-back-once',
  },
  'callback/wrong-method': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'The callback or reply is not a POST request.',
    detection: 'Two events get 202; the correct address receives another method.',
    remediation:
      'Send a POST. If your client does so and another method arrives, a redirect or proxy changes it on the way.',
    section,
    onSurface: onChat,
    snippet: 'call-back-once',
  },
  'callback/empty-body': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'The callback or reply has no body.',
    detection: 'Two events get 202; the correct address receives a POST without a body.',
    remediation:
      'Send the answer as the JSON body of the POST, and check the name of the option that your HTTP client uses for the body.',
    section,
    onSurface: onChat,
    snippet: 'call-back-once',
  },
  'callback/token-sent': {
    surfaces: crm,
    symptom: 'No visible effect; the endpoint discloses a secret with every callback.',
    summary: 'The callback carries the webhook token or an API key, which it does not need.',
    detection: 'Two events get 202; the callback contains the token or an API key.',
    remediation: 'Omit Authorization and X-Api-Key when you post to callbackUrl; the address itself is the permission.',
    section: 'Authentication',
    snippet: 'call-back-once',
  },
  'callback/https-assumed': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'The endpoint speaks TLS to an address whose scheme is http.',
    detection: 'Two events get 202; our plain HTTP port receives the beginning of a TLS handshake and no request.',
    remediation: 'Use the scheme, host and port of the address as given; do not replace them with https: or 443.',
    section,
    onSurface: onChat,
  },
  'callback/malformed-request': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'The callback or reply is not valid HTTP.',
    detection: 'Two events get 202; our port receives bytes that are not HTTP/1.1, and no request.',
    remediation:
      'Use an HTTP library for the callback instead of a raw socket; look for line breaks in header values and a wrong Content-Length.',
    section,
    onSurface: onChat,
    snippet: 'call-back-once',
  },
  'callback/no-way-back': {
    surfaces: both,
    symptom: nothingArrives,
    summary:
      'The endpoint runs on another machine, but the callback address points to the machine that runs svc-conform.',
    detection: 'The address of the endpoint is not loopback, but the address of our callback server is.',
    remediation:
      'Set service.publicUrl to an address at which the endpoint can reach this machine, for example that of a tunnel.',
    section,
    onSurface: onChat,
  },
  'callback/public-url-broken': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'The public address of our callback server does not lead to it.',
    detection: 'Our own request to the address that the endpoint gets does not arrive.',
    remediation:
      'Start the tunnel or proxy behind service.publicUrl, and let it forward POST requests to service.host and service.port.',
    section,
    onSurface: onChat,
  },
  'callback/never-sent': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'The endpoint never sends the callback or reply that its 202 promises.',
    detection: 'Two events get 202; neither a request nor a connection arrives within the waiting time.',
    remediation:
      'Read the log of the work that starts after the 202: often it fails, or the runtime stops it once the response is sent.',
    section,
    onSurface: onChat,
    snippet: 'call-back-once',
  },
  'callback/not-yet': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'The callback or reply takes longer than the diagnosis waits.',
    detection:
      'Two events get 202, and nothing arrives within the waiting time, which is shorter than the limit of the interface.',
    remediation: 'Run svc-conform check, which waits the full five minutes.',
    section: 'Limits',
    onSurface: onChat,
  },
  'callback/kept-in': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'A firewall or proxy on the side of the endpoint blocks its outgoing requests.',
    detection: 'Two events get 202, the public address of our callback server works, and no connection arrives.',
    remediation:
      'Allow HTTPS connections from the endpoint to the host of callbackUrl or replyUrl, and configure its proxy for outgoing requests.',
    section,
    onSurface: onChat,
  },
  'callback/other-host': {
    surfaces: both,
    symptom: nothingArrives,
    summary: 'The endpoint sends the callback or reply to another host.',
    detection:
      'Two events get 202, and no connection arrives at the given host. If everything runs on one machine, the event is sent again with another name of that host in Host and X-Forwarded-Host; requests to that name confirm the cause. Any other host cannot be observed.',
    remediation: asGiven,
    section,
    onSurface: onChat,
  },
  'callback/reply-without-key': {
    surfaces: chat,
    symptom: 'Replies are rejected with 401.',
    summary: 'The reply has no API key.',
    detection: 'A message is answered later; the POST to replyUrl has neither X-Api-Key nor Authorization: Bearer.',
    remediation: 'Send the API key of the inbox as X-Api-Key.',
    section: 'Authentication',
    snippet: 'reply-later',
  },
  'callback/reply-key-elsewhere': {
    surfaces: chat,
    symptom: 'Replies are rejected with 401.',
    summary: 'The reply has the API key in a place that the service does not read.',
    detection:
      'A message is answered later; the POST to replyUrl contains the key, but not in X-Api-Key or after Authorization: Bearer.',
    remediation: 'Send the API key of the inbox as X-Api-Key, or in Authorization after the word Bearer and a space.',
    section: 'Authentication',
    snippet: 'reply-later',
  },
  'callback/reply-wrong-key': {
    surfaces: chat,
    symptom: 'Replies are rejected with 401.',
    summary: 'The reply has a key that is not the API key of the inbox.',
    detection: 'A message is answered later; the key of the POST to replyUrl differs from the key in the config.',
    remediation:
      'Create an API key in the inbox of the assistant and configure it in the endpoint; check for white space and quotes around it.',
    section: 'Authentication',
    snippet: 'reply-later',
  },
  'callback/reply-secret-as-key': {
    surfaces: chat,
    symptom: 'Replies are rejected with 401.',
    summary: 'The reply has the secret of the assistant in place of the API key.',
    detection: 'A message is answered later; the key of the POST to replyUrl is the secret that signs messages.',
    remediation:
      'Use an API key of the inbox (svc_sk_…) for replies; the secret only proves that messages come from the service.',
    section: 'Authentication',
    snippet: 'reply-later',
  },
  'callback/reply-twice': {
    surfaces: chat,
    symptom: 'The customer gets the same message twice.',
    summary: 'The endpoint sends the same reply twice.',
    detection:
      'A message is answered later; the same text arrives twice at its replyUrl, although the first request succeeded.',
    remediation: 'Send each reply once, treat 202 as success, and let only one worker handle a message.',
    section: replies,
    snippet: 'reply-later',
  },
} as const satisfies Record<`callback/${string}`, Cause>;
