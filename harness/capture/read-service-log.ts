import { parseJsonText, describeExceededBounds } from '../checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { Answer, CallFrame } from '../wire/observation.ts';
import type { CapturedBody, CapturedExchange } from './captured-exchange.ts';
import { isDate, isDuration, isStatus } from './possible-values.ts';
import { toAnswer } from './read-har.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** A line of `serve --json`: an event of the simulated service. */
export interface ServiceLogLine {
  entry: number;
  value: JsonObject;
}

const missing: CapturedBody = { bytes: new Uint8Array(), state: 'missing' };
/** Code points after which the log truncates a frame. */
const cutCharacters = 2_000;
/** Placeholder for the address of a call, which the log does not contain. */
const someAddress = 'ws://unknown.invalid/';

/** Whether a line belongs to the simulated service's log. */
export function isLogLine(value: unknown): value is JsonObject {
  return isJsonObject(value) && typeof value.seq === 'number' && typeof value.type === 'string' && 'data' in value;
}

/**
 * Reads the log of the simulated service: deliveries with status and time, and the frames of calls. It contains no
 * bodies and no headers. Requests to the API are skipped: `serve --record` judges a client by all of its requests.
 *
 * @param leave receives lines that the service cannot have written, with the reason
 */
export function readServiceLog(
  lines: readonly ServiceLogLine[],
  leave: (reason: string, entry: number) => void,
): CapturedExchange[] {
  const possible = lines.filter((line) => {
    const odd = impossibleValue(line);
    if (odd !== undefined) leave(odd, line.entry);
    return odd === undefined;
  });
  return [...possible.flatMap(deliveryOf), ...callsOf(possible)];
}

function impossibleValue({ value: { type, at, data } }: ServiceLogLine): string | undefined {
  if ((type !== 'delivery' && type !== 'call') || !isJsonObject(data)) return undefined;
  const { status, ms, frame } = data;
  if (!timeOf(at)) return 'an invalid time (at)';
  if (typeof status === 'number' && !isStatus(status)) return 'an invalid status';
  if (typeof ms === 'number' && !isDuration(ms)) return 'an invalid time (ms)';
  return typeof frame === 'string' ? describeExceededBounds(Buffer.from(frame)) : undefined;
}

function deliveryOf({ entry, value: { type, at, data } }: ServiceLogLine): CapturedExchange[] {
  const startedAt = timeOf(at);
  if (type !== 'delivery' || !isJsonObject(data) || !startedAt) return [];
  const { kind, eventType, url, ms, status, outcome, attempt, deliveryId, eventId } = data;
  const totalMs = typeof ms === 'number' ? ms : null;
  const logged = { kind, eventType, attempt, deliveryId, eventId };
  return [
    {
      entry,
      startedAt,
      request: { method: 'POST', url: addressOf(url), headers: [], body: new Uint8Array() },
      requestBody: missing,
      answer: typeof status === 'number' ? toAnswer(status, [], missing) : unanswered(outcome, totalMs),
      answerBody: missing,
      times: { connectMs: null, firstByteMs: null, totalMs, lagMs: 0 },
      logged,
    },
  ];
}

function unanswered(outcome: unknown, totalMs: number | null): Answer {
  if (outcome === 'no-answer') return { outcome, afterMs: totalMs ?? 0 };
  const isKnown = outcome === 'malformed' || outcome === 'unreachable';
  return { outcome: isKnown ? outcome : 'closed', detail: 'as recorded in the log' };
}

interface LoggedFrame {
  entry: number;
  startedAt: Date;
  callId: string;
  from: CallFrame['from'];
  text: string;
}

/** Groups frames into calls. Truncated frames are omitted. */
function callsOf(lines: readonly ServiceLogLine[]): CapturedExchange[] {
  const frames = lines.flatMap(({ entry, value: { type, at, data } }): LoggedFrame[] => {
    const startedAt = timeOf(at);
    if (type !== 'call' || !isJsonObject(data) || !startedAt) return [];
    const { callId, from, frame } = data;
    if (typeof callId !== 'string' || typeof frame !== 'string' || (from !== 'ai' && from !== 'service')) return [];
    return [{ entry, startedAt, callId, from: from, text: frame }];
  });
  return [...Map.groupBy(frames, ({ callId }) => callId)].flatMap(([callId, ofCall]) => {
    const [first] = ofCall;
    if (!first) return [];
    const whole = ofCall.filter(({ text }) => [...text].length < cutCharacters);
    return [
      {
        entry: first.entry,
        startedAt: first.startedAt,
        request: { method: 'GET', url: someAddress, headers: [['X-Svc-Call-Id', callId]], body: new Uint8Array() },
        requestBody: { ...missing, state: 'exact' },
        answer: {
          outcome: 'answered',
          status: 101,
          headers: [],
          body: new Uint8Array(),
          bodyBytes: 0,
          truncated: false,
        },
        answerBody: missing,
        times: { connectMs: null, firstByteMs: null, totalMs: null, lagMs: 0 },
        call: {
          frames: whole.map(({ from, text, startedAt }) => ({
            from,
            atMs: startedAt.getTime() - first.startedAt.getTime(),
            text,
            bytes: Buffer.byteLength(text),
            value: parseJsonText(text),
          })),
          framesOmitted: ofCall.length - whole.length,
        },
        logged: { kind: 'own-ai-phone' },
      } satisfies CapturedExchange,
    ];
  });
}

/** The service's times are UTC without a zone. */
function timeOf(at: unknown): Date | undefined {
  const ms = typeof at === 'string' ? Date.parse(`${at}Z`) : NaN;
  return isDate(ms) ? new Date(ms) : undefined;
}

function addressOf(url: unknown): string {
  return typeof url === 'string' && URL.canParse(url) ? url : 'http://unknown.invalid/';
}
