import { callRecord } from '../../harness/checks/call-evidence.ts';
import { hiddenCredential } from '../../harness/wire/hidden-credential.ts';
import type { CallObservation, Observation, WireRequest } from '../../harness/wire/observation.ts';
import { redactValue, type Redact } from '../../service/redact.ts';
import { indentJson } from '../../reports/text/indent-json.ts';
import type { Paint } from '../../reports/write/terminal/terminal-paint.ts';
import { padded, wrapped } from '../../reports/write/terminal/terminal-text.ts';
import { transcript } from '../../reports/text/transcript.ts';
import { visibleControls, visibleOnOneLine } from '../../reports/text/visible-controls.ts';
import { formatDuration } from '../../reports/text/wording.ts';
import { formatSeconds, type SendResult } from './send-context.ts';

/** A request or call of one `send`, and its answer. */
export type SentExchange = Observation | CallObservation;

/** The data that `send` prints. */
export interface SendReport {
  exchanges: readonly SentExchange[];
  result: SendResult;
  redact: Redact;
}

/** Renders requests, answers and effects in the service for a terminal. Control characters are made visible. */
export function renderSend(
  { exchanges, result, redact }: SendReport,
  { paint, width }: { paint: Paint; width: number },
): string {
  const { sentences, notes = [], isUsable } = result;
  const shown = (text: string) => visibleControls(redact(text));
  const sentence = (mark: string, text: string) => {
    const [first = '', ...rest] = wrapped(visibleOnOneLine(redact(text)), Math.max(20, width - 4));
    return [`${mark} ${first}`, ...rest.map((line) => `  ${line}`)];
  };
  return [
    ...exchanges.flatMap((exchange, at) => [
      ...(at > 0 ? [''] : []),
      ...exchangeLines(exchange, result, { paint, shown, redact }),
    ]),
    '',
    ...notes.flatMap((note) => sentence('!', note)),
    paint.bold('Effects in the service'),
    ...sentences.flatMap((text) => sentence(' ', text)),
    '',
    isUsable
      ? paint.outcome('pass', 'The service accepts the answer.')
      : paint.outcome('fail', 'The service does not accept the answer.'),
    '',
  ].join('\n');
}

/** Formats the same data as one JSON object on one line. */
export function sendJson({ exchanges, result, redact }: SendReport): string {
  const { sentences, notes = [], isUsable, limitMs } = result;
  const report = {
    isUsable,
    ...(limitMs !== undefined && { limitMs }),
    exchanges: exchanges.map(exchangeJson(redact)),
    sentences,
    notes,
  };
  return JSON.stringify(redactValue(report, redact));
}

interface Places {
  paint: Paint;
  shown: (text: string) => string;
  redact: Redact;
}

function exchangeLines(exchange: SentExchange, { limitMs }: SendResult, { paint, shown, redact }: Places): string[] {
  const { request, answer, times } = exchange;
  const limit = limitMs === undefined ? '' : ` of ${formatSeconds(limitMs / 1000)}`;
  const took = times.totalMs === null ? '' : ` in ${formatDuration(times.totalMs)}${limit}`;
  const said = (text: string) => shown(redact.foreign(text));
  const body = (bytes: Uint8Array, show = shown) => {
    const text = Buffer.from(bytes).toString('utf8');
    return text === ''
      ? []
      : [
          '',
          ...show(indentJson(text))
            .split('\n')
            .map((line) => `  ${line}`),
        ];
  };
  const headers = (of: WireRequest['headers'], show = shown) =>
    of.map(([name, value]) => paint.dim(`  ${show(name)}: ${show(headerValue(name, value))}`));
  const came =
    answer.outcome === 'answered'
      ? [paint.bold(`← ${answer.status}${took}`), ...headers(answer.headers, said), ...body(answer.body, said)]
      : [paint.outcome('fail', `← ${shown(describeOutcome(answer))}`)];
  return [
    paint.bold(`→ ${request.method} ${shown(request.url)}`) + paint.dim(`  ${shown(exchange.label)}`),
    ...headers(request.headers),
    ...body(request.body),
    '',
    ...came,
    ...(exchange.kind === 'call' && exchange.frames.length > 0 ? ['', ...callLines(exchange, redact, paint)] : []),
  ];
}

/** Formats the call as a dialogue, line by line. */
function callLines(call: CallObservation, redact: Redact, paint: Paint): string[] {
  const lines = transcript(callRecord(call, redact));
  const times = lines.map(({ atMs }) => `${Math.round(atMs)} ms`);
  const timeWidth = Math.max(...times.map((time) => time.length));
  return lines.map(({ who = '', what }, at) => {
    const time = paint.dim((times[at] ?? '').padStart(timeWidth));
    return `  ${time}  ${paint.bold(padded(who, 'service'.length))}  ${visibleOnOneLine(what)}`;
  });
}

function describeOutcome(answer: Exclude<SentExchange['answer'], { outcome: 'answered' }>): string {
  switch (answer.outcome) {
    case 'no-answer':
      return `no complete answer within ${formatSeconds(answer.afterMs / 1000)}${answer.status === undefined ? '' : ` after status ${answer.status}`}`;
    case 'closed':
      return `the connection was closed before the answer was complete: ${answer.detail}`;
    case 'malformed':
      return `the answer is not HTTP: ${answer.detail}`;
    case 'unreachable':
      return `no connection: ${answer.detail}`;
  }
}

function exchangeJson(redact: Redact) {
  return (exchange: SentExchange) => {
    const { kind, label, startedAt, request, answer, times } = exchange;
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
    const headers = (of: WireRequest['headers'], show = (value: string) => value) =>
      of.map(([name, value]) => [show(name), show(headerValue(name, value))]);
    const { method, url } = request;
    return {
      kind,
      label,
      startedAt: startedAt.toISOString(),
      request: { method, url, headers: headers(request.headers), body: text(request.body) },
      outcome: answer.outcome,
      ...(answer.outcome === 'answered'
        ? {
            response: {
              status: answer.status,
              headers: headers(answer.headers, redact.foreign),
              body: redact.foreign(text(answer.body)),
              truncated: answer.truncated,
            },
          }
        : { detail: describeOutcome(answer) }),
      totalMs: times.totalMs,
      ...(exchange.kind === 'call' && { call: callRecord(exchange, redact) }),
    };
  };
}

function headerValue(name: string, value: string): string {
  return hiddenCredential(name, value, '(hidden)') ?? value;
}
