import { expect, it } from 'vitest';
import type { Answer, CallFrame, CallObservation, Observation, WireExchange } from '../../harness/wire/observation.ts';
import { judgeExchange } from '../../simulate/serve/page/judge-exchange.ts';

const request = { method: 'POST', url: 'http://127.0.0.1:1/', headers: [], body: new Uint8Array() };
const times = { connectMs: null, firstByteMs: null, totalMs: 1, lagMs: 0 };
const common = { startedAt: new Date(0), at: 0, request, times };
const answered = (status: number, text = ''): Answer => {
  const body = Buffer.from(text);
  return { outcome: 'answered', status, headers: [], body, bodyBytes: body.length, truncated: false };
};
/** The label, a sentence, differs from the type. */
const delivery = (eventType: string, answer: Answer) => ({
  eventType, exchange: { kind: 'http', label: 'a delivery', answer, ...common } satisfies Observation,
}); // prettier-ignore
const call = (over: Partial<CallObservation>): { exchange: CallObservation } => ({
  exchange: { kind: 'call', label: 'a call', answer: answered(101), callId: '1', frames: [], framesOmitted: 0, answers: [], ...common, ...over },
}); // prettier-ignore
const frame = (from: CallFrame['from'], value: unknown): CallFrame => ({ from, atMs: 0, text: '', bytes: 0, value });
const arrival = (status: number): { exchange: WireExchange } => ({
  exchange: { ...common, kind: 'api', label: 'me', truncated: false, response: { status, headers: [], body: '' } },
}); // prettier-ignore
const end = { by: 'ai' as const, atMs: 1, code: 1000, reason: '', clean: true };

it.each<[string, { exchange: WireExchange; eventType?: string }, boolean, string?]>([
  ['a chat answer', delivery('message.received', answered(200, '{"text":"Hi"}')), true],
  ['a chat answer later', delivery('message.received', answered(202)), true, 'a reply may follow'],
  ['an invalid chat answer', delivery('message.received', answered(200, '{"text":7}')), false, 'an invalid answer'],
  ['a ping with another 2xx', delivery('ping', answered(299)), true],
  ['a redirected ping', delivery('ping', answered(302)), false, 'expected a 2xx'],
  ['an appointment event', delivery('appointment.created', answered(201)), true],
  ['an appointment event without an answer', delivery('appointment.created', { outcome: 'no-answer', afterMs: 5000 }), false, 'no complete answer within 5 s'],
  ['a lookup with nothing to add', delivery('IncomingCallLookup', answered(204)), true],
  ['a lookup later', delivery('IncomingCallLookup', answered(202)), true, 'a callback is awaited'],
  ['a lookup with another 2xx', delivery('IncomingCallLookup', answered(201)), false, 'status 201 instead of 200, 202 or 204'],
  ['a lookup that is not JSON', delivery('IncomingCallLookup', answered(200, 'x')), false, 'JSON'],
  ['a call in progress', call({}), true, 'in progress'],
  ['a call without a connection', call({ answer: answered(403) }), false, 'status 403'],
  ['a call that the AI drops', call({ end }), false, 'in mid-call'],
  ['a call that the AI ends', call({ end, frames: [frame('ai', { type: 'action', action: 'end' })] }), true],
  ['a call that the AI closes after its end', call({ end, frames: [frame('service', { type: 'session.ended' })] }), true],
  ['a call that the service ends', call({ end: { ...end, by: 'service' } }), true],
  ['an accepted request', arrival(202), true],
  ['a rejected request', arrival(404), false],
  ['a request that was cut off', arrival(0), false],
])('%s', (_, logged, isUsable, why) => {
  const verdict = judgeExchange({ id: 'ex-1', ...logged });
  expect(verdict.isUsable).toBe(isUsable);
  if (why === undefined) expect(verdict.why).toBeUndefined();
  else expect(verdict.why).toContain(why);
}); // prettier-ignore
