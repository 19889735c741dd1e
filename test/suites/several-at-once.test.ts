import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mostSlow } from '../../harness/wire/pace.ts';
import { generatedValues, severalAtOnce, type SeveralOptions } from '../../suites/several-at-once.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const values = Array.from({ length: 40 }, (_, at) => at);
/** Enough for every lane to have begun: one more with each value that ends. */
const many = Array.from({ length: mostSlow ** 2 }, (_, at) => at);

/** Runs values that take this many milliseconds; returns their order and the maximum at once. */
async function run(takesMs: number, options: Partial<SeveralOptions<number>> = {}, among = values) {
  const begun: number[] = [];
  let [now, most] = [0, 0];
  const over = severalAtOnce(among, {
    isOver: () => false,
    ...options,
    run: async (value, at) => {
      begun.push(value);
      most = Math.max(most, ++now);
      expect(at).toBe(value);
      await new Promise((done) => setTimeout(done, takesMs));
      now--;
      return takesMs;
    },
  });
  await vi.runAllTimersAsync();
  await over;
  return { begun, most };
}

describe('the values of a property', () => {
  it('are those of fast-check, so that each can be shrunk and repeated', async () => {
    const arbitrary = fc.record({ text: fc.string(), count: fc.integer() });
    const parameters = {
      seed: 5,
      numRuns: 60,
      examples: [[{ text: 'edge', count: 0 }]] as [{ text: string; count: number }][],
    };
    const values = generatedValues(arbitrary, parameters);
    let at = 0;
    const run = await fc.check(
      fc.asyncProperty(arbitrary, (value) => Promise.resolve(isDeepStrictEqual(value, values[at++]))),
      parameters,
    );
    expect(run.counterexample).toBeNull();
    expect(values).toHaveLength(60);
  });

  it('that are quick run one at a time, in order', async () => {
    expect(await run(200)).toEqual({ begun: values, most: 1 });
  });

  it('that are slow run at once, up to the number of permitted exchanges', async () => {
    expect(await run(201, {}, many)).toEqual({ begun: many, most: mostSlow });
  });

  it('run at once from the beginning where the endpoint is known to be slow', async () => {
    const { begun } = await run(1_000, { isSlow: true, isOver: () => performance.now() > 500 });
    expect(begun).toHaveLength(mostSlow);
  });

  it('begin no more once the time is over, and those that have begun end', async () => {
    const { begun } = await run(1_000, { isOver: () => performance.now() > 1_500 });
    // One, then two; the third begins the next second.
    expect(begun).toEqual([0, 1, 2]);
  });

  it('that would have to wait let others run first', async () => {
    const { begun } = await run(1_000, { isFree: (value) => value % 10 !== 1 });
    expect(begun.slice(0, 3)).toEqual([0, 2, 3]);
    expect(begun.toSorted((a, b) => a - b)).toEqual(values);
    expect(begun.slice(-4).toSorted((a, b) => a - b)).toEqual([1, 11, 21, 31]);
  });
});
