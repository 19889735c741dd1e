import type { CauseId } from './causes.ts';
import type { ShownFramework } from './detect-framework.ts';
import type { FrameworkName } from './snippet-code.ts';

/** What the code of each framework calls to avoid a group of causes. */
interface FrameworkCalls {
  readonly causes: RegExp;
  /** Reads with a call. */
  readonly act: string;
  /** As in the snippets; `…` replaces arguments. Absent where no call suffices. */
  readonly calls: Readonly<Partial<Record<FrameworkName, string>>>;
}

/** Causes that a call of the framework decides. For others, the snippet shows the whole code. */
export const frameworkCalls: readonly FrameworkCalls[] = [
  {
    causes:
      /^signature\/(?:body-(?!first|hash|alone|not)|fields-|escapes-|non-ascii-|slashes-|html-|numbers-|newline-|line-ends-|rewritten-body|trimmed-body)/,
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
  },
  {
    causes: /^signature\/(?:first-characters-compared|as-far-as-sent)$/,
    act: 'compare the whole signature with',
    // Not in Express and Fastify: timingSafeEqual throws for another length, and Buffer.from ignores what is not hexadecimal.
    calls: {
      Flask: 'hmac.compare_digest(expected, v1)',
      FastAPI: 'hmac.compare_digest(expected, v1)',
      PHP: 'hash_equals($expected, $v1)',
      Spring: 'MessageDigest.isEqual(…)',
      'ASP.NET': 'CryptographicOperations.FixedTimeEquals(…)',
      Go: 'hmac.Equal(mac.Sum(nil), given)',
    },
  },
  {
    causes:
      /^token\/(?:first-characters-compared|last-characters-compared|contains-compared|part-suffices|only-length|case-ignored|scheme-ignored)$/,
    act: 'compare the whole header with',
    calls: {
      Express: "timingSafeEqual(hash(request.get('Authorization') ?? ''), expected)",
      Fastify: "timingSafeEqual(hash(request.headers.authorization ?? ''), expected)",
      Flask: 'hmac.compare_digest(given, EXPECTED)',
      FastAPI: 'hmac.compare_digest(given, EXPECTED)',
      PHP: 'hash_equals("Bearer $token", $given)',
      Spring: 'MessageDigest.isEqual(…)',
      'ASP.NET': 'CryptographicOperations.FixedTimeEquals(given, expected)',
      Go: 'subtle.ConstantTimeCompare(given[:], expected[:])',
    },
  },
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
];

/** The call to change for a cause in this framework, as a sentence; `undefined` if none decides it. */
export function adviseCall(id: CauseId, { name, sign }: ShownFramework): string | undefined {
  const { act, calls = {} } = frameworkCalls.find(({ causes }) => causes.test(id)) ?? {};
  const call = calls[name];
  if (call === undefined) return undefined;
  const advice = `${act} ${call}.`;
  return sign === undefined ? `In ${name}: ${advice}` : `The ${sign} suggests ${name}: ${advice}`;
}
