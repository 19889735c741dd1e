import type { DiagnosedSurface } from '../specs/generated/types.ts';
import type { FrameworkName } from './snippet-code.ts';

type ByFramework = Readonly<Partial<Record<FrameworkName, string>>>;

/** What the code of each framework calls to avoid a group of causes. */
export interface FrameworkCalls {
  readonly causes: RegExp;
  /** Default: every surface of the causes. */
  readonly surfaces?: readonly DiagnosedSurface[];
  /** Reads with a call. */
  readonly act: string;
  /** As in the snippets; `…` replaces arguments. Absent where no call suffices. */
  readonly calls: ByFramework;
  /** What undoes the call; reads after it. */
  readonly unless?: ByFramework;
  /** The calls are settings, which no snippet contains. */
  readonly isSetting?: true;
}

const deliveries = ['own-ai-chat', 'api-webhooks'] as const;
const phone = ['own-ai-phone'] as const;
const node = <const Call extends string>(call: Call) => ({ Express: call, Fastify: call });
const python = <const Call extends string>(call: Call) => ({ Flask: call, FastAPI: call });

/** Mistakes in the content that is signed, of deliveries and calls. */
const signedContent =
  /^signature\/(?:body-(?:first|alone|hash-signed)|no-separator|other-separator|version-first|names-signed|t-in-|t-alone|t-not-covered|delivery-id-first|url-signed|path-signed|method-signed|signed-as-utf-16|standard-webhooks|one-field-signed|call-)/;
/** Invalid signatures that are accepted, or refused incorrectly, because of a missing refusal. */
const signatureRefusals =
  /^signature\/(?:not-checked|presence-only|form-only|only-t-checked|checked-only-when-sent|empty-accepted|unreadable-accepted|v1-optional|t-optional|ping-not-checked|inverted|refused-with-|wrong-signature-breaks)/;

/** Calls that decide signatures and tokens. */
const verification: readonly FrameworkCalls[] = [
  {
    causes:
      /^signature\/(?:body-(?!first|hash|alone|not)|fields-|escapes-|non-ascii-|slashes-|html-|numbers-|newline-|line-ends-|rewritten-body|trimmed-body|unknown-scheme)/,
    surfaces: deliveries,
    act: 'read the raw body with',
    calls: {
      Express: "express.raw({ type: () => true, limit: '1mb', inflate: false })",
      Fastify: "app.addContentTypeParser('*', { parseAs: 'buffer' }, …)",
      Flask: 'request.get_data()',
      FastAPI: 'await request.body()',
      PHP: "file_get_contents('php://input')",
      Spring: '@RequestBody(required = false) byte[] body',
      'ASP.NET': 'request.Body.CopyToAsync(memory)',
      Go: 'io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))',
    },
    unless: {
      Express: 'without express.json() before this route',
      Flask: 'before anything reads request.json or request.form',
      FastAPI: 'without a model as a parameter of the route',
      'ASP.NET': 'without a [FromBody] parameter',
    },
  },
  {
    causes:
      /^signature\/(?:secret-(?:base64|decoded|prefix|hex|hashed|percent|case)|sha|md5|plain-hash|hashed-again|key-and-content)/,
    act: 'compute the HMAC with',
    calls: {
      ...node("createHmac('sha256', secret)"),
      ...python('hmac.new(SECRET, …, hashlib.sha256)'),
      PHP: "hash_hmac('sha256', …, $secret)",
      Spring: 'new SecretKeySpec(secret, "HmacSHA256")',
      'ASP.NET': 'HMACSHA256.HashData(secret, content)',
      Go: 'hmac.New(sha256.New, secret)',
    },
  },
  {
    causes: /^signature\/(?:secret-(?:with|in-quotes|cut|empty|missing|trimmed)|old-secret|other-secret$)/,
    act: 'check what the process reads, for example with',
    calls: {
      ...node('process.env.AGENT_SECRET'),
      ...python('os.environ["AGENT_SECRET"]'),
      PHP: "getenv('AGENT_SECRET')",
      Spring: 'System.getenv("AGENT_SECRET")',
      'ASP.NET': 'Environment.GetEnvironmentVariable("AGENT_SECRET")',
      Go: 'os.Getenv("AGENT_SECRET")',
    },
  },
  {
    causes: signedContent,
    surfaces: deliveries,
    act: 'build the signed content with',
    calls: {
      ...node('update(`${t}.`).update(payload)'),
      ...python('t.encode() + b"." + payload'),
      PHP: '"$t.$payload"',
      Spring: 'mac.update((parts.group(1) + ".").getBytes(StandardCharsets.US_ASCII))',
      'ASP.NET': '[.. Encoding.ASCII.GetBytes(parts.Groups[1].Value + "."), .. payload]',
      Go: 'mac.Write([]byte(parts[1] + "."))',
    },
  },
  {
    causes: signedContent,
    surfaces: phone,
    act: 'build the signed content with',
    calls: {
      ...node('update(`${t}.${callId}`)'),
      ...python('f"{t}.{call_id}"'),
      PHP: '"$t.$callId"',
      Spring: 'parts.group(1) + "." + callId',
      'ASP.NET': '$"{parts.Groups[1].Value}.{callId}"',
      Go: 'parts[1] + "." + callID',
    },
  },
  {
    causes: /^signature\/(?:base64|hex-(?:upper|with))/,
    act: 'convert hex with',
    calls: {
      ...node("Buffer.from(v1, 'hex')"),
      ...python('.hexdigest()'),
      PHP: "hash_hmac('sha256', …, $secret)",
      Spring: 'HexFormat.of().parseHex(…)',
      'ASP.NET': 'Convert.FromHexString(…)',
      Go: 'hex.DecodeString(parts[2])',
    },
  },
  {
    causes: /^signature\/(?:other-header-name|header-split-wrong)$/,
    surfaces: deliveries,
    act: 'read the header with',
    calls: {
      Express: "request.get('X-Svc-Signature')",
      Fastify: "request.headers['x-svc-signature']",
      Flask: 'request.headers.get("X-Svc-Signature")',
      FastAPI: 'request.headers.getlist("x-svc-signature")',
      PHP: "$_SERVER['HTTP_X_SVC_SIGNATURE']",
      Spring: '@RequestHeader(value = "X-Svc-Signature", defaultValue = "")',
      'ASP.NET': 'request.Headers["X-Svc-Signature"]',
      Go: 'r.Header.Values("X-Svc-Signature")',
    },
  },
  {
    causes: /^signature\/(?:first-characters-compared|as-far-as-sent)$/,
    act: 'compare the whole signature with',
    // Not in Express and Fastify: timingSafeEqual throws for another length, and Buffer.from ignores what is not hexadecimal.
    calls: {
      ...python('hmac.compare_digest(expected, v1)'),
      PHP: 'hash_equals($expected, $v1)',
      Spring: 'MessageDigest.isEqual(…)',
      'ASP.NET': 'CryptographicOperations.FixedTimeEquals(…)',
      Go: 'hmac.Equal(mac.Sum(nil), given)',
    },
  },
  {
    causes: /^signature\/(?:window-|past-only|future-only|time-zone)/,
    act: 'compare the time with',
    calls: {
      ...node('Math.abs(Date.now() / 1000 - Number(t)) <= toleranceSeconds'),
      ...python('abs(time.time() - int(t)) <= TOLERANCE_SECONDS'),
      PHP: 'abs(time() - (int) $t) <= TOLERANCE_SECONDS',
      Spring: 'Math.abs(seconds - Long.parseLong(parts.group(1))) <= TOLERANCE_SECONDS',
      'ASP.NET': 'Math.Abs(seconds - long.Parse(parts.Groups[1].Value)) <= toleranceSeconds',
      Go: '-300 <= off && off <= 300',
    },
  },
  {
    causes: signatureRefusals,
    surfaces: deliveries,
    act: 'refuse with',
    calls: {
      Express: 'response.sendStatus(401)',
      Fastify: 'reply.code(401).send()',
      Flask: 'return "", 401',
      FastAPI: 'return Response(status_code=401)',
      PHP: 'http_response_code(401)',
      Spring: 'ResponseEntity.status(401).build()',
      'ASP.NET': 'Results.StatusCode(401)',
      Go: 'w.WriteHeader(http.StatusUnauthorized)',
    },
  },
  {
    causes: signatureRefusals,
    surfaces: phone,
    act: 'refuse the upgrade with',
    calls: {
      ...node("socket.end('HTTP/1.1 401 Unauthorized…')"),
      Flask: 'abort(401)',
      FastAPI: 'await call.close()',
      PHP: '$call->close("HTTP/1.1 401 Unauthorized…", true)',
      Spring: 'response.setStatusCode(HttpStatus.UNAUTHORIZED)',
      'ASP.NET': 'context.Response.StatusCode = 401',
      Go: 'w.WriteHeader(http.StatusUnauthorized)',
    },
  },
  {
    causes:
      /^token\/(?:first-|last-|contains-|part-suffices|only-|case-|scheme-|another-scheme|in-another-header|in-the-|encoded|hashed|inverted|not-checked|optional)/,
    act: 'compare the whole header with',
    calls: {
      Express: "timingSafeEqual(hash(request.get('Authorization') ?? ''), expected)",
      Fastify: "timingSafeEqual(hash(request.headers.authorization ?? ''), expected)",
      ...python('hmac.compare_digest(given, EXPECTED)'),
      PHP: 'hash_equals("Bearer $token", $given)',
      Spring: 'MessageDigest.isEqual(…)',
      'ASP.NET': 'CryptographicOperations.FixedTimeEquals(given, expected)',
      Go: 'subtle.ConstantTimeCompare(given[:], expected[:])',
    },
  },
  {
    causes: /^token\/(?:refused-with-|wrong-token-breaks)/,
    act: 'refuse with',
    calls: {
      Express: 'response.sendStatus(401)',
      Fastify: 'reply.code(401).send()',
      Flask: 'abort(401)',
      FastAPI: 'raise HTTPException(401)',
      PHP: 'http_response_code(401)',
      Spring: 'ResponseEntity.status(401).build()',
      'ASP.NET': 'Results.StatusCode(401)',
      Go: 'w.WriteHeader(http.StatusUnauthorized)',
    },
  },
  {
    causes: /^token\/(?:another-token|old-token|in-quotes|white-space-kept|placeholder-kept|not-configured|cut-short)$/,
    act: 'check what the process reads, for example with',
    calls: {
      ...node('process.env.WEBHOOK_TOKEN'),
      ...python('os.environ["WEBHOOK_TOKEN"]'),
      PHP: "getenv('WEBHOOK_TOKEN')",
      Spring: 'System.getenv("WEBHOOK_TOKEN")',
      'ASP.NET': 'Environment.GetEnvironmentVariable("WEBHOOK_TOKEN")',
      Go: 'os.Getenv("WEBHOOK_TOKEN")',
    },
  },
];

/** Calls that decide how an event is read and answered. */
const answers: readonly FrameworkCalls[] = [
  {
    causes:
      /^(?:payload\/answer-not-escaped|answer\/(?:html|xml|form|plain-text|single-quotes|python-words|unquoted-names|trailing-comma|raw-line-ends|encoded-twice|latin-1|utf-16|not-json|text-around|code-fence))$/,
    act: 'answer with',
    calls: {
      Express: 'response.json(…)',
      Fastify: 'return {…}',
      Flask: 'return {…}',
      FastAPI: 'return {…}',
      PHP: 'json_encode($answer, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE)',
      Spring: 'ResponseEntity.ok(…)',
      'ASP.NET': 'Results.Json(…)',
      Go: 'json.NewEncoder(w).Encode(…)',
    },
  },
  {
    causes: /^payload\/(?:unknown-event|listed-event)$/,
    surfaces: ['crm-webhook', 'own-ai-chat'],
    act: 'answer events that you do not use with',
    calls: {
      Express: 'response.sendStatus(204)',
      Fastify: 'reply.code(204).send()',
      Flask: '"", 204',
      FastAPI: 'Response(status_code=204)',
      PHP: 'http_response_code(204)',
      Spring: 'ResponseEntity.noContent().build()',
      'ASP.NET': 'Results.NoContent()',
      Go: 'w.WriteHeader(http.StatusNoContent)',
    },
  },
  {
    causes: /^timing\/(?:always-slow|slow-by-|slow-for-|slow-during-)/,
    act: 'answer before the slow work with',
    calls: {
      Express: 'response.sendStatus(202)',
      Fastify: 'reply.code(202).send()',
      Flask: 'return "", 202',
      FastAPI: 'Response(status_code=202, background=background)',
      Spring: 'ResponseEntity.accepted().build()',
      'ASP.NET': 'Results.StatusCode(202)',
      Go: 'w.WriteHeader(http.StatusAccepted)',
    },
  },
  {
    causes: /^phone\/(?:answers-not-closed|last-)/,
    act: 'close each answer with',
    calls: {
      ...node("send({ type: 'text', text: '', last: true })"),
      Flask: 'json.dumps({"type": "text", "text": piece, "last": last})',
      FastAPI: 'json.dumps({"type": "text", "text": "", "last": True})',
      PHP: "'last' => $word === null",
      Spring: 'Map.of("type", "text", "text", "", "last", true)',
      'ASP.NET': 'new { type = "text", text = "", last = true }',
    },
  },
  {
    causes: /^(?:payload\/large-body|http\/too-large)$/,
    surfaces: ['own-ai-chat', 'api-webhooks', 'crm-webhook'],
    act: 'raise the limit in',
    isSetting: true,
    calls: {
      Express: "express.raw({ limit: '1mb' }) or express.json({ limit: '1mb' })",
      Fastify: 'fastify({ bodyLimit: 4_194_304 })',
      Flask: "app.config['MAX_CONTENT_LENGTH'] (in aiohttp, client_max_size)",
      FastAPI: 'the proxy (client_max_body_size of nginx), since Uvicorn has no limit',
      PHP: 'post_max_size of php.ini, or client_max_body_size of nginx',
      Spring: 'spring.codec.max-in-memory-size (WebFlux)',
      'ASP.NET': 'options.Limits.MaxRequestBodySize of Kestrel',
      Go: 'http.MaxBytesReader(w, r.Body, 1<<20)',
    },
  },
  {
    causes: /^(?:payload\/unknown-field|phone\/unknown-field-not-handled)$/,
    act: 'accept unknown fields with',
    isSetting: true,
    calls: {
      Fastify: 'additionalProperties: true in the schema of the route',
      FastAPI: "model_config = ConfigDict(extra='ignore')",
      Spring: '@JsonIgnoreProperties(ignoreUnknown = true)',
      'ASP.NET': '[JsonUnmappedMemberHandling(JsonUnmappedMemberHandling.Skip)]',
      Go: 'a json.Decoder on which DisallowUnknownFields() was not called',
    },
  },
];

/** Causes that a call of the framework decides. For others, the snippet shows the whole code. */
export const frameworkCalls: readonly FrameworkCalls[] = [...verification, ...answers];
