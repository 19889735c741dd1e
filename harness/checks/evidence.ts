import type { Exchange } from '../../specs/generated/types.ts';
import { callRecord } from './call-evidence.ts';
import { hiddenCredential } from '../wire/hidden-credential.ts';
import type { Arrival, CallObservation, Observation, Times, WireExchange, WireRequest } from '../wire/observation.ts';
import type { Redact } from '../../service/redact.ts';

/** A stored exchange: redacted, bounded, and without the id that the run assigns. */
export type EvidenceRecord = Omit<Exchange, 'id'>;

/** Characters of a body in evidence; enough for a whole event without its longest strings. */
const shownBodyCharacters = 4_000;
/** Bytes of a body that yield these characters, with a margin, since redaction precedes truncation. */
export const evidenceBytes = 4 * shownBodyCharacters;
/** Characters of one header value, and number of headers, in evidence. */
const shownHeaderCharacters = 500;
export const mostHeaders = 60;

/**
 * Converts exchanges for storage and display: redacted and of bounded size.
 *
 * @param brokeAt if the decisive (last) exchange is a call: the index of the frame that broke the rule
 *   (`Finding.frame`); the record includes this frame, with the index in `CallFrameRecord.n`
 */
export function toRecords(exchanges: readonly WireExchange[], redact: Redact, brokeAt?: number): EvidenceRecord[] {
  return exchanges.map((exchange, at) => {
    switch (exchange.kind) {
      case 'http':
        return sentOnce(exchange, redact);
      case 'call':
        return {
          ...sent(exchange, redact),
          call: callRecord(exchange, redact, at === exchanges.length - 1 ? brokeAt : undefined),
        };
      case 'callback':
      case 'api':
        return arrived(exchange, redact);
    }
  });
}

/** The last record of each exchange: several checks judge the same answers, which no longer change. */
const made = new WeakMap<Observation, { redact: Redact; record: EvidenceRecord }>();

function sentOnce(exchange: Observation, redact: Redact): EvidenceRecord {
  const known = made.get(exchange);
  if (known?.redact === redact) return known.record;
  const record = sent(exchange, redact);
  made.set(exchange, { redact, record });
  return record;
}

function sent(exchange: Observation | CallObservation, redact: Redact): EvidenceRecord {
  const { kind, label, startedAt, request, answer, times, limitMs } = exchange;
  return {
    kind,
    label: redact(label),
    startedAt: startedAt.toISOString(),
    request: requestRecord(request, redact),
    ...(answer.outcome === 'answered'
      ? {
          response: {
            status: answer.status,
            headers: headerRecords(answer.headers, redact.foreign),
            body: formatBody(answer.body, redact.foreign),
            bodyBytes: answer.bodyBytes,
          },
        }
      : {}),
    outcome: answer.outcome,
    ...('detail' in answer ? { detail: redact(answer.detail) } : {}),
    ...(answer.outcome === 'no-answer'
      ? {
          detail: `no complete answer within ${answer.afterMs} ms${begunOf(answer)}`,
        }
      : {}),
    timing: { ...rounded(times), ...(limitMs === undefined ? {} : { limitMs }) },
  };
}

/** Describes the part of an answer that arrived before the timeout. */
function begunOf({ status, bodyBytes = 0 }: { status?: number; bodyBytes?: number }): string {
  return status === undefined ? '' : ` after status ${status}${bodyBytes > 0 ? ` and ${bodyBytes} bytes` : ''}`;
}

function arrived({ kind, label, startedAt, request, bodyBytes, response }: Arrival, redact: Redact): EvidenceRecord {
  const { status, headers, body } = response;
  return {
    kind,
    label: redact(label),
    startedAt: startedAt.toISOString(),
    request: { ...requestRecord(request, redact.foreign), ...(bodyBytes !== undefined && { bodyBytes }) },
    ...(status === 0
      ? { outcome: 'closed', detail: 'the connection ended before the answer was sent' }
      : {
          response: {
            status,
            headers: headerRecords(headers, redact),
            body: formatBody(Buffer.from(body), redact),
            bodyBytes: Buffer.byteLength(body),
          },
          outcome: 'answered',
        }),
    timing: { connectMs: null, firstByteMs: null, totalMs: null },
  };
}

function requestRecord({ method, url, headers, body, authentic }: WireRequest, redact: Redact) {
  return {
    method,
    url: redact(url),
    headers: headerRecords(headers, redact),
    body: formatBody(body, redact),
    bodyBytes: body.length,
    ...(authentic && { authentic }),
  };
}

function headerRecords(headers: WireRequest['headers'], redact: Redact): [string, string][] {
  return headers.slice(0, mostHeaders).map(([name, value]) => {
    const hidden = hiddenCredential(name, value, '[redacted]');
    return hidden === undefined ? [redact(name), bounded(redact(value), shownHeaderCharacters)] : [name, hidden];
  });
}

function formatBody(body: Uint8Array, redact: Redact): string {
  // The margin ensures that a secret at the cut is redacted completely.
  const text = Buffer.from(body.subarray(0, evidenceBytes)).toString('utf8');
  return bounded(redact(text), shownBodyCharacters);
}

function bounded(text: string, characters: number): string {
  return text.length <= characters ? text : `${text.slice(0, characters)}…`;
}

function rounded({ connectMs, firstByteMs, totalMs }: Times) {
  const round = (ms: number | null) => (ms === null ? null : Math.round(ms * 100) / 100);
  return { connectMs: round(connectMs), firstByteMs: round(firstByteMs), totalMs: round(totalMs) };
}
