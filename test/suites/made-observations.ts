import type { Answer, CallAnswer, CallFrame, CallObservation, Observation } from '../../harness/wire/observation.ts';

/** A complete answer with this status, and this body. */
export function answered(status: number, body = '', headers: [string, string][] = []): Answer {
  const bytes = Buffer.from(body);
  return { outcome: 'answered', status, headers, body: bytes, bodyBytes: bytes.length, truncated: false };
}

/** No answer within a second. */
export const noAnswer: Answer = { outcome: 'no-answer', afterMs: 1_000 };
/** A connection that was closed without an answer. */
export const closed: Answer = { outcome: 'closed', detail: 'other side closed' };

/** A connection that was closed within an answer with this status. */
export function closedAfter(status: number): Answer {
  return { outcome: 'closed', detail: 'other side closed', status };
}

const request = { method: 'POST', url: 'http://127.0.0.1/', headers: [], body: Buffer.alloc(0) };

/** An exchange with this answer, complete after 100 ms unless `over` says otherwise. */
export function exchange(answer: Answer, over: Partial<Observation> = {}): Observation {
  const totalMs = answer.outcome === 'answered' ? 100 : null;
  return {
    kind: 'http',
    label: 'a delivery',
    startedAt: new Date(0),
    at: 0,
    request,
    answer,
    times: { connectMs: 1, firstByteMs: totalMs, totalMs, lagMs: 0 },
    ...over,
  };
}

/** A frame of a call. */
export function frame(from: CallFrame['from'], value: unknown, over: Partial<CallFrame> = {}): CallFrame {
  const text = JSON.stringify(value);
  return { from, atMs: 0, text, bytes: text.length, value, ...over };
}

/** An answer of the AI to the first frame of a call. */
export function answerTo(outcome: CallAnswer['outcome'], over: Partial<CallAnswer> = {}): CallAnswer {
  return {
    outcome,
    toFrame: 0,
    text: '',
    pieces: 0,
    firstPieceMs: null,
    wholeMs: null,
    waitedMs: 4_000,
    lagMs: 0,
    ...over,
  };
}

/** A connected call in which the caller has said one sentence. */
export function call(over: Partial<CallObservation> = {}): CallObservation {
  return {
    kind: 'call',
    label: 'a call',
    startedAt: new Date(0),
    at: 0,
    request: { ...request, method: 'GET' },
    answer: answered(101),
    times: { connectMs: 1, firstByteMs: 2, totalMs: 2, lagMs: 0 },
    callId: 'c',
    frames: [frame('service', { type: 'prompt', text: 'Hello?' })],
    framesOmitted: 0,
    answers: [],
    ...over,
  };
}

/** The end of a call by this side. */
export function ended(by: 'ai' | 'service', over: Partial<NonNullable<CallObservation['end']>> = {}) {
  return { by, atMs: 900, code: 1006, reason: '', clean: true, ...over };
}
