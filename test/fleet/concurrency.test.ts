import { describe, expect, it } from 'vitest';
import { Concurrency } from '../../fleet/concurrency.ts';

/** Reports of ten seconds in which checks wait for a processor for this share of their active time. */
function reported(concurrency: Concurrency, share: number, from: number, running?: number): number {
  for (let second = 1; second <= 10; second++) {
    concurrency.report({ activeMs: 1000, waitedMs: 1000 * share }, running ?? concurrency.limit, from + second * 1000);
  }
  return concurrency.limit;
}

describe('the number of checks at a time', () => {
  it('begins with the processors, and is never above the maximum', () => {
    expect(new Concurrency({ processors: 4, most: 16, now: 0 }).limit).toBe(4);
    expect(new Concurrency({ processors: 4, most: 2, now: 0 }).limit).toBe(2);
  });

  it('grows while checks rarely wait for a processor, up to the maximum', () => {
    const concurrency = new Concurrency({ processors: 2, most: 5, now: 0 });
    expect(reported(concurrency, 0.1, 0)).toBe(4);
    expect(reported(concurrency, 0.1, 10_000)).toBe(5);
  });

  it('does not grow while places are free', () => {
    const concurrency = new Concurrency({ processors: 2, most: 5, now: 0 });
    expect(reported(concurrency, 0.1, 0, 1)).toBe(2);
  });

  it('shrinks while they mostly wait, to one, and remains in between', () => {
    const concurrency = new Concurrency({ processors: 4, most: 16, now: 0 });
    expect(reported(concurrency, 0.6, 0)).toBe(4);
    expect(reported(concurrency, 0.9, 10_000)).toBe(2);
    expect(reported(concurrency, 0.9, 20_000)).toBe(1);
  });

  it('shrinks from the number that runs, and after a time that could not be judged', () => {
    const concurrency = new Concurrency({ processors: 8, most: 16, now: 0 });
    expect(reported(concurrency, 0.9, 0, 6)).toBe(4);
    for (const _ of [1, 2]) concurrency.tooSlow();
    expect(concurrency.limit).toBe(2);
    concurrency.tooSlow();
    expect(concurrency.limit).toBe(1);
  });

  it('ignores reports of idle checks', () => {
    const concurrency = new Concurrency({ processors: 2, most: 5, now: 0 });
    for (let second = 1; second <= 9; second++) {
      concurrency.report({ activeMs: 10, waitedMs: 10 }, 2, second * 1000);
    }
    expect(concurrency.limit).toBe(2);
  });
});
