import type { WireExchange } from '../harness/wire/observation.ts';
import type { CheckResult, Exchange } from '../specs/generated/types.ts';
import type { FrameworkName } from './snippet-code.ts';

/** A framework, and why its code is shown. */
export interface ShownFramework {
  readonly name: FrameworkName;
  /** The part of the answers that points to it: `header X-Powered-By`; absent for one that the user chose. */
  readonly sign?: string;
  /** The language, if the sign shows only that: the framework is an example. */
  readonly language?: string;
}

/** The parts of an answer that can reveal a framework. */
export interface RevealingAnswer {
  /** Pairs of name and value. */
  readonly headers: readonly (readonly string[])[];
  /** The beginning of the body. */
  readonly body: string;
}

/** What frameworks, and servers of a language, send unless they are configured otherwise. */
const headerSigns: readonly (readonly [header: string, value: RegExp, name: FrameworkName, language?: string])[] = [
  ['X-Powered-By', /^Express$/i, 'Express'],
  ['X-Powered-By', /^PHP\//i, 'PHP'],
  ['X-Powered-By', /^ASP\.NET/i, 'ASP.NET'],
  ['Server', /\bWerkzeug\//i, 'Flask'],
  ['Server', /^(?:uvicorn|hypercorn)/i, 'FastAPI'],
  ['Server', /^Kestrel/i, 'ASP.NET'],
  ['Server', /\bPHP\//i, 'PHP'],
  ['X-Powered-By', /^Next\.js/i, 'Express', 'JavaScript'],
  ['Server', /^(?:gunicorn|waitress|TornadoServer|Python\/|BaseHTTP\/|WSGIServer\/)/i, 'Flask', 'Python'],
  ['Server', /^(?:Jetty|Apache-Coyote)/i, 'Spring', 'Java'],
];

/** How the frameworks report a path or method that they do not know. That of Go is also the one of proxies written in it. */
const bodySigns: readonly (readonly [body: RegExp, name: FrameworkName])[] = [
  [/<pre>Cannot [A-Z]+ \//, 'Express'],
  [/"message":"Route [A-Z]+:\/[^"]* not found"/, 'Fastify'],
  [/^\{"detail":"(?:Not Found|Method Not Allowed)"\}$/, 'FastAPI'],
  [/^\{"timestamp":"[^"]+","status":40[45],"error":"[^"]+","path":"/, 'Spring'],
];

/** Bytes of a body that can contain a sign. */
const revealingBytes = 300;

/** Collects what answers reveal about the framework of an endpoint. */
export class FrameworkSigns {
  readonly #found = new Map<FrameworkName, ShownFramework>();

  /** The framework; `undefined` for none, or for several, of which some may be proxies. */
  get framework(): ShownFramework | undefined {
    const [only, ...others] = this.#found.values();
    return others.length === 0 ? only : undefined;
  }

  add({ headers, body }: RevealingAnswer): void {
    for (const [header, pattern, name, language] of headerSigns) {
      const isSign = ([key = '', value = '']: readonly string[]) =>
        key.toLowerCase() === header.toLowerCase() && pattern.test(value);
      const sign = `header ${header}`;
      if (headers.some(isSign)) this.#found.set(name, { name, sign, ...(language !== undefined && { language }) });
    }
    for (const [pattern, name] of bodySigns) {
      if (pattern.test(body) && !this.#found.has(name)) this.#found.set(name, { name, sign: 'error page' });
    }
  }

  addExchange(exchange: WireExchange): void {
    if (!('answer' in exchange) || exchange.answer.outcome !== 'answered') return;
    const { headers, body } = exchange.answer;
    this.add({ headers, body: Buffer.from(body.subarray(0, revealingBytes)).toString('utf8') });
  }
}

/** The framework that these answers reveal. */
export function detectFramework(answers: Iterable<RevealingAnswer>): ShownFramework | undefined {
  const signs = new FrameworkSigns();
  for (const answer of answers) signs.add(answer);
  return signs.framework;
}

/** The framework of each surface that its answers in a run reveal. */
export function frameworksOfSurfaces({
  checks,
  exchanges,
}: {
  checks: readonly CheckResult[];
  exchanges: readonly Exchange[];
}): Map<string, ShownFramework | undefined> {
  const answers = new Map(
    exchanges.flatMap(({ id, kind, response }) =>
      response && (kind === 'http' || kind === 'call') ? [[id, response] as const] : [],
    ),
  );
  return new Map(
    [...Map.groupBy(checks, ({ surface }) => surface)].map(([surface, own]) => [
      surface,
      detectFramework(own.flatMap(({ evidence }) => evidence.flatMap((id) => answers.get(id) ?? []))),
    ]),
  );
}
