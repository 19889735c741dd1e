import type { Cause } from '../cause.ts';
import { endpointSurfaces } from '../../specs/surfaces.ts';

const posts = ['own-ai-chat', 'crm-webhook', 'api-webhooks'] as const;
const phone = ['own-ai-phone'] as const;
const endpoints = 'Endpoints';
const ownAi = 'Own-AI endpoints (the service calls the integrator)';

/** Causes visible in the first response to a request or upgrade, before any rule of the interface applies. */
export const httpCauses = {
  'http/redirects': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 301, 302, 303, 307 or 308, while the address works in a browser.',
    summary: 'The address redirects to another one, and the service does not follow redirects.',
    detection: 'The endpoint answers a valid request with a redirect.',
    remediation: 'Enter the final address of the redirect, character for character (scheme, www, trailing slash).',
    section: endpoints,
  },
  'http/redirects-to-login': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 302 or 303, and the redirect points to a login page.',
    summary: 'A login in front of the endpoint redirects every client that is not signed in to its login page.',
    detection: 'A valid request is redirected to the address of a login page.',
    remediation:
      'Exempt this path from the login of the framework or proxy; the signature or token authenticates the caller.',
    section: endpoints,
  },
  'http/path-not-found': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 404, although the server runs.',
    summary: 'The server has no route for this path.',
    detection: 'A valid request gets the same 404 page as a path that does not exist, and so do other methods.',
    remediation:
      'Correct the path in the address, or register the route under exactly this path (prefixes and the trailing slash matter).',
    section: endpoints,
  },
  'http/method-not-allowed': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 405 or 501.',
    summary: 'The path exists, but does not accept this method.',
    detection: 'A valid request gets 405 or 501.',
    remediation: 'Register the handler for POST at this path; a phone address needs GET with a WebSocket upgrade.',
    section: endpoints,
  },
  'http/media-type-refused': {
    surfaces: posts,
    symptom: 'Every delivery fails with status 415.',
    summary: 'The endpoint does not accept application/json.',
    detection: 'A valid request gets 415.',
    remediation:
      'Let the route accept Content-Type: application/json (and read the raw body there before it is parsed).',
    section: endpoints,
    snippet: 'verify-signature',
  },
  'http/too-large': {
    surfaces: endpointSurfaces,
    symptom: 'Deliveries fail with status 413, 414 or 431, long ones first.',
    summary: 'The server rejects a delivery of the usual size as too large.',
    detection: 'A valid request of the usual size gets 413, 414 or 431.',
    remediation:
      'Raise the limits for bodies and headers in the server, the proxy and the body parser; a chat event with its history has tens of kilobytes.',
    section: endpoints,
  },
  'http/length-wanted': {
    surfaces: posts,
    symptom: 'Every delivery fails with status 411.',
    summary: 'The server requires a Content-Length and does not accept the one that is sent.',
    detection: 'A valid request with a Content-Length gets 411.',
    remediation: 'Find the proxy that removes the length or rejects the body, and let it forward requests unchanged.',
    section: endpoints,
  },
  'http/gateway': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 502, 503, 504 or 52x, usually with an error page of the proxy.',
    summary: 'A proxy answers, but gets no response from the application behind it.',
    detection: 'A valid request gets a gateway error, twice, and so does a path that does not exist.',
    remediation:
      'Start the application, and point the proxy to its address and port; the error log of the proxy has the reason.',
    section: endpoints,
  },
  'http/application-fails': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 500.',
    summary: 'The application fails on every request, even on those that have nothing to do with the interface.',
    detection: 'A valid request, a plain GET and a path that does not exist all get 500.',
    remediation:
      "Read the application's error log: it fails before any handler runs, often because a setting or dependency is missing.",
    section: endpoints,
  },
  'http/crashes': {
    surfaces: endpointSurfaces,
    symptom:
      'Some deliveries fail with a closed connection; afterwards nothing listens at the address, for a moment or until the process is started by hand.',
    summary:
      'The process of the endpoint exits while it handles a delivery, so the connection closes without an answer.',
    detection:
      'The connection of one delivery closes without an answer, and the next connection is refused. When the endpoint listens again, the same delivery, sent alone, ends it again.',
    remediation:
      'Read the log of the process at this moment and catch the exception in the handler, so that one request never ends the process. A common reason is a constant-time comparison (timingSafeEqual in Node) that throws on values of different length: compare the lengths first and reject.',
    section: endpoints,
    snippet: 'verify-signature',
  },
  'http/tunnel-closed': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 404, 502 or 530 and a page of a tunnel service.',
    summary: 'The address belongs to a tunnel that is not open.',
    detection: 'The answer has the page or header that the tunnel service sends for a tunnel without a client.',
    remediation:
      'Start the tunnel again and enter its current address; addresses of free tunnels change at every start.',
    section: endpoints,
  },
  'http/no-such-app': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 404 and a page of the hosting service.',
    summary: 'The hosting service has no application under this host name.',
    detection: 'The answer has the page or header that the hosting service sends for a name without an application.',
    remediation: 'Deploy the application again, or enter its current host name.',
    section: endpoints,
  },
  'http/gate': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 401 or 403, and the log of the endpoint shows none of the deliveries.',
    summary:
      'A gateway, web server or address list in front of the endpoint rejects every request, whatever its signature.',
    detection:
      'Signed and unsigned requests, a GET and a nonexistent path get the same answer, which has a mark of a web server or gateway.',
    remediation:
      'Exempt this path from the rule that rejects the request: an address list, an API key of the gateway, a login or a VPN. The service sends only the headers of the interface, from changing addresses. To check a test environment behind such a gateway, add the header that it requires to the config: "headers": { "X-Gateway-Key": "env:GATEWAY_KEY" }.',
    section: endpoints,
  },
  'http/gate-or-secret': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with the same status 401 or 403.',
    summary:
      'Every request gets the same refusal, whatever its path, method and signature: either a gateway in front of the endpoint wants something else, or the endpoint verifies requests before it chooses a path and has another secret or token.',
    detection:
      'Signed and unsigned requests, a GET and a nonexistent path get the same answer, which has no mark of a web server or gateway.',
    remediation:
      'Send one delivery and read the log of the endpoint. If it shows no request, exempt this path from the rule of the gateway. If it shows one, compare the secret or token there with the one of the app, and verify requests only on this path.',
    section: endpoints,
  },
  'http/rate-limited': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 429.',
    summary: 'A rate limit in front of the endpoint, or in it, is exhausted or far too low.',
    detection:
      'A valid request gets 429, and so do the requests after the pauses that the answer asks for; or the answer asks for a longer pause than a run can wait.',
    remediation:
      'Raise the limit for the test address or exempt this path from it, or count only requests whose signature is rejected. If a ban from earlier attempts is active, lift it or wait until it ends.',
    section: endpoints,
  },
  'http/bot-check': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 403, 429 or 503 and a page that asks the visitor to wait.',
    summary: 'Bot protection in front of the endpoint requires a browser to solve a challenge.',
    detection: 'The answer is marked as a challenge, or is the challenge page.',
    remediation: 'Exempt this path from the bot protection; only browsers can pass it.',
    section: endpoints,
  },
  'http/firewall': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 403, 406 or 503 and a page that is not from the application.',
    summary: 'A web application firewall in front of the endpoint rejects the delivery.',
    detection: 'The answer is the block page of a known firewall.',
    remediation:
      'Add an exception for this path to the firewall, and look up the reference shown on the page in its log.',
    section: endpoints,
  },
  'http/password-wanted': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with 401 and a challenge for a password, or with 407.',
    summary: 'The web server requires a user name and a password, which the service does not have.',
    detection:
      'A valid request and a path that does not exist get the same challenge for Basic or Digest authentication.',
    remediation: 'Exempt this path from the password protection; the signature or token authenticates the caller.',
    section: endpoints,
  },
  'http/csrf': {
    surfaces: posts,
    symptom: 'Every delivery fails with status 403, 419 or 422 and a page about a form token.',
    summary: 'The framework treats the delivery as a form from another site and requires its CSRF token.',
    detection: 'The answer is the page that the framework sends for a missing CSRF token.',
    remediation:
      'Exempt this route from CSRF protection (Django csrf_exempt, Laravel except list, Rails skip_forgery_protection, Spring csrf().ignoringRequestMatchers).',
    section: endpoints,
  },
  'http/host-refused': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails with status 400 or 403 and a message about the host.',
    summary: 'The server does not accept requests for this host name.',
    detection: 'The answer is the page that the server sends for a host that is not allowed.',
    remediation:
      'Add the host name of the address to the allowed hosts (Django ALLOWED_HOSTS, Rails config.hosts, Vite and webpack allowedHosts, the bindings of IIS).',
    section: endpoints,
  },
  'http/web-page': {
    surfaces: posts,
    symptom: 'Deliveries seem to succeed, but have no effect.',
    summary: 'A website answers every request with the same page: the address has no handler.',
    detection: 'A valid request, a plain GET and a path that does not exist all get the same HTML page with 200.',
    remediation:
      'Enter the address of the handler, and let the web server route that path to the application before its fallback page.',
    section: endpoints,
  },
  'http/ping-not-handled': {
    surfaces: ['own-ai-chat'],
    symptom: 'The connection test in the app fails, although messages are answered.',
    summary: 'The endpoint accepts messages, but not the ping of the connection test.',
    detection: 'Accepted: a message, with a 2xx. Rejected: a ping that is signed the same way, twice.',
    remediation: 'Verify the signature of an event of the type ping, which has no data, and answer it with 200 or 204.',
    section: 'Own-AI chat event: message.received',
    snippet: 'accept-any-event',
  },
  'http/not-http': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails, and the error says that the response could not be parsed.',
    summary: 'The program that listens on the port does not speak HTTP.',
    detection: 'The bytes that come back are not HTTP.',
    remediation: 'Enter the port of the web server; this one belongs to another program.',
    section: endpoints,
  },
  'http/speaks-tls': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails, and the error says that the response could not be parsed.',
    summary: 'The port speaks TLS, but the address has the scheme http or ws.',
    detection: 'A plain request is answered with a TLS alert or with a complaint about plain HTTP.',
    remediation: 'Write https: or wss: in the address.',
    section: endpoints,
  },
  'http/http2-only': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails, and the error says that the response could not be parsed.',
    summary: 'The server speaks only HTTP/2.',
    detection: 'The server answers an HTTP/1.1 request with HTTP/2 frames.',
    remediation: 'Enable HTTP/1.1 on the server too; WebSocket requires it.',
    section: endpoints,
  },
  'http/answer-malformed': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails, and the error says that the response could not be parsed.',
    summary: 'The endpoint sends malformed HTTP responses.',
    detection:
      'The response begins as HTTP, but a strict parser must reject it, or thousands of interim answers (1xx) precede the final one.',
    remediation:
      'Let the framework write the status line and headers: no bare line breaks in headers, one Content-Length, a body of exactly that length, and one final status after at most a few interim ones (1xx).',
    section: endpoints,
  },
  'http/silent': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery ends in a timeout, although the connection is established.',
    summary: 'The server accepts requests but answers none of them.',
    detection: 'A valid request, an unsigned one and a plain GET all remain unanswered.',
    remediation:
      'Check whether the process hangs: stopped in a debugger, all workers busy, or a middleware that never calls the next one.',
    section: 'Limits',
  },
  'http/hangs-when-accepted': {
    surfaces: posts,
    symptom: 'Every valid delivery ends in a timeout, while an invalid signature or token is rejected at once.',
    summary: 'The endpoint rejects invalid requests at once, but never answers valid ones.',
    detection: 'No answer: a valid request, twice. Answered: a request without signature or token.',
    remediation:
      'Send a response on every path of the handler: an error in an async handler, or reading the body a second time, leaves the request open.',
    section: 'Limits',
    snippet: 'answer-in-time',
  },
  'http/closes': {
    surfaces: endpointSurfaces,
    symptom: 'Every delivery fails, and the error says that the connection was reset or closed.',
    summary: 'The server closes every connection without an answer.',
    detection: 'A valid request, an unsigned one and a plain GET are all closed without an answer.',
    remediation:
      'Read the logs of the server: the process crashes on requests, or a proxy or firewall cuts the connections.',
    section: endpoints,
  },
  'http/no-websocket': {
    surfaces: phone,
    symptom: 'No call connects, although the address answers in a browser.',
    summary: 'The address has an ordinary HTTP handler, which does not speak WebSocket.',
    detection: 'The upgrade gets the same answer as a plain GET of the same address.',
    remediation:
      'Accept the upgrade at this path (with Node: handle the upgrade event of the server), or enter the path that does.',
    section: ownAi,
    snippet: 'stream-phone-answers',
  },
  'http/upgrade-stripped': {
    surfaces: phone,
    symptom: 'Calls fail with status 400 or 426, although they work on the machine itself.',
    summary: 'A proxy in front of the endpoint removes the Upgrade header.',
    detection: 'The upgrade gets the error message that a WebSocket server sends for a missing Upgrade header.',
    remediation:
      'Let the proxy forward Upgrade and Connection (nginx: proxy_http_version 1.1 and both proxy_set_header lines).',
    section: ownAi,
  },
  'http/socket-io': {
    surfaces: phone,
    symptom: 'Calls fail with status 400, although the web client of the application works.',
    summary: 'The address has a Socket.IO server, which uses its own protocol.',
    detection: 'The upgrade gets an error message of Socket.IO or Engine.IO.',
    remediation: 'Use a plain WebSocket server at this address (ws for Node); Socket.IO only talks to its own clients.',
    section: ownAi,
    snippet: 'stream-phone-answers',
  },
  'http/wrong-accept': {
    surfaces: phone,
    symptom: 'No call connects, although the server answers 101.',
    summary: 'The answer to the upgrade has a wrong Sec-WebSocket-Accept.',
    detection: 'The status is 101, but Sec-WebSocket-Accept does not match the key that was sent.',
    remediation:
      'Let a WebSocket library answer the upgrade, or compute the value as base64 of SHA-1 over the key and the fixed GUID of RFC 6455.',
    section: ownAi,
  },
  'http/upgrade-incomplete': {
    surfaces: phone,
    symptom: 'No call connects, although the server answers 101.',
    summary: 'The answer to the upgrade lacks a required header or contains one that was not requested.',
    detection: 'The status is 101, but the headers violate the rules of the WebSocket handshake.',
    remediation:
      'Let a WebSocket library answer the upgrade; a proxy in front of it must forward the headers unchanged.',
    section: ownAi,
  },
} as const satisfies Record<`http/${string}`, Cause>;
