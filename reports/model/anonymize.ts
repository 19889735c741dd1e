import { protocolRevision } from '../../specs/limits.ts';
import { requirements as catalogue } from '../../specs/requirements/catalogue.ts';
import type {
  CheckResult,
  Exchange,
  Report,
  ReportComparison,
  RequirementResult,
} from '../../specs/generated/types.ts';
import type { Identities } from './anonymize/identities.ts';
import { fieldKind } from './anonymize/field-kinds.ts';
import { wellKnownNumbers } from './anonymize/numbers.ts';
import { StandIns } from './anonymize/stand-ins.ts';
import { TextRewriter } from './anonymize/text-rewriter.ts';
import { formatPointer, parsePointer } from '../../specs/json-pointer.ts';

/**
 * Removes everything that identifies a person, company or place: hosts, phone numbers, names, addresses, mail addresses and
 * ids are replaced, each by the same stand-in everywhere. A word is kept only if it is known from the interface, our
 * messages or the web, so unforeseen text is replaced rather than disclosed. Verdicts, counts, times, sizes and references
 * do not change. An anonymised report is returned unchanged.
 */
export function anonymize(report: Report): Report {
  if (report.anonymized) return report;
  const identities = identitiesOf(report);
  const learning = new TextRewriter(identities);
  for (const text of structured(report)) learning.learn(text);
  // The second pass finds at the beginning of a report what is known only from its end.
  rewritten(report, learning, identities);
  return rewritten(report, new TextRewriter(identities), identities);
}

function identitiesOf(report: Report): Identities {
  const { seed, startedAt, requirements, checks, timings, gate, protocol } = report;
  const seeds = checks.flatMap(({ counterexample }) => counterexample?.seed ?? []);
  return {
    standIns: new StandIns(new Set(JSON.stringify(report).match(/\d{4,}/g))),
    names: new Map(),
    called: new Set(),
    terms: new Set(),
    wellKnown: wellKnownNumbers(startedAt, [seed, ...seeds]),
    ours: new Set([
      ...[...requirements, ...checks].map(({ id }) => id),
      ...timings.map(({ name }) => name),
      ...(gate?.waivers ?? []).map(({ until }) => until),
      ...(/^\d{4}-\d{2}-\d{2}$/.test(protocol) ? [protocol] : []),
      protocolRevision,
    ]),
    ranAt: Date.parse(startedAt),
  };
}

/** Strings with named fields, whose names say what their values are. */
function structured({ checks, exchanges, logs = [] }: Report): string[] {
  return [
    ...exchanges.flatMap(({ request, response, call }) => [
      request.body,
      response?.body ?? '',
      ...(call?.frames.map(({ text }) => text) ?? []),
    ]),
    ...checks.flatMap(({ counterexample }) => counterexample?.event ?? []),
    ...logs.map(({ text }) => text),
  ];
}

function rewritten(report: Report, rewriter: TextRewriter, { ours }: Identities): Report {
  const text = (one: string) => rewriter.text(one);
  const { selection, gate, previous, container, start, logs, environment } = report;
  // The commit and the system lead to the endpoint.
  const { origin: _, ...rest } = report;
  return {
    ...textsOf(rest, ['protocol', 'configFile', 'configInRepository'], text),
    target: Object.fromEntries(
      Object.entries(report.target).map(([surface, target]) => [
        surface,
        textsOf(target, ['url', 'command', 'file'], text),
      ]),
    ),
    ...(selection?.only && {
      selection: { ...selection, only: selection.only.map((id) => (ours.has(id) ? id : text(id))) },
    }),
    ...(environment && {
      environment: {
        ...environment,
        ...(environment.proxies && { proxies: environment.proxies.map((proxy) => textsOf(proxy, ['url'], text)) }),
        ...(environment.allowedHttp && { allowedHttp: environment.allowedHttp.map((host) => hostIn(host, text)) }),
      },
    }),
    ...(gate && { gate: gateOf(gate, text) }),
    ...(previous && { previous: comparisonOf(previous, text) }),
    ...(container && { container: textsOf(container, ['image', 'digest'], text) }),
    ...(start && { start: textsOf(start, ['command'], text) }),
    ...(logs && { logs: logs.map((line) => textsOf(line, ['text'], text)) }),
    anonymized: true,
    requirements: report.requirements.map((row) => requirementOf(row, text)),
    checks: report.checks.map((check) => checkOf(check, rewriter)),
    exchanges: report.exchanges.map((exchange) => exchangeOf(exchange, rewriter)),
  };
}

/** The rewriter recognises a host in an address. */
function hostIn(host: string, text: (one: string) => string): string {
  return text(`http://${host}/`).replace(/^http:\/\/|\/$/g, '');
}

function gateOf(gate: NonNullable<Report['gate']>, text: (one: string) => string): NonNullable<Report['gate']> {
  return {
    ...gate,
    reasons: gate.reasons.map(text),
    ...(gate.baseline && { baseline: comparisonOf(gate.baseline, text) }),
    ...(gate.waivers && { waivers: gate.waivers.map((waiver) => textsOf(waiver, ['reason'], text)) }),
  };
}

function comparisonOf({ notes, ...comparison }: ReportComparison, text: (one: string) => string): ReportComparison {
  return { ...comparison, ...(notes && { notes: notes.map(text) }) };
}

/** Keeps the text of the catalogue verbatim. */
function requirementOf(row: RequirementResult, text: (one: string) => string): RequirementResult {
  const entry: Partial<RequirementResult> = Object.hasOwn(catalogue, row.id)
    ? catalogue[row.id as keyof typeof catalogue]
    : {};
  const own = (one: string) => (Object.values(entry).includes(one) ? one : text(one));
  return textsOf(textsOf(row, ['section', 'statement', 'remediation', 'unobservable'], own), ['message'], own);
}

function checkOf(check: CheckResult, rewriter: TextRewriter): CheckResult {
  const text = (one: string) => rewriter.text(one);
  const { brokeAt, causes, counterexample } = check;
  return {
    ...textsOf(check, ['message', 'expected', 'received', 'hint', 'reproduce'], text),
    ...(causes && { causes: causes.map((cause) => textsOf(cause, ['summary', 'why', 'remediation'], text)) }),
    ...(brokeAt &&
      'part' in brokeAt && {
        brokeAt: {
          ...brokeAt,
          ...(brokeAt.name !== undefined && { name: headerName(brokeAt.name, text) }),
          ...(brokeAt.pointer !== undefined && { pointer: renamedPointer(brokeAt.pointer, rewriter) }),
        },
      }),
    ...(counterexample && {
      counterexample: {
        ...counterexample,
        event: text(counterexample.event),
        differences: counterexample.differences.map(({ pointer, failing, accepted }) => {
          const field = pointer.split('/').findLast((part) => !/^\d*$/.test(part)) ?? '';
          const value = (one: string) => rewriter.value(one, field);
          return { pointer: renamedPointer(pointer, rewriter), failing: value(failing), accepted: value(accepted) };
        }),
      },
    }),
  };
}

/** A JSON Pointer to the renamed field. */
function renamedPointer(pointer: string, rewriter: TextRewriter): string {
  return formatPointer(parsePointer(pointer).map((name) => rewriter.field(name)));
}

/** Header names are case-insensitive. */
function headerName(name: string, text: (one: string) => string): string {
  const lower = name.toLowerCase();
  return text(lower) === lower ? name : text(name);
}

/** Sizes and ages, which are never ids. */
const amountHeaders =
  /^(?:content-length|content-range|age|retry-after|keep-alive|strict-transport-security|cache-control|x-ratelimit-.*)$/i;

function exchangeOf(exchange: Exchange, rewriter: TextRewriter): Exchange {
  const text = (one: string) => rewriter.text(one);
  const header = ([name = '', value = '']: string[]) => [
    headerName(name, text),
    amountHeaders.test(name) && !/\p{L}{2}|\d{10}/u.test(value) ? value : rewriter.text(value, fieldKind(name)),
  ];
  const { request, response, call } = exchange;
  return {
    ...textsOf(exchange, ['label', 'detail'], text),
    request: { ...textsOf(request, ['method', 'url', 'body'], text), headers: request.headers.map(header) },
    ...(response && {
      response: { ...textsOf(response, ['body'], text), headers: response.headers.map(header) },
    }),
    ...(call && {
      call: {
        ...call,
        callId: rewriter.text(call.callId, 'id'),
        frames: call.frames.map((frame) => textsOf(frame, ['text'], text)),
        ...(call.end && { end: textsOf(call.end, ['reason', 'detail'], text) }),
      },
    }),
  };
}

/** Rewrites these fields where they exist. */
function textsOf<Value extends object, Name extends keyof Value>(
  value: Value,
  names: readonly Name[],
  text: (one: string) => string,
): Value {
  const changed = names.flatMap((name) => {
    const one = value[name];
    return typeof one === 'string' ? [[name, text(one)]] : [];
  });
  return { ...value, ...Object.fromEntries(changed) } as Value;
}
