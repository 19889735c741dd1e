import type { CallRecord, Exchange, Headers, Report } from '../../../specs/generated/types.ts';
import { formatJson } from '../../text/format-json.ts';
import { labelPartial, labelReport } from '../../text/headline.ts';
import { environmentNotes } from '../../text/run-notes.ts';
import { formatExchangeResult } from '../../text/wording.ts';

/**
 * The exchanges as HAR 1.2. A call is an entry with its frames under `_webSocketMessages`, as browsers write them.
 * Without an answer the status is 0. Bodies are those of the report: redacted, and cut when long.
 */
export function renderHar(report: Report): string {
  const { harness, environment, exchanges, seed, verdict } = report;
  const document = {
    log: {
      version: '1.2',
      creator: { name: harness.name, version: harness.version },
      entries: exchanges.map(entry),
      comment: [
        ...environmentNotes(environment),
        `${labelPartial(report) === undefined ? verdict : labelReport(report)}, seed ${seed}; secrets are redacted, long bodies are truncated`,
      ].join(' '),
      ...(environment && { _environment: environment }),
    },
  };
  return formatJson(document, 2);
}

function entry(exchange: Exchange) {
  const { id, kind, label, startedAt, request, timing, detail, outcome, call } = exchange;
  const timings = harTimings(timing);
  const contentType = headerOf(request.headers, 'content-type');
  return {
    startedDateTime: startedAt,
    time: Object.values(timings).reduce((sum, part) => sum + Math.max(0, part), 0),
    request: {
      method: request.method,
      url: harUrl(request.url),
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: queryOf(request.url),
      ...((request.body !== '' || request.bodyBytes > 0) && {
        postData: { mimeType: contentType ?? '', text: request.body, ...cutNote(request) },
      }),
      headersSize: -1,
      bodySize: request.bodyBytes,
    },
    response: harResponse(exchange),
    cache: {},
    timings,
    comment: `${id}: ${label} (${kind}): ${formatExchangeResult(exchange)}`,
    _id: id,
    _kind: kind,
    _outcome: outcome,
    ...(timing.limitMs !== undefined && { _limitMs: timing.limitMs }),
    ...(detail !== undefined && { _error: detail }),
    ...(call && {
      _resourceType: 'websocket',
      _callId: call.callId,
      _framesOmitted: call.framesOmitted,
      _webSocketMessages: messages(call, startedAt),
      ...(call.end && { _closed: call.end }),
    }),
  };
}

function harResponse({ response }: Exchange) {
  const headers = response?.headers ?? [];
  return {
    status: response?.status ?? 0,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(headers),
    content: {
      size: response?.bodyBytes ?? 0,
      mimeType: headerOf(headers, 'content-type') ?? 'x-unknown',
      ...(response && { text: response.body, ...cutNote(response) }),
    },
    redirectURL: headerOf(headers, 'location') ?? '',
    headersSize: -1,
    bodySize: response?.bodyBytes ?? -1,
  };
}

// HAR has -1 for what did not happen or is not known; send, wait and receive must be numbers from 0 (HAR 1.2, timings).
function harTimings({ connectMs, firstByteMs, totalMs }: Exchange['timing']) {
  const total = totalMs ?? firstByteMs ?? 0;
  const wait = Math.min(firstByteMs ?? total, total);
  return { blocked: -1, dns: -1, connect: connectMs ?? -1, ssl: -1, send: 0, wait, receive: total - wait };
}

// Frames have the form of Chromium's export: seconds since 1970. Its opcode 2 means base64 data, which our binary frames
// no longer are: they were decoded and redacted.
function messages({ frames }: CallRecord, startedAt: string) {
  const start = Date.parse(startedAt);
  return frames.map(({ from, atMs, text, binary }) => ({
    type: from === 'service' ? 'send' : 'receive',
    time: (start + atMs) / 1000,
    opcode: 1,
    data: text,
    ...(binary && { _binary: true }),
  }));
}

function cutNote({ body, bodyBytes }: { readonly body: string; readonly bodyBytes: number }) {
  return Buffer.byteLength(body) < bodyBytes ? { comment: `truncated; ${bodyBytes} bytes in total` } : {};
}

function pairs(headers: Headers) {
  return headers.map(([name = '', value = '']) => ({ name, value }));
}

function headerOf(headers: Headers, wanted: string): string | undefined {
  return headers.find(([name]) => name?.toLowerCase() === wanted)?.[1];
}

/** Placeholder for a missing host. */
const noHost = 'http://unknown.invalid';

// HAR requires absolute URLs, and a report may contain an invalid one.
function harUrl(url: string): string {
  return URL.parse(url, noHost)?.href ?? `${noHost}/`;
}

function queryOf(url: string) {
  return [...(URL.parse(url, noHost)?.searchParams ?? [])].map(([name, value]) => ({ name, value }));
}
