import { describe, expect, it } from 'vitest';
import { measuredTime, timelinessOf } from '../../harness/wire/timeliness.ts';
import type { Answer } from '../../harness/wire/observation.ts';
import { answered, closed, noAnswer } from '../suites/made-observations.ts';

describe('the time of an exchange with a limit', () => {
  const timeOf = (answer: Answer, totalMs: number | null, limitMs?: number) =>
    measuredTime({
      answer,
      times: { connectMs: 1, firstByteMs: totalMs, totalMs, lagMs: 3 },
      ...(limitMs !== undefined && { limitMs }),
    });

  it('is that of its answer, or how long one was awaited in vain', () => {
    expect(timeOf(answered(200), 40, 500)).toMatchObject({ ms: 40, lagMs: 3, limitMs: 500 });
    expect(timeOf(noAnswer, null, 500)).toMatchObject({ ms: 1_000, lagMs: 3, limitMs: 500 });
  });

  it('is unknown without an answer that could be late, or without a limit', () => {
    expect(timeOf(closed, null, 500)).toBeUndefined();
    expect(timeOf(answered(200), 40)).toBeUndefined();
    expect(timeOf(noAnswer, null)).toBeUndefined();
  });

  it.each([
    [500, 0, 'in-time'],
    [501, 1, 'uncertain'],
    [502, 1, 'late'],
  ])('of %i ms with %i ms of our own delay and a limit of 500 ms is %s', (ms, lagMs, timeliness) => {
    expect(timelinessOf({ ms, lagMs, limitMs: 500 })).toBe(timeliness);
  });
});
