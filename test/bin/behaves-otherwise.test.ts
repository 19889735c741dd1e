import { expect, it } from 'vitest';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { behavesOtherwise } from '../../run/replay/behaves-otherwise.ts';
import type { CheckResult } from '../../specs/generated/types.ts';

const label = 'a message';
const finished = (over: Partial<FinishedCheck>) =>
  ({ id: 'own-ai-chat/x#x', level: 'must', evidence: [{ label }], verdict: 'pass', ...over }) as FinishedCheck;
const failedAsWell = [{ id: 'own-ai-chat/y#y', verdict: 'fail' }] as CheckResult[];
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
  [false, 'nothing passed', [open, finished({ verdict: 'not-exercised' })]],
  [false, 'the surface was not repeated', []],
])('is %s if %s', (expected, _, now) => {
  expect(behavesOtherwise([label], now, failedAsWell)).toBe(expected);
});
