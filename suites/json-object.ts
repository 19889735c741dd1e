import type { Finding } from '../harness/checks/finding.ts';
import { parseJson, describeExceededBounds } from '../harness/checks/json.ts';
import { isJsonObject } from '../specs/json-object.ts';
import type { Arrival } from '../harness/wire/observation.ts';
import { jsonStart } from '../specs/bounded-json.ts';
import { shortJson } from '../specs/explain-violations.ts';
import type { Judgement, Unread } from './judgement.ts';

/** The finding unless bytes are a JSON object; `what` names them: `the body of a callback`. */
export function jsonObjectFinding(body: Uint8Array, what: string, hint?: string): Finding | undefined {
  const parsed = parseJson(body);
  if (!('error' in parsed) && isJsonObject(parsed.value)) return undefined;
  return notAnObject('error' in parsed ? parsed.error : shortJson(parsed.value), what, hint);
}

/**
 * Judges the beginning of a JSON object with fields: no byte order mark, which RFC 8259 (section 8.1) forbids to senders.
 * Parsers of many languages refuse it.
 */
export function judgeByteOrderMark({ body }: { body: Uint8Array }, what: string): Judgement {
  if (Object.keys(jsonObjectOf(body) ?? {}).length === 0) return 'nothing';
  if (body[0] !== 0xef || body[1] !== 0xbb || body[2] !== 0xbf) return true;
  return {
    expected: `JSON without a byte order mark as ${what}`,
    received: 'EF BB BF at its beginning',
    part: { body: [] },
  };
}

/** The part of a body that was read. */
export interface ReceivedBody {
  body: Uint8Array;
  truncated: boolean;
  bodyBytes: number;
}

/** The body of a request that the endpoint sent to us. */
export function bodyOfArrival({ request: { body }, truncated, bodyBytes = body.length }: Arrival): ReceivedBody {
  return { body, truncated, bodyBytes };
}

/**
 * Judges a body that may not have been read completely: the first character rules out every other kind of JSON, and a
 * body that begins as an object may be one.
 */
export function judgeJsonObject(read: ReceivedBody, what: string, hint?: string): true | Unread | Finding {
  const unread = unreadBody(read);
  if (!unread) return jsonObjectFinding(read.body, what, hint) ?? true;
  const start = jsonStart(read.body);
  if (start === 'object' || Buffer.from(read.body).toString('latin1').trim() === '') return unread;
  const received = start === undefined ? 'bytes that are not JSON' : `a JSON ${start}`;
  return notAnObject(`${received} (${read.bodyBytes} bytes)`, what, hint);
}

/** Reason why the content of a body is unknown; `undefined` if it is known. */
export function unreadBody({ body, truncated, bodyBytes }: ReceivedBody): Unread | undefined {
  if (truncated) return { unread: `a body of ${bodyBytes} bytes, of which only the beginning was read` };
  const unread = describeExceededBounds(body);
  return unread === undefined ? undefined : { unread };
}

function notAnObject(received: string, what: string, hint: string | undefined): Finding {
  return { expected: `a JSON object as ${what}`, received, hint, part: { body: [] } };
}

/** The JSON object in these bytes, if they are one. */
export function jsonObjectOf(body: Uint8Array): Record<string, unknown> | undefined {
  const parsed = parseJson(body);
  return 'error' in parsed || !isJsonObject(parsed.value) ? undefined : parsed.value;
}
