import { pointerSegment } from '../../specs/json-pointer.ts';
import { mostHeaders } from '../../harness/checks/evidence.ts';
import type { FindingPart } from '../../harness/checks/finding.ts';
import type { Exchange, HttpRequestRecord, HttpResponseRecord, BrokeAtPart } from '../../specs/generated/types.ts';
import { isJsonContainer } from '../../specs/json-object.ts';

/**
 * Locates the part of an exchange that violates a rule: in the answer if we sent the request, in the request if the
 * endpoint sent it. `undefined` if the exchange does not show that part.
 */
export function locateBreak(part: FindingPart, exchange: Exchange): BrokeAtPart | undefined {
  const { id, kind, request, response, timing } = exchange;
  if ('time' in part) {
    const isTimed = timing.totalMs !== null || timing.limitMs !== undefined;
    return isTimed ? { exchange: id, part: 'time' } : undefined;
  }
  const side = kind === 'http' || kind === 'call' ? 'response' : 'request';
  if ('status' in part) return side === 'response' && response ? { exchange: id, part: 'response-status' } : undefined;
  const message = side === 'response' ? response : request;
  if (!message) return undefined;
  if ('header' in part) {
    return isShown(part.header, message) ? { exchange: id, part: `${side}-header`, name: part.header } : undefined;
  }
  const pointer = pointerIn(message.body, part.body);
  return { exchange: id, part: `${side}-body`, ...(pointer !== '' && { pointer }) };
}

/** Whether the record shows the header, or shows that it is missing, which is unknown when headers were omitted. */
function isShown(name: string, { headers }: HttpRequestRecord | HttpResponseRecord): boolean {
  return headers.length < mostHeaders || headers.some(([shown]) => shown?.toLowerCase() === name);
}

/**
 * The JSON Pointer of a position in a recorded body, or of the first missing step on the way there. Empty, for the whole
 * body, if the record is not JSON: it may have been cut.
 */
function pointerIn(body: string, path: readonly (string | number)[]): string {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return '';
  }
  let pointer = '';
  for (const step of path) {
    if (!isJsonContainer(value)) break;
    pointer += pointerSegment(step);
    value = Object.hasOwn(value, step) ? (value as Record<string | number, unknown>)[step] : undefined;
  }
  return pointer;
}
