import { describeExceededBounds } from '../checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { Answer, Times } from '../wire/observation.ts';
import { isComplete, type CapturedBody, type CapturedExchange } from './captured-exchange.ts';
import { isCount, isDate, isDuration, isStatus, isUnknown } from './possible-values.ts';
import { readBody } from './read-body.ts';
import { readCall } from './read-call.ts';
import type { JsonObject } from '../../specs/json-value.ts';

type HeaderPairs = [name: string, value: string][];

/** Outcomes in our own HAR of requests without an answer. */
const ownOutcomes = ['no-answer', 'closed', 'malformed', 'unreachable'];

/**
 * Reads one entry of a HAR 1.2 file as recorders write it: base64 bodies, missing or truncated bodies, HTTP/2 headers,
 * WebSocket frames under `_webSocketMessages`. Returns a string with the reason for an unreadable entry; impossible
 * values make an entry unreadable because they would be judged like any other.
 *
 * @param entry its number in the file, from 1
 */
export function readHarEntry(value: unknown, entry: number): CapturedExchange | string {
  if (!isJsonObject(value) || !isJsonObject(value.request)) return 'no request';
  const { request, response = {} } = value;
  const { method, url } = request;
  const started = Date.parse(textOf(value.startedDateTime) ?? '');
  if (typeof method !== 'string' || typeof url !== 'string') return 'a request without a method or address';
  if (!URL.canParse(url)) return 'an invalid address';
  if (!isDate(started)) return 'an invalid time (startedDateTime)';
  const odd = impossibleNumber(value, isJsonObject(response) ? response : {});
  if (odd !== undefined) return odd;
  const headers = headerPairs(request.headers);
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

/** Describes a number of an entry that is impossible. */
function impossibleNumber(
  { request, timings, time }: JsonObject,
  { status, content, bodySize }: JsonObject,
): string | undefined {
  const { connect, send, wait, receive } = isJsonObject(timings) ? timings : ({} as JsonObject);
  const { size, compression } = isJsonObject(content) ? content : ({} as JsonObject);
  // Recorders write 0, -1 or null for a missing answer.
  const isMissing = status === undefined || status === null || status === 0 || status === -1;
  if (!isMissing && !isStatus(status)) return 'an invalid status';
  if ([connect, send, wait, receive, time].some((ms) => !isUnknown(ms) && !isDuration(ms))) {
    return 'an invalid time (timings)';
  }
  const sizes = [(request as JsonObject).bodySize, bodySize, size];
  const isSaved = typeof compression !== 'number' || Number.isSafeInteger(compression);
  return isSaved && sizes.every((bytes) => isUnknown(bytes) || isCount(bytes)) ? undefined : 'an invalid size';
}

/** HAR 1.2 defines no encoding of request bodies; HAR 1.3 and several recorders do. */
function postData({ postData: data, bodySize }: JsonObject) {
  const { text, encoding, _encoding, comment } = isJsonObject(data) ? data : ({} as JsonObject);
  return { text, encoding: encoding ?? _encoding, size: bodySize, comment };
}

function answerOf(
  entry: JsonObject,
  response: JsonObject,
  times: Times,
): Pick<CapturedExchange, 'answer' | 'answerBody'> {
  const { status, content, bodySize } = response;
  const headers = headerPairs(response.headers);
  if (!isStatus(status)) {
    return { answer: missingAnswer(entry, response, times), answerBody: { bytes: new Uint8Array(), state: 'missing' } };
  }
  const { text, encoding, size, compression, comment } = isJsonObject(content) ? content : ({} as JsonObject);
  const answerBody = readBody({ text, encoding, size, compression, bodySize, comment }, headers, {
    isRequest: false,
    status,
  });
  return { answer: toAnswer(status, headers, answerBody), answerBody };
}

/** An answer with this body, which is omitted if it is incomplete. */
export function toAnswer(status: number, headers: HeaderPairs, body: CapturedBody): Answer {
  const whole = isComplete(body);
  return {
    outcome: 'answered',
    status,
    headers,
    body: whole ? body.bytes : new Uint8Array(),
    // The available part of an incomplete body does not show its size.
    bodyBytes: whole ? body.bytes.length : (body.size ?? 0),
    truncated: !whole,
  };
}

function missingAnswer({ _outcome: own, _error, time }: JsonObject, response: JsonObject, { totalMs }: Times): Answer {
  // Chrome writes the error into the response.
  const error = [_error, response._error].map(textOf).find((text) => text !== undefined && text !== '');
  const outcome = ownOutcomes.find((one) => one === own) as Exclude<Answer['outcome'], 'answered'> | undefined;
  const afterMs = totalMs ?? (isDuration(time) ? time : 0);
  // An error may have any cause, such as a failed name lookup; a wait without an error is an observation.
  const isWait = outcome === undefined && error === undefined && totalMs !== null;
  if (outcome === 'no-answer' || isWait) return { outcome: 'no-answer', afterMs };
  return { outcome: outcome ?? 'closed', detail: error ?? 'the recording contains no answer' };
}

/** Skips the pseudo-headers of HTTP/2 (RFC 9113, 8.3). */
function headerPairs(value: unknown): HeaderPairs {
  if (!Array.isArray(value)) return [];
  return value.flatMap((header: unknown): HeaderPairs => {
    if (!isJsonObject(header) || typeof header.name !== 'string' || header.name.startsWith(':')) return [];
    return [[header.name, typeof header.value === 'string' ? header.value : '']];
  });
}

/**
 * Times from the first byte sent, as limits require: connecting is excluded. Recorders write -1, nothing, or zeros
 * throughout for times that they do not measure.
 */
function timesOf(value: unknown): Times {
  const { connect, send, wait, receive } = isJsonObject(value) ? value : ({} as JsonObject);
  const none: Times = { connectMs: isDuration(connect) ? connect : null, firstByteMs: null, totalMs: null, lagMs: 0 };
  if (!isDuration(send) || !isDuration(wait) || !isDuration(receive) || send + wait + receive === 0) return none;
  return { ...none, firstByteMs: send + wait, totalMs: send + wait + receive };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
