import type { Cause } from '../cause.ts';

const all = ['own-ai-chat', 'own-ai-phone', 'crm-webhook', 'api-webhooks'] as const;
const posts = ['own-ai-chat', 'crm-webhook', 'api-webhooks'] as const;
const phone = ['own-ai-phone'] as const;
const endpoints = 'Endpoints';
const ownAi = 'Own-AI endpoints (the service calls the integrator)';

/** Causes about the answer to a request or upgrade, before anything of the interface is looked at. */
export const httpCauses = {
  'http/redirects': {
    surfaces: all,
    symptom: 'Every delivery fails with status 301, 302, 303, 307 or 308; in a browser the address works.',
    summary: 'The address only leads on to another one, and the service follows no redirect.',
    detection: 'A correct request is answered with a redirect.',
    remediation: 'Enter the address at the end of the redirect, letter for letter (scheme, www, slash at the end).',
    section: endpoints,
  },
  'http/redirects-to-login': {
    surfaces: all,
    symptom: 'Every delivery fails with status 302 or 303 and leads to a login page.',
    summary: 'Something in front of the endpoint sends everybody who is not signed in to a login page.',
    detection: 'A correct request is answered with a redirect to an address of a login.',
    remediation: 'Take this path out of the login of the framework or proxy; the signature or token proves who calls.',
    section: endpoints,
  },
  'http/path-not-found': {
    surfaces: all,
    symptom: 'Every delivery fails with status 404; the server runs.',
    summary: 'The server knows no such path.',
    detection:
      'A correct request gets the same 404 page of the server as a path that nobody has, and so do other methods.',
    remediation:
      'Correct the path in the address, or register the route under exactly this path (prefixes and the slash at the end count).',
    section: endpoints,
  },
  'http/method-not-allowed': {
    surfaces: all,
    symptom: 'Every delivery fails with status 405 or 501.',
    summary: 'The path is there, and does not take this method.',
    detection: 'A correct request is answered with 405 or 501.',
    remediation: 'Register the handler for POST at this path; a phone address needs GET with a WebSocket upgrade.',
    section: endpoints,
  },
  'http/media-type-refused': {
    surfaces: posts,
    symptom: 'Every delivery fails with status 415.',
    summary: 'The endpoint does not take application/json.',
    detection: 'A correct request is answered with 415.',
    remediation: 'Let the route take Content-Type: application/json (and read the raw body there before it is parsed).',
    section: endpoints,
    snippet: 'verify-signature',
  },
  'http/too-large': {
    surfaces: all,
    symptom: 'Deliveries fail with status 413, 414 or 431, long ones first.',
    summary: 'The server refuses a delivery of the usual size as too large.',
    detection: 'A correct request of the usual size is answered with 413, 414 or 431.',
    remediation:
      'Raise the limit for bodies and headers of the server, the proxy and the body parser; a chat event with its history has tens of kilobytes.',
    section: endpoints,
  },
  'http/length-wanted': {
    surfaces: posts,
    symptom: 'Every delivery fails with status 411.',
    summary: 'The server wants a Content-Length and does not accept the one that comes.',
    detection: 'A correct request that says its length is answered with 411.',
    remediation: 'See which proxy takes the length away or refuses the body, and let it pass on what it receives.',
    section: endpoints,
  },
  'http/gateway': {
    surfaces: all,
    symptom: 'Every delivery fails with status 502, 503, 504 or 52x, mostly with a page of the proxy.',
    summary: 'A proxy answers, and gets nothing from the application behind it.',
    detection: 'A correct request is answered with a status of gateways, twice, and so is a path that nobody has.',
    remediation: 'Start the application, and let the proxy lead to its address and port; its error log has the reason.',
    section: endpoints,
  },
  'http/application-fails': {
    surfaces: all,
    symptom: 'Every delivery fails with status 500.',
    summary: 'The application fails at every request, also at those that have nothing to do with the interface.',
    detection: 'A correct request, a plain GET and a path that nobody has are all answered with 500.',
    remediation:
      "Read the application's error log: it fails before any handler, often over a missing setting or dependency.",
    section: endpoints,
  },
  'http/crashes': {
    surfaces: all,
    symptom:
      'Some deliveries fail with a closed connection, and for a moment, or until it is started by hand, nothing listens at the address.',
    summary:
      'The process of the endpoint ends while it handles a delivery, so the connection closes without an answer.',
    detection:
      'The connection of one delivery is closed without an answer and the next connection is refused; when the endpoint listens again, the same delivery, sent alone, ends it again.',
    remediation:
      'Read the log of the process at this moment and catch the exception in the handler, so that one request never ends the process. A usual reason is a constant-time comparison (timingSafeEqual in Node) that throws on values of different length: compare the lengths first and refuse.',
    section: endpoints,
    snippet: 'verify-signature',
  },
  'http/tunnel-closed': {
    surfaces: all,
    symptom: 'Every delivery fails with status 404, 502 or 530 and a page of a tunnel service.',
    summary: 'The address belongs to a tunnel that is not open.',
    detection: "The answer is the tunnel service's own page or header for a tunnel without a client.",
    remediation:
      'Start the tunnel again and enter the address that it has now; addresses of free tunnels change at every start.',
    section: endpoints,
  },
  'http/no-such-app': {
    surfaces: all,
    symptom: 'Every delivery fails with status 404 and a page of the hosting service.',
    summary: 'The hosting service has no application under this host name.',
    detection: "The answer is the hosting service's own page or header for a name without an application.",
    remediation: 'Deploy the application again, or enter the host name that it has now.',
    section: endpoints,
  },
  'http/rate-limited': {
    surfaces: all,
    symptom: 'Every delivery fails with status 429.',
    summary: 'A request limit in front of the endpoint, or in it, is used up or far too low.',
    detection:
      'A correct request is answered with 429, and so are those after the pauses that the answer asks for; or it asks for a longer pause than a run can wait.',
    remediation:
      'Raise the limit for the test address or exempt this path from it, or count only requests whose signature is refused; when a ban is in force from earlier attempts, lift it or wait until it ends.',
    section: endpoints,
  },
  'http/bot-check': {
    surfaces: all,
    symptom: 'Every delivery fails with status 403 or 429 or 503 and a page that asks for patience.',
    summary: 'A bot protection in front of the endpoint wants a browser to solve a task.',
    detection: 'The answer is marked as a challenge, or is its page.',
    remediation: 'Take this path out of the bot protection; nothing that is not a browser can pass it.',
    section: endpoints,
  },
  'http/firewall': {
    surfaces: all,
    symptom: 'Every delivery fails with status 403, 406 or 503 and a page that the application does not have.',
    summary: 'A web application firewall in front of the endpoint refuses the delivery.',
    detection: 'The answer is the page of a known firewall.',
    remediation: 'Make an exception for this path in the firewall, and look up the reference on the page in its log.',
    section: endpoints,
  },
  'http/password-wanted': {
    surfaces: all,
    symptom: 'Every delivery fails with status 401 and a challenge for a password, or with 407.',
    summary: 'The web server wants a user name and a password, which the service does not have.',
    detection:
      'A correct request and a path that nobody has get the same challenge for Basic or Digest authentication.',
    remediation: 'Take this path out of the password protection; the signature or token proves who calls.',
    section: endpoints,
  },
  'http/csrf': {
    surfaces: posts,
    symptom: 'Every delivery fails with status 403, 419 or 422 and a page about a token of a form.',
    summary: 'The framework takes the delivery for a form of another site and wants its CSRF token.',
    detection: "The answer is the framework's own page for a missing CSRF token.",
    remediation:
      'Take this route out of the CSRF protection (Django csrf_exempt, Laravel except list, Rails skip_forgery_protection, Spring csrf().ignoringRequestMatchers).',
    section: endpoints,
  },
  'http/host-refused': {
    surfaces: all,
    symptom: 'Every delivery fails with status 400 or 403 and a sentence about the host.',
    summary: 'The server does not take requests for this host name.',
    detection: "The answer is the server's own page for a host that is not allowed.",
    remediation:
      'Add the host name of the address to the allowed hosts (Django ALLOWED_HOSTS, Rails config.hosts, Vite and webpack allowedHosts, the bindings of IIS).',
    section: endpoints,
  },
  'http/web-page': {
    surfaces: posts,
    symptom: 'Deliveries seem to succeed, and nothing comes of them.',
    summary: 'A website answers there with the same page whatever is asked: no handler is behind the address.',
    detection: 'A correct request, a plain GET and a path that nobody has all bring the same HTML page with 200.',
    remediation:
      'Enter the address of the handler, and let the web server lead that path to the application before its fallback page.',
    section: endpoints,
  },
  'http/ping-not-taken': {
    surfaces: ['own-ai-chat'],
    symptom: 'The connection test in the app fails, and messages are answered.',
    summary: 'The endpoint takes messages, and not the ping of the connection test.',
    detection: 'A message is answered with a 2xx, and a ping, signed the same way, is not, twice.',
    remediation:
      'Answer an event of the type ping, which has no data, with 200 or 204 after its signature was verified.',
    section: 'Own-AI chat event: message.received',
    snippet: 'take-any-event',
  },
  'http/not-http': {
    surfaces: all,
    symptom: 'Every delivery fails; the error speaks of an answer that could not be read.',
    summary: 'What listens at the port does not speak HTTP.',
    detection: 'The bytes that come back are no HTTP.',
    remediation: 'Enter the port of the web server; this one belongs to another program.',
    section: endpoints,
  },
  'http/speaks-tls': {
    surfaces: all,
    symptom: 'Every delivery fails; the error speaks of an answer that could not be read.',
    summary: 'The port speaks TLS, and the address has the plain scheme.',
    detection: 'A plain request is answered with a TLS alert or a complaint about it.',
    remediation: 'Write https: or wss: in the address.',
    section: endpoints,
  },
  'http/http2-only': {
    surfaces: all,
    symptom: 'Every delivery fails; the error speaks of an answer that could not be read.',
    summary: 'The server speaks HTTP/2 only.',
    detection: 'A request of HTTP/1.1 is answered with frames of HTTP/2.',
    remediation: 'Let the server speak HTTP/1.1 too; a WebSocket needs it.',
    section: endpoints,
  },
  'http/answer-malformed': {
    surfaces: all,
    symptom: 'Every delivery fails; the error speaks of an answer that could not be read.',
    summary: 'The endpoint answers with HTTP that breaks the rules of HTTP.',
    detection: 'The answer begins as HTTP, and a strict reader has to refuse it.',
    remediation:
      'Let the framework write the status line and headers: no bare line breaks in headers, one Content-Length, the body as long as it says.',
    section: endpoints,
  },
  'http/silent': {
    surfaces: all,
    symptom: 'Every delivery ends in a timeout, although the connection comes about.',
    summary: 'The server takes requests and answers none of them, whatever is asked.',
    detection: 'A correct request, an unsigned one and a plain GET all stay without an answer.',
    remediation:
      'See whether the process hangs: stopped in a debugger, all workers busy, a middleware that never calls the next one.',
    section: 'Limits',
  },
  'http/hangs-when-accepted': {
    surfaces: posts,
    symptom: 'Every delivery ends in a timeout, and a wrong signature or token is refused at once.',
    summary: 'The endpoint refuses at once, and never answers what it accepts.',
    detection: 'A correct request stays without an answer twice, and one without signature or token is answered.',
    remediation:
      'Send the answer on every path of the handler: an error in an async handler, or reading a body a second time, leaves it open.',
    section: 'Limits',
    snippet: 'answer-in-time',
  },
  'http/closes': {
    surfaces: all,
    symptom: 'Every delivery fails; the error speaks of a connection that was reset or closed.',
    summary: 'The server ends connections without an answer, whatever is asked.',
    detection: 'A correct request, an unsigned one and a plain GET are all ended without an answer.',
    remediation: 'Read the logs of the server: the process dies at requests, or a proxy or firewall cuts them off.',
    section: endpoints,
  },
  'http/no-websocket': {
    surfaces: phone,
    symptom: 'No call gets through, and the address answers in a browser.',
    summary: 'An ordinary HTTP handler is behind the address, which does not speak WebSocket.',
    detection: 'The upgrade is answered as a plain GET of the same address is.',
    remediation:
      'Accept the upgrade at this path (with Node: handle the upgrade event of the server), or enter the path that does.',
    section: ownAi,
    snippet: 'speak-on-the-phone',
  },
  'http/upgrade-stripped': {
    surfaces: phone,
    symptom: 'No call gets through: status 400 or 426, and on the machine itself it works.',
    summary: 'The endpoint sees no upgrade: something in front of it takes the Upgrade header away.',
    detection: 'The upgrade is answered with the words of a WebSocket server that misses the Upgrade header.',
    remediation:
      'Let the proxy pass Upgrade and Connection on (nginx: proxy_http_version 1.1 and both proxy_set_header lines).',
    section: ownAi,
  },
  'http/socket-io': {
    surfaces: phone,
    symptom: 'No call gets through: status 400, and the web client of the application works.',
    summary: 'Socket.IO is behind the address, which is a protocol of its own.',
    detection: 'The upgrade is refused with the words of Socket.IO or Engine.IO.',
    remediation: 'Use a plain WebSocket server at this address (ws for Node); Socket.IO only talks to its own clients.',
    section: ownAi,
    snippet: 'speak-on-the-phone',
  },
  'http/wrong-accept': {
    surfaces: phone,
    symptom: 'No call gets through, although the server answers 101.',
    summary: 'The answer to the upgrade has a wrong Sec-WebSocket-Accept.',
    detection: 'Status 101 comes, and its Sec-WebSocket-Accept does not belong to the key that was sent.',
    remediation:
      'Let a WebSocket library answer the upgrade, or compute it as base64 of SHA-1 over the key and the fixed id of RFC 6455.',
    section: ownAi,
  },
  'http/upgrade-incomplete': {
    surfaces: phone,
    symptom: 'No call gets through, although the server answers 101.',
    summary: 'The answer to the upgrade lacks what makes it one, or has what was not asked for.',
    detection: 'Status 101 comes, and its headers break the rules of the WebSocket handshake.',
    remediation: 'Let a WebSocket library answer the upgrade; a proxy in front must pass its headers on as they are.',
    section: ownAi,
  },
} as const satisfies Record<`http/${string}`, Cause>;
