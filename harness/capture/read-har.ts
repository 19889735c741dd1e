import { isJsonObject } from '../json.ts';
import type { Answer, CallEnd, CallFrame, Times } from '../observation.ts';
import { readBody } from './read-body.ts';
import { isWhole, type CapturedBody, type CapturedExchange } from './captured-exchange.ts';

type Members = Record<string, unknown>;
type HeaderPairs = [name: string, value: string][];

/** Names that our own HAR gives to what became of a request without an answer. */
const ownOutcomes = ['no-answer', 'closed', 'malformed', 'unreachable'];

/**
 * Reads one entry of a HAR 1.2 file as the recorders write them: bodies in base64, bodies that are missing or cut,
 * headers of HTTP/2, frames of WebSockets under `_webSocketMessages`. A text tells what keeps it from being read.
 *
 * @param entry which one of the file it is, from 1
 */
export function readHarEntry(value: unknown, entry: number): CapturedExchange | string {
  if (!isJsonObject(value) || !isJsonObject(value.request)) return 'no request';
  const { request, response = {} } = value;
  const { method, url } = request as Members;
  const started = Date.parse(textOf(value.startedDateTime) ?? '');
  if (typeof method !== 'string' || typeof url !== 'string') return 'a request without a method or an address';
  if (!URL.canParse(url)) return 'an address that is none';
  if (Number.isNaN(started)) return 'no time (startedDateTime)';
  const headers = headerPairs((request as Members).headers);
  const requestBody = readBody(postData(request), headers, { isRequest: true, method });
  const times = timesOf(value.timings);
  const call = callOf(value, started);
  return {
    entry,
    startedAt: new Date(started),
    request: {
      method: method.toUpperCase(),
      url,
      headers,
      body: isWhole(requestBody) ? requestBody.bytes : new Uint8Array(),
    },
    requestBody,
    ...answerOf(value, isJsonObject(response) ? response : {}, times),
    times,
    ...(call && { call }),
  };
}

/** HAR 1.2 has no encoding of a request's body; HAR 1.3 and several recorders write one. */
function postData({ postData: data, bodySize }: Members) {
  const { text, encoding, _encoding, comment } = isJsonObject(data) ? data : ({} as Members);
  return { text, encoding: encoding ?? _encoding, size: bodySize, comment };
}

function answerOf(entry: Members, response: Members, times: Times): Pick<CapturedExchange, 'answer' | 'answerBody'> {
  const { status, content, bodySize } = response;
  const headers = headerPairs(response.headers);
  if (typeof status !== 'number' || status < 100) {
    return { answer: missingAnswer(entry, times), answerBody: { bytes: new Uint8Array(), state: 'missing' } };
  }
  const { text, encoding, size, compression, comment } = isJsonObject(content) ? content : ({} as Members);
  const answerBody = readBody({ text, encoding, size, compression, bodySize, comment }, headers, {
    isRequest: false,
    status,
  });
  return { answer: answered(status, headers, answerBody), answerBody };
}

/** An answer with this body, which is left out where it is not whole. */
export function answered(status: number, headers: HeaderPairs, body: CapturedBody): Answer {
  const whole = isWhole(body);
  return {
    outcome: 'answered',
    status,
    headers,
    body: whole ? body.bytes : new Uint8Array(),
    bodyBytes: whole ? body.bytes.length : (body.size ?? body.bytes.length),
    truncated: !whole,
  };
}

function missingAnswer({ _outcome: own, _error: error, time }: Members, { totalMs }: Times): Answer {
  const detail = typeof error === 'string' && error !== '' ? error : 'the recording has no answer';
  const outcome = ownOutcomes.find((one) => one === own) as Exclude<Answer['outcome'], 'answered'> | undefined;
  const afterMs = totalMs ?? (typeof time === 'number' ? time : 0);
  // What a recorder calls an error may be anybody's doing; that nothing came for so long is what it saw.
  if (outcome === 'no-answer' || (outcome === undefined && totalMs !== null)) return { outcome: 'no-answer', afterMs };
  return { outcome: outcome ?? 'closed', detail };
}

/** Pseudo-headers of HTTP/2 (RFC 9113, 8.3) are no headers. */
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
  const { connect, send, wait, receive } = isJsonObject(value) ? value : ({} as Members);
  const known = (ms: unknown): ms is number => typeof ms === 'number' && ms >= 0;
  const none: Times = { connectMs: known(connect) ? connect : null, firstByteMs: null, totalMs: null, lagMs: 0 };
  if (!known(send) || !known(wait) || !known(receive) || send + wait + receive === 0) return none;
  return { ...none, firstByteMs: send + wait, totalMs: send + wait + receive };
}

function callOf(entry: Members, startedMs: number): CapturedExchange['call'] {
  const { _webSocketMessages: messages, _framesLeftOut: left, _closed: closed } = entry;
  if (!Array.isArray(messages)) return undefined;
  const frames = messages.flatMap((message: unknown): CallFrame[] => {
    if (!isJsonObject(message) || typeof message.data !== 'string') return [];
    const { type, time, opcode, data, _binary: binary } = message;
    // Opcode 2 is a binary frame (RFC 6455, 5.2), whose data recorders write in base64.
    const bytes = opcode === 2 ? Buffer.from(data, 'base64') : Buffer.from(data, 'utf8');
    const text = bytes.toString('utf8');
    return [
      {
        from: type === 'send' ? 'service' : 'ai',
        atMs: typeof time === 'number' ? Math.max(0, time * 1000 - startedMs) : 0,
        text,
        bytes: bytes.length,
        ...((opcode === 2 || binary === true) && { binary: true }),
        value: jsonOf(text),
      },
    ];
  });
  return {
    frames,
    framesLeftOut: typeof left === 'number' ? left : 0,
    ...(isJsonObject(closed) && { end: closed as unknown as CallEnd }),
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
