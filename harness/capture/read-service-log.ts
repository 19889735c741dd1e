import { isJsonObject, parseJsonText, describeExceededBounds } from '../checks/json.ts';
import type { Answer, CallFrame } from '../wire/observation.ts';
import type { CapturedBody, CapturedExchange } from './captured-exchange.ts';
import { isDate, isDuration, isStatus } from './possible-values.ts';
import { toAnswer } from './read-har.ts';

type Fields = Record<string, unknown>;

/** A line of `serve --json`, which tells what happened in the simulated service. */
export interface LogLine {
  entry: number;
  value: Fields;
}

const missing: CapturedBody = { bytes: new Uint8Array(), state: 'missing' };
/** Code points at which the log cuts a frame. */
const cutCharacters = 2_000;
/** Stands for the address of a call, which the log does not tell. */
const someAddress = 'ws://unknown.invalid/';

/** Whether a line is one of the simulated service's log. */
export function isLogLine(value: unknown): value is Fields {
  return isJsonObject(value) && typeof value.seq === 'number' && typeof value.type === 'string' && 'data' in value;
}

/**
 * What the log of the simulated service shows: deliveries with status and time, and the frames of calls. It has no
 * bodies and no headers. Requests to the API are omitted: `serve --record` judges a client on all that it sends.
 *
 * @param leave is told of lines that the service cannot have written, with the reason
 */
export function readServiceLog(
  lines: readonly LogLine[],
  leave: (reason: string, entry: number) => void,
): CapturedExchange[] {
  const possible = lines.filter((line) => {
    const odd = impossibleValue(line);
    if (odd !== undefined) leave(odd, line.entry);
    return odd === undefined;
  });
  return [...possible.flatMap(deliveryOf), ...callsOf(possible)];
}

function impossibleValue({ value: { type, at, data } }: LogLine): string | undefined {
  if ((type !== 'delivery' && type !== 'call') || !isJsonObject(data)) return undefined;
  const { status, ms, frame } = data;
  if (!timeOf(at)) return 'no time that can be read (at)';
  if (typeof status === 'number' && !isStatus(status)) return 'a status that is none';
  if (typeof ms === 'number' && !isDuration(ms)) return 'a time that is none (ms)';
  return typeof frame === 'string' ? describeExceededBounds(Buffer.from(frame)) : undefined;
}

function deliveryOf({ entry, value: { type, at, data } }: LogLine): CapturedExchange[] {
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
  return { outcome: isKnown ? outcome : 'closed', detail: 'as the log tells' };
}

interface LoggedFrame {
  entry: number;
  startedAt: Date;
  callId: string;
  from: CallFrame['from'];
  text: string;
}

/** The frames of each call together. A frame that the log has cut is omitted. */
function callsOf(lines: readonly LogLine[]): CapturedExchange[] {
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
          framesLeftOut: ofCall.length - whole.length,
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
