import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { mostSlow } from '../../harness/wire/pace.ts';
import { generatedValues, inTurn, isSlow, severalAtOnce, type SeveralOptions } from '../../suites/several-at-once.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import { CheckRecord, withRecord } from '../../harness/checks/check-record.ts';
import { assertWanted } from '../../harness/checks/wanted.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';

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

  it('begin in the given order, and keep their positions', async () => {
    const order = inTurn(25, 15);
    expect(order.slice(0, 6)).toEqual([0, 25, 1, 26, 2, 27]);
    expect(order.slice(-2)).toEqual([23, 24]);
    expect((await run(200, { order })).begun).toEqual(order);
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

  it('that wait for their turn are given up once enough have had it, and begin again if those were not enough', async () => {
    /** The endpoint handles two at a time. */
    const lanes: (() => void)[] = [];
    const free = (count: number) => lanes.splice(0, count).forEach((go) => go());
    const sent: number[] = [];
    let isEnough = false;
    const over = severalAtOnce(values.slice(0, 5), {
      isSlow: true,
      isOver: () => false,
      isEnough: (count) => {
        expect(count).toBe(sent.length);
        return isEnough;
      },
      run: async (value) => {
        await new Promise<void>((go) => lanes.push(go));
        assertWanted();
        sent.push(value);
        await new Promise((done) => setTimeout(done, 1_000));
        // A further delivery of a value that has had its turn is always wanted.
        assertWanted();
        return 1_000;
      },
    });
    free(2);
    await vi.advanceTimersByTimeAsync(500);
    isEnough = true;
    free(3);
    await vi.advanceTimersByTimeAsync(0);
    expect(sent).toEqual([0, 1]);
    isEnough = false;
    await vi.advanceTimersByTimeAsync(500);
    for (let left = 3; left > 0; left--) {
      free(2);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    await over;
    expect(sent.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
  });

  it('that would have to wait let others run first', async () => {
    const { begun } = await run(1_000, { isFree: (value) => value % 10 !== 1 });
    expect(begun.slice(0, 3)).toEqual([0, 2, 3]);
    expect(begun.toSorted((a, b) => a - b)).toEqual(values);
    expect(begun.slice(-4).toSorted((a, b) => a - b)).toEqual([1, 11, 21, 31]);
  });
});

describe('an endpoint', () => {
  const settings = settingsOf(configOf({ chat: 'http://127.0.0.1:1/chat', phone: 'ws://127.0.0.1:1/phone' }));
  const seen = (surface: string, { quickestMs, speaksLong }: { quickestMs: number; speaksLong: boolean }) => {
    const record = new CheckRecord();
    record.part = { surface, group: 'generated' };
    const session = { paceOf: () => ({ quickestMs }) };
    const kit = { settings, session, phone: { speaksLong } } as unknown as CheckKit;
    return withRecord(record, async () => isSlow(kit));
  };

  it.each([
    ['own-ai-chat', 201, false, true],
    ['own-ai-chat', 200, true, false],
    ['own-ai-phone', 201, false, true],
    ['own-ai-phone', 1, true, true],
    ['own-ai-phone', 200, false, false],
    ['deep-links', 900, true, false],
  ])('of %s, quickest answer %i ms, long speech %s: slow is %s', async (surface, quickestMs, speaksLong, slow) => {
    expect(await seen(surface, { quickestMs, speaksLong })).toBe(slow);
  });
});
