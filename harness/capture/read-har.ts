import { isJsonObject, describeExceededBounds } from '../checks/json.ts';
import type { Answer, Times } from '../wire/observation.ts';
import { isComplete, type CapturedBody, type CapturedExchange } from './captured-exchange.ts';
import { isCount, isDate, isDuration, isStatus, isUnknown } from './possible-values.ts';
import { readBody } from './read-body.ts';
import { readCall } from './read-call.ts';

type Fields = Record<string, unknown>;
type HeaderPairs = [name: string, value: string][];

/** Names that our own HAR gives to what became of a request without an answer. */
const ownOutcomes = ['no-answer', 'closed', 'malformed', 'unreachable'];

/**
 * Reads one entry of a HAR 1.2 file as the recorders write them: bodies in base64, bodies that are missing or cut,
 * headers of HTTP/2, frames of WebSockets under `_webSocketMessages`. A text tells what keeps it from being read: values
 * that cannot have been recorded would be judged like any other.
 *
 * @param entry which one of the file it is, from 1
 */
export function readHarEntry(value: unknown, entry: number): CapturedExchange | string {
  if (!isJsonObject(value) || !isJsonObject(value.request)) return 'no request';
  const { request, response = {} } = value;
  const { method, url } = request as Fields;
  const started = Date.parse(textOf(value.startedDateTime) ?? '');
  if (typeof method !== 'string' || typeof url !== 'string') return 'a request without a method or an address';
  if (!URL.canParse(url)) return 'an address that is none';
  if (!isDate(started)) return 'no time that can be read (startedDateTime)';
  const odd = impossibleNumber(value, isJsonObject(response) ? response : {});
  if (odd !== undefined) return odd;
  const headers = headerPairs((request as Fields).headers);
  const requestBody = readBody(postData(request), headers, { isRequest: true, method });
  const times = timesOf(value.timings);
  const call = readCall(value, started);
  if (typeof call === 'string') return call;
  const { answer, answerBody } = answerOf(value, isJsonObject(response) ? response : {}, times);
  const unread = describeExceededBounds(requestBody.bytes) ?? describeExceededBounds(answerBody.bytes);
  if (unread !== undefined) return unread;
  return {
    entry,
    startedAt: new Date(started),
    request: {
      method: method.toUpperCase(),
      url,
      headers,
      body: isComplete(requestBody) ? requestBody.bytes : new Uint8Array(),
    },
    requestBody,
    answer,
    answerBody,
    times,
    ...(call && { call }),
  };
}

/** What number of an entry is none that could be recorded. */
function impossibleNumber(
  { request, timings, time }: Fields,
  { status, content, bodySize }: Fields,
): string | undefined {
  const { connect, send, wait, receive } = isJsonObject(timings) ? timings : ({} as Fields);
  const { size, compression } = isJsonObject(content) ? content : ({} as Fields);
  // Without an answer recorders write 0, -1 or null.
  const isMissing = status === undefined || status === null || status === 0 || status === -1;
  if (!isMissing && !isStatus(status)) return 'a status that is none';
  if ([connect, send, wait, receive, time].some((ms) => !isUnknown(ms) && !isDuration(ms))) {
    return 'a time that is none (timings)';
  }
  const sizes = [(request as Fields).bodySize, bodySize, size];
  const isSaved = typeof compression !== 'number' || Number.isSafeInteger(compression);
  return isSaved && sizes.every((bytes) => isUnknown(bytes) || isCount(bytes)) ? undefined : 'a size that is none';
}

/** HAR 1.2 has no encoding of a request's body; HAR 1.3 and several recorders write one. */
function postData({ postData: data, bodySize }: Fields) {
  const { text, encoding, _encoding, comment } = isJsonObject(data) ? data : ({} as Fields);
  return { text, encoding: encoding ?? _encoding, size: bodySize, comment };
}

function answerOf(entry: Fields, response: Fields, times: Times): Pick<CapturedExchange, 'answer' | 'answerBody'> {
  const { status, content, bodySize } = response;
  const headers = headerPairs(response.headers);
  if (!isStatus(status)) {
    return { answer: missingAnswer(entry, response, times), answerBody: { bytes: new Uint8Array(), state: 'missing' } };
  }
  const { text, encoding, size, compression, comment } = isJsonObject(content) ? content : ({} as Fields);
  const answerBody = readBody({ text, encoding, size, compression, bodySize, comment }, headers, {
    isRequest: false,
    status,
  });
  return { answer: toAnswer(status, headers, answerBody), answerBody };
}

/** An answer with this body, which is omitted where it is not whole. */
export function toAnswer(status: number, headers: HeaderPairs, body: CapturedBody): Answer {
  const whole = isComplete(body);
  return {
    outcome: 'answered',
    status,
    headers,
    body: whole ? body.bytes : new Uint8Array(),
    // What is there of a body that is not whole tells nothing about its size.
    bodyBytes: whole ? body.bytes.length : (body.size ?? 0),
    truncated: !whole,
  };
}

function missingAnswer({ _outcome: own, _error, time }: Fields, response: Fields, { totalMs }: Times): Answer {
  // Chrome writes what went wrong into the response.
  const error = [_error, response._error].map(textOf).find((text) => text !== undefined && text !== '');
  const outcome = ownOutcomes.find((one) => one === own) as Exclude<Answer['outcome'], 'answered'> | undefined;
  const afterMs = totalMs ?? (isDuration(time) ? time : 0);
  // An error may be anybody's doing, a name that was not found for one; that nothing came for so long is what was seen.
  const isWait = outcome === undefined && error === undefined && totalMs !== null;
  if (outcome === 'no-answer' || isWait) return { outcome: 'no-answer', afterMs };
  return { outcome: outcome ?? 'closed', detail: error ?? 'the recording has no answer' };
}

/** Pseudo-headers of HTTP/2 (RFC 9113, 8.3) are not headers. */
function headerPairs(value: unknown): HeaderPairs {
  if (!Array.isArray(value)) return [];
  return value.flatMap((header: unknown): HeaderPairs => {
    if (!isJsonObject(header) || typeof header.name !== 'string' || header.name.startsWith(':')) return [];
    return [[header.name, typeof header.value === 'string' ? header.value : '']];
  });
}

/**
 * Times from the first byte sent, as limits are held against them: connecting counts apart. Recorders that do not
 * measure write -1, nothing, or zeros throughout.
 */
function timesOf(value: unknown): Times {
  const { connect, send, wait, receive } = isJsonObject(value) ? value : ({} as Fields);
  const none: Times = { connectMs: isDuration(connect) ? connect : null, firstByteMs: null, totalMs: null, lagMs: 0 };
  if (!isDuration(send) || !isDuration(wait) || !isDuration(receive) || send + wait + receive === 0) return none;
  return { ...none, firstByteMs: send + wait, totalMs: send + wait + receive };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
