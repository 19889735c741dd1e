import { expect, it } from 'vitest';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { behavesOtherwise, differsInMessage } from '../../run/replay/behaves-otherwise.ts';
import type { CheckResult, Exchange, Stimuli } from '../../specs/generated/types.ts';

const message = (text: string, id: number, over: Partial<Exchange> = {}) =>
  ({
    kind: 'http',
    label: 'a message',
    request: { body: JSON.stringify({ type: 'message.received', data: { message: { id, text } } }) },
    ...over,
  }) as Exchange;
const finished = (over: Partial<FinishedCheck>) =>
  ({
    id: 'own-ai-chat/x#x',
    level: 'must',
    evidence: [message('Hello', 2)],
    verdict: 'pass',
    ...over,
  }) as FinishedCheck;
const recorded = [{ id: 'own-ai-chat/y#y', verdict: 'fail' }] as CheckResult[];
const open = finished({ id: 'own-ai-chat/z#z', verdict: 'not-exercised', evidence: [] });

it.each<[boolean, string, FinishedCheck[]]>([
  [true, 'nothing else fails', [open, finished({})]],
  [
    true,
    'a check fails that failed before',
    [open, finished({}), finished({ id: 'own-ai-chat/y#y', verdict: 'fail' })],
  ],
  [true, 'only advice is not followed', [open, finished({}), finished({ level: 'advice', verdict: 'fail' })]],
  [false, 'another check fails now', [open, finished({}), finished({ verdict: 'fail', level: 'should' })]],
  [false, 'another check is blocked now', [open, finished({}), finished({ verdict: 'blocked' })]],
  [false, 'the delivery was not sent, as without a stimulus', [open, finished({ evidence: [] })]],
  [false, 'the delivery has another label', [open, finished({ evidence: [message('Hello', 2, { label: 'b' })] })]],
  [false, 'the delivery has another message', [open, finished({ evidence: [message('Good morning', 2)] })]],
  [false, 'nothing passed', [open, finished({ verdict: 'not-exercised' })]],
  [false, 'the surface was not repeated', []],
])('is %s if %s', (expected, _, now) => {
  expect(behavesOtherwise({ judged: [message('Hello', 1)], now, recorded, stimuli: {} })).toBe(expected);
});

it.each<[boolean, string, FinishedCheck[]]>([
  [true, 'another message', [finished({ evidence: [message('Good morning', 2)] })]],
  [false, 'the same message as well', [finished({ evidence: [message('Good morning', 2), message('Hello', 3)] })]],
  [false, 'another label', [finished({ evidence: [message('Good morning', 2, { label: 'b' })] })]],
])('is %s that only other words were sent if there is %s', (expected, _, now) => {
  expect(differsInMessage(message('Hello', 1), now)).toBe(expected);
});

const callback = message('Hello', 1, { kind: 'callback' });

it.each<[boolean, string, Exchange[], Stimuli]>([
  [true, 'another sentence is a stimulus', [message('Hello', 1)], { chat: { skill: 'This is urgent' } }],
  [true, 'the endpoint sent a callback last', [message('Hello', 1), callback], {}],
  [false, 'the text is a stimulus', [message('Hello', 1)], { chat: { skill: 'Hello' } }],
  [false, 'an earlier text is a stimulus', [message('Urgent', 0), message('Hello', 1)], { chat: { skill: 'Urgent' } }],
  [false, 'it is one of two stimuli', [message('Hello', 1)], { chat: { skill: 'Hello' }, phone: { skill: 'Hi' } }],
  [false, 'it was decided in a call', [message('Hello', 1), message('Hello', 1, { kind: 'call' })], {}],
  [false, 'the record of the text is cut', [message('Hello', 1, { request: { body: '{"type":' } as never })], {}],
  [false, 'nothing was sent', [callback], {}],
])('is %s if %s', (expected, _, judged, stimuli) => {
  expect(behavesOtherwise({ judged, now: [open, finished({})], recorded, stimuli })).toBe(expected);
});
