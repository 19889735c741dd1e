import { describe, expect, it } from 'vitest';
import { requestedPauseMs } from '../../harness/wire/requested-pause.ts';
import { answered, noAnswer } from '../suites/made-observations.ts';

describe('the pause that an answer requests', () => {
  const pauseOf = (status: number, after?: string) =>
    requestedPauseMs(answered(status, '', after === undefined ? [] : [['Retry-After', after]]), 0);

  it('is stated by 429 and by 503, at least a quarter of a second', () => {
    expect([pauseOf(429, '7'), pauseOf(503, '7'), pauseOf(429, '0')]).toEqual([7_000, 7_000, 250]);
    expect(pauseOf(503, new Date(9_000).toUTCString())).toBe(9_000);
  });

  it('is a second for 429 that states none, or one in the past', () => {
    expect([pauseOf(429), pauseOf(429, 'soon'), pauseOf(429, '-1')]).toEqual([1_000, 1_000, 1_000]);
  });

  it('is none for any other answer', () => {
    expect([pauseOf(200, '7'), pauseOf(502, '7'), pauseOf(503)]).toEqual([undefined, undefined, undefined]);
    expect(requestedPauseMs(noAnswer, 0)).toBeUndefined();
  });
});
