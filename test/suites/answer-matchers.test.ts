import { describe, expect, it } from 'vitest';
import {
  outcomePart,
  requireOutcome,
  toBeAccepted,
  toBeAnsweredWithoutServerError,
  toBeInTime,
  toBeRefused,
  toHaveClientError,
  toHaveNoBody,
  toHaveStatus,
} from '../../suites/matchers/answer-matchers.ts';
import { isRefusal, isSuccess } from '../../harness/wire/answer-status.ts';
import { answered, closed, closedAfter, exchange, noAnswer } from './made-observations.ts';

const matchers = {
  'a success': toBeAccepted,
  'status 204 or 404': (one: ReturnType<typeof exchange>) => toHaveStatus(one, 204, 404),
  'a 4xx': toHaveClientError,
  'a refusal': (one: ReturnType<typeof exchange>) => toBeRefused(one, 'it'),
  'no server error': (one: ReturnType<typeof exchange>) => toBeAnsweredWithoutServerError(one, 'it'),
};

it.each([
  [199, [], ['a success', 'status 204 or 404', 'a 4xx']],
  [200, ['a success'], ['status 204 or 404', 'a 4xx', 'a refusal']],
  [204, ['a success', 'status 204 or 404'], ['a 4xx', 'a refusal']],
  [299, ['a success'], ['a refusal']],
  [300, ['a refusal'], ['a success', 'a 4xx']],
  [399, ['a refusal'], ['a 4xx']],
  [400, ['a 4xx', 'a refusal', 'no server error'], ['a success', 'status 204 or 404']],
  [404, ['a 4xx', 'status 204 or 404'], ['a success']],
  [499, ['a 4xx', 'no server error'], ['a success']],
  [500, ['a refusal'], ['a 4xx', 'no server error']],
] as const)('status %i is %j, and not %j', (status, meets, misses) => {
  const one = exchange(answered(status));
  expect(meets.filter((name) => matchers[name](one) !== undefined)).toEqual([]);
  for (const name of misses) {
    expect(matchers[name](one), name).toMatchObject({
      received: `status ${status} without a body`,
      part: { status: true },
    });
  }
});

it.each([
  [199, false, false],
  [200, true, false],
  [299, true, false],
  [300, false, true],
  [499, false, true],
  [500, false, false],
])('status %i: success %s, refusal %s', (status, success, refusal) => {
  expect([isSuccess(status), isRefusal(answered(status))]).toEqual([success, refusal]);
});

it('names one allowed status or several', () => {
  const one = exchange(answered(500));
  expect(toHaveStatus(one, 401)?.expected).toBe('status 401');
  expect(toHaveStatus(one, 401, 403)?.expected).toBe('status 401 or 403');
  expect(toHaveStatus(one, 400, 401, 403)?.expected).toBe('status 400, 401 or 403');
});

describe('silence', () => {
  const judges = [toBeAccepted, toHaveClientError, (one: Parameters<typeof toBeAccepted>[0]) => toHaveStatus(one, 401)];

  it.each(judges)('is not judged where the interface gives no limit', (judge) => {
    expect(() => judge(exchange(noAnswer))).toThrow(expect.objectContaining({ code: 'no-answer-yet' }));
    expect(isRefusal(noAnswer)).toBe(false);
  });

  it.each(judges)('fails where it gives one', (judge) => {
    expect(judge(exchange(noAnswer, { limitMs: 500 }))).toMatchObject({ part: { time: true } });
  });

  it.each(judges)('is not judged again where nothing was sent, since it is known', (judge) => {
    const known = exchange(noAnswer, { limitMs: 500, knownSilences: 3 });
    expect(() => judge(known)).toThrow(expect.objectContaining({ code: 'target-silent' }));
  });

  it('is a crash, and no refusal by itself', () => {
    expect(toBeAnsweredWithoutServerError(exchange(noAnswer), 'it')).toMatchObject({ part: { time: true } });
    expect(toBeRefused(exchange(noAnswer), 'it')).toBeUndefined();
  });
});

describe('a connection that was closed', () => {
  it('without a status neither accepts nor refuses', () => {
    expect(() => requireOutcome(closed, 'it')).toThrow(/neither accepts nor refuses/);
    expect(() => toBeRefused(exchange(closed), 'it')).toThrow(/neither accepts nor refuses/);
    expect(outcomePart(closed)).toBeUndefined();
  });

  it('after a status counts with this status', () => {
    expect(toBeRefused(exchange(closedAfter(200)), 'it')).toMatchObject({ expected: 'it to be refused' });
    expect(toBeRefused(exchange(closedAfter(401)), 'it')).toBeUndefined();
    expect(() => requireOutcome(answered(200), 'it')).not.toThrow();
  });
});

describe('the time of an answer', () => {
  const after = (totalMs: number | null, lagMs = 0, status = 200) =>
    exchange(answered(status), { limitMs: 500, times: { connectMs: 1, firstByteMs: totalMs && 40, totalMs, lagMs } });

  it('is judged against the limit of the exchange', () => {
    expect(toBeInTime(after(500))).toBeUndefined();
    expect(toBeInTime(after(501))).toMatchObject({
      expected: 'a complete answer within 500 ms',
      received: 'status 200 after 501 ms (first byte after 40 ms)',
      part: { time: true },
    });
  });

  it('is not judged where our own delay decides, or where the answer is a refusal', () => {
    expect(() => toBeInTime(after(600, 200))).toThrow(expect.objectContaining({ code: 'own-delay' }));
    expect(() => toBeInTime(after(100, 0, 401))).toThrow(expect.objectContaining({ code: 'control-failed' }));
    expect(() => toBeInTime(exchange(answered(200)))).toThrow(TypeError);
  });

  it('is missing without a complete answer', () => {
    expect(toBeInTime(after(null))).toMatchObject({ received: 'status 200 without a body', part: { status: true } });
    expect(toBeInTime(exchange(noAnswer, { limitMs: 500 }))).toMatchObject({
      part: { time: true },
    });
    expect(toBeInTime(exchange(closed, { limitMs: 500 }))).toMatchObject({
      expected: 'a complete answer within 500 ms',
    });
  });
});

describe('an answer without a body', () => {
  const noBody = (answer: Parameters<typeof exchange>[0]) => toHaveNoBody(exchange(answer));

  it('has none, and announces none', () => {
    expect(noBody(answered(204))).toBeUndefined();
    expect(noBody(answered(204, '', [['Content-Length', '0']]))).toBeUndefined();
    expect(noBody(answered(204, '', [['Content-Length', 'x']]))).toBeUndefined();
  });

  it.each([
    [answered(200, '1'), { received: 'status 200 with 1', part: { body: [] } }],
    [
      answered(204, '', [['Content-Length', '1']]),
      { received: 'status 204 with Content-Length 1', part: { header: 'content-length' } },
    ],
    [noAnswer, { expected: 'no body', received: 'no complete answer within 1000 ms' }],
  ])('differs from one that has it: %#', (answer, finding) => {
    expect(noBody(answer)).toMatchObject(finding);
  });
});
