import type { Surface } from '../../specs/surfaces.ts';
import type { Edit, Framework } from './start-endpoint.ts';

/** A mistake that users of a framework make, and how a run reports it. */
export interface Fault {
  name: string;
  framework: Framework;
  /** The mistake, in the terms of the framework. */
  mistake: string;
  edits: readonly Edit[];
  surface: Surface;
  /** The requirement that fails. */
  requirement: string;
  /** Its level, unless it is a MUST. */
  level?: 'should' | 'advice';
  /** The causes, one of which the report must name. */
  causes?: readonly string[];
  /** Words that the fix, the hint or the reason must contain to help a user of this framework. */
  fix?: RegExp;
  /** Why no cause can be determined from outside: `fix` is then about what the requirement itself advises. */
  undetermined?: string;
}

export const faults: readonly Fault[] = [
  {
    name: 'express-json-before-signature',
    framework: 'express',
    mistake: 'express.json() parses the body, and the signature is verified over JSON.stringify(req.body)',
    edits: [
      [`express.raw({ type: () => true, limit: '4mb' })`, `express.json({ limit: '4mb' })`],
      [
        `!Buffer.isBuffer(req.body) || !isSigned(req.get('X-Svc-Signature'), req.body, secret)`,
        `!isSigned(req.get('X-Svc-Signature'), JSON.stringify(req.body), secret)`,
      ],
      [`req.body = JSON.parse(req.body.toString('utf8'));`, ''],
    ],
    surface: 'api-webhooks',
    requirement: 'api-webhooks/accepts-any-wire-form',
    causes: ['signature/body-compact'],
    fix: /raw bytes/,
  },
  {
    name: 'express-body-limit',
    framework: 'express',
    mistake: 'express.raw() has its default limit of 100 kB',
    edits: [[`express.raw({ type: () => true, limit: '4mb' })`, `express.raw({ type: () => true })`]],
    surface: 'own-ai-chat',
    level: 'advice',
    requirement: 'own-ai-chat/answers-long-and-large-values',
    causes: ['http/too-large', 'payload/large-body'],
    fix: /limit/,
  },
  {
    name: 'express-token-of-other-length',
    framework: 'express',
    mistake: 'timingSafeEqual() throws on values of different length, which Express answers with 500',
    edits: [
      [`return left.length === right.length && timingSafeEqual(left, right)`, `return timingSafeEqual(left, right)`],
    ],
    surface: 'crm-webhook',
    requirement: 'crm-webhook/bad-token-is-answered',
    undetermined: 'the 500 of an exception does not show which function threw',
    fix: /timingSafeEqual\(\).+length/,
  },
  {
    name: 'express-unknown-event-throws',
    framework: 'express',
    mistake: 'the handler throws for an event that it does not know, which Express answers with 500',
    edits: [
      [
        `default:\n      return res.sendStatus(204);`,
        `case 'Manual': case 4: case 'FormSubmitted': case 5: return res.sendStatus(204);
    default:
      if (String(eventType).startsWith('Appointment')) return res.sendStatus(204);
      throw new Error(\`unknown event \${eventType}\`);`,
      ],
    ],
    surface: 'crm-webhook',
    requirement: 'crm-webhook/unknown-event-name-204',
    causes: ['payload/unknown-event', 'payload/known-value'],
    fix: /branch/,
  },
  {
    name: 'express-json-for-all-routes',
    framework: 'express',
    mistake:
      'app.use(express.json()) has read the body before express.raw() of the route, which then leaves the object',
    edits: [[`app.disable('x-powered-by');`, `app.use(express.json({ limit: '4mb' }));`]],
    surface: 'api-webhooks',
    requirement: 'api-webhooks/accepts-valid-signature',
    undetermined: 'every body is refused, whatever its signature, as with another secret',
    causes: ['signature/unknown-scheme'],
    fix: /bytes are signed, and are they logged before any parser/,
  },
  {
    name: 'hono-json-serialised-again',
    framework: 'hono',
    mistake: 'the signature is verified over JSON.stringify(await c.req.json())',
    edits: [
      [
        `new Uint8Array(await c.req.arrayBuffer())`,
        `utf8.encode(JSON.stringify(await c.req.json().catch(() => undefined)) ?? '')`,
      ],
    ],
    surface: 'api-webhooks',
    requirement: 'api-webhooks/accepts-any-wire-form',
    causes: ['signature/body-compact'],
    fix: /raw bytes/,
  },
  {
    name: 'hono-verify-without-await',
    framework: 'hono',
    mistake: 'crypto.subtle.verify() returns a promise, which is always true',
    edits: [
      [
        `!(await isSigned(c.req.header('X-Svc-Signature'), body, key))`,
        `!isSigned(c.req.header('X-Svc-Signature'), body, key)`,
      ],
    ],
    surface: 'own-ai-chat',
    requirement: 'own-ai-chat/refuses-other-secret',
    causes: ['signature/not-checked'],
    fix: /Verify X-Svc-Signature/,
  },
  {
    name: 'hono-upgrade-without-await',
    framework: 'hono',
    mistake: 'the signature of an upgrade is verified without await',
    edits: [[`callId !== undefined && (await isSigned(`, `callId !== undefined && !!(isSigned(`]],
    surface: 'own-ai-phone',
    requirement: 'own-ai-phone/refuses-other-secret',
    causes: ['signature/not-checked'],
    fix: /Verify X-Svc-Signature/,
  },
  {
    name: 'hono-bearer-auth',
    framework: 'hono',
    mistake: 'bearerAuth() of Hono answers 400 to an Authorization header with another scheme',
    edits: [
      [
        `import { bodyLimit } from 'hono/body-limit';`,
        `import { bearerAuth } from 'hono/bearer-auth';\nimport { bodyLimit } from 'hono/body-limit';`,
      ],
      [`app.post('/crm', bearer(CRM_TOKEN),`, `app.post('/crm', bearerAuth({ token: CRM_TOKEN }),`],
    ],
    surface: 'crm-webhook',
    requirement: 'crm-webhook/refuses-with-401',
    undetermined: 'the message shows all that is known: 400 for one scheme, 401 for the others',
    fix: /bearerAuth\(\) of Hono/,
  },
  {
    name: 'hono-body-limit',
    framework: 'hono',
    mistake: 'bodyLimit() has the 50 kB of the example in the documentation of Hono',
    edits: [
      [
        `app.post('/chat', bodyLimit({ maxSize: 4 * 1024 * 1024 })`,
        `app.post('/chat', bodyLimit({ maxSize: 50 * 1024 })`,
      ],
    ],
    surface: 'own-ai-chat',
    requirement: 'own-ai-chat/accepts-long-replies-in-history',
    causes: ['http/too-large', 'payload/large-body'],
    fix: /limit/,
  },
  {
    name: 'hono-callback-per-delivery',
    framework: 'hono',
    mistake: 'each delivery starts a task that calls back, also a repeated one',
    edits: [[`if (!callbacks.has(event.callbackUrl)) {`, `{`]],
    surface: 'crm-webhook',
    requirement: 'crm-webhook/one-callback-after-redelivery',
    causes: ['deduplication/none', 'callback/twice'],
    fix: /callbackUrl/,
  },
  {
    name: 'node-chunks-as-strings',
    framework: 'node-http',
    mistake: 'each chunk is converted to a string, which breaks characters at the border of two chunks',
    edits: [
      [`const chunks: Buffer[] = [];`, `let text = '';`],
      [`chunks.push(chunk);`, `text += chunk;`],
      [`return Buffer.concat(chunks);`, `return Buffer.from(text);`],
    ],
    surface: 'own-ai-chat',
    requirement: 'own-ai-chat/accepts-any-wire-form',
    fix: /join|bytes of all parts/,
  },
  {
    name: 'node-compares-a-prefix',
    framework: 'node-http',
    mistake: 'values are compared as far as the shorter one goes, because timingSafeEqual() wants one length',
    edits: [
      [
        `return a.length === b.length && timingSafeEqual(a, b);`,
        `const length = Math.min(a.length, b.length);
  return length > 0 && timingSafeEqual(a.subarray(0, length), b.subarray(0, length));`,
      ],
    ],
    surface: 'api-webhooks',
    requirement: 'api-webhooks/refuses-short-v1',
    causes: ['signature/as-far-as-sent', 'signature/part-suffices'],
    fix: /length/,
  },
  {
    name: 'node-upgrade-crashes',
    framework: 'node-http',
    mistake: 'timingSafeEqual() throws in the upgrade listener, where nothing catches it',
    edits: [[`return a.length === b.length && timingSafeEqual(a, b);`, `return timingSafeEqual(a, b);`]],
    surface: 'own-ai-phone',
    requirement: 'own-ai-phone/refuses-short-v1',
    causes: ['http/crashes'],
    fix: /timingSafeEqual/,
  },
  {
    name: 'node-unhandled-rejection',
    framework: 'node-http',
    mistake: 'an async listener rejects when the signature is missing, which ends the process',
    edits: [
      [`if (typeof header !== 'string') return false;`, ''],
      [`header: string | string[] | undefined,`, `header: Parsed,`],
      [
        `  handle(req, res).catch((error: unknown) => {`,
        `  const ignore = (_: unknown) => {};
  void handle(req, res);
  ignore((error: unknown) => {`,
      ],
    ],
    surface: 'api-webhooks',
    requirement: 'api-webhooks/refuses-missing-signature',
    causes: ['http/crashes'],
    fix: /catch the exception/,
  },
  {
    name: 'python-json-dumps',
    framework: 'python-http-server',
    mistake: 'the signature is verified over json.dumps() of the parsed body',
    edits: [
      [
        `if not is_signed(self.headers.get("X-Svc-Signature"), body, secret):`,
        `if not is_signed(self.headers.get("X-Svc-Signature"), json.dumps(json.loads(body), separators=(",", ":")).encode(), secret):`,
      ],
    ],
    surface: 'api-webhooks',
    requirement: 'api-webhooks/accepts-any-wire-form',
    causes: ['signature/body-compact', 'signature/non-ascii-escaped'],
    fix: /raw bytes/,
  },
  {
    name: 'python-bytes-in-a-format-string',
    framework: 'python-http-server',
    mistake: 'f"{timestamp}.{body}" contains b\'…\' instead of the body',
    edits: [[`timestamp.encode() + b"." + body`, `f"{timestamp}.{body}".encode()`]],
    surface: 'own-ai-chat',
    requirement: 'own-ai-chat/accepts-valid-signature',
    causes: ['signature/body-object-as-text'],
    fix: /bytes object to a string/,
  },
  {
    name: 'python-body-as-latin-1',
    framework: 'python-http-server',
    mistake: 'the body is decoded as Latin-1 and encoded as UTF-8 before it is verified',
    edits: [[`timestamp.encode() + b"." + body`, `(timestamp + "." + body.decode("latin-1")).encode()`]],
    surface: 'own-ai-chat',
    requirement: 'own-ai-chat/answers-messages',
    causes: ['signature/body-as-latin-1'],
    fix: /UTF-8/,
  },
  {
    name: 'python-single-threaded',
    framework: 'python-http-server',
    mistake: 'HTTPServer handles one request after the other, and one of them is slow',
    edits: [
      [`class Server(ThreadingHTTPServer):`, `class Server(HTTPServer):`],
      [`import BaseHTTPRequestHandler, ThreadingHTTPServer`, `import BaseHTTPRequestHandler, HTTPServer`],
      [`protocol_version = "HTTP/1.1"`, `protocol_version = "HTTP/1.0"`],
      [`        if project_id is not None:`, `        time.sleep(2.6)\n        if project_id is not None:`],
    ],
    surface: 'crm-webhook',
    requirement: 'crm-webhook/lookup-during-other-events-within-two-seconds',
    causes: ['timing/slow-during-other-events'],
    fix: /thread/,
  },
  {
    name: 'python-kept-connection-blocks',
    framework: 'python-http-server',
    mistake: 'HTTPServer with HTTP/1.1 serves no second connection until the first one is closed',
    edits: [
      [`class Server(ThreadingHTTPServer):`, `class Server(HTTPServer):`],
      [`import BaseHTTPRequestHandler, ThreadingHTTPServer`, `import BaseHTTPRequestHandler, HTTPServer`],
    ],
    surface: 'crm-webhook',
    level: 'should',
    requirement: 'crm-webhook/ten-lookups-at-once-within-two-seconds',
    undetermined: 'a lock in the handler shows the same times as a server with one connection',
    fix: /HTTPServer.+ThreadingHTTPServer/,
  },
  {
    name: 'python-no-content-length',
    framework: 'python-http-server',
    mistake: 'an HTTP/1.1 answer has no Content-Length, so its end is not known',
    edits: [[`self.send_header("Content-Length", str(len(content)))`, `pass`]],
    surface: 'crm-webhook',
    requirement: 'crm-webhook/lookup-within-two-seconds',
    causes: ['timing/answer-never-ends', 'answer/never-ends'],
  },
  {
    name: 'aiohttp-client-max-size',
    framework: 'python-aiohttp',
    mistake: 'client_max_size has the 64 KB that the interface allows for answers, and an event can be larger',
    edits: [[`client_max_size=4 * 1024 * 1024`, `client_max_size=64 * 1024`]],
    surface: 'own-ai-chat',
    level: 'advice',
    requirement: 'own-ai-chat/answers-long-and-large-values',
    causes: ['http/too-large', 'payload/large-body'],
    fix: /limit/,
  },
  {
    name: 'aiohttp-blocking-sleep',
    framework: 'python-aiohttp',
    mistake: 'time.sleep() in a handler blocks the event loop',
    edits: [[`    elif kind in SUMMARIES and`, `    elif kind in SUMMARIES and not time.sleep(2.6) and`]],
    surface: 'crm-webhook',
    requirement: 'crm-webhook/lookup-during-other-events-within-two-seconds',
    causes: ['timing/slow-during-other-events', 'timing/slow-for-an-event-type'],
  },
  {
    name: 'aiohttp-json-dumps',
    framework: 'python-aiohttp',
    mistake: 'the signature is verified over json.dumps() of the parsed body',
    edits: [[`body = await request.read()`, `body = json.dumps(await request.json()).encode()`]],
    surface: 'own-ai-chat',
    requirement: 'own-ai-chat/accepts-valid-signature',
    causes: ['signature/body-spaced', 'signature/non-ascii-escaped'],
    fix: /raw bytes/,
  },
  {
    name: 'aiohttp-max-msg-size',
    framework: 'python-aiohttp',
    mistake: 'max_msg_size is smaller than session.started',
    edits: [[`max_msg_size=1024 * 1024`, `max_msg_size=256`]],
    surface: 'own-ai-phone',
    requirement: 'own-ai-phone/keeps-the-call-open',
    causes: ['phone/closed-at-session-started'],
  },
  {
    name: 'aiohttp-speech-in-the-receive-loop',
    framework: 'python-aiohttp',
    mistake: 'the loop over the messages awaits the end of each answer, so it cannot be interrupted',
    edits: [[`speech = in_background(speak(ws, text))`, `await speak(ws, text)`]],
    surface: 'own-ai-phone',
    requirement: 'own-ai-phone/stops-at-interrupt',
    causes: ['phone/talks-on-at-interrupt'],
  },
];
