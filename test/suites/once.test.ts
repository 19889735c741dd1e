import { describe, expect, it } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { CheckRecord, withRecord } from '../../harness/checks/check-record.ts';
import type { Session } from '../../harness/checks/session.ts';
import { once } from '../../suites/once.ts';

/** Runs a function as the body of a check. */
function asCheck<T>(
  { alone, confirms = false }: { alone: boolean; confirms?: boolean },
  body: () => Promise<T>,
): Promise<T> {
  const record = new CheckRecord();
  record.alone = alone;
  record.confirms = confirms;
  return withRecord(record, body);
}

describe('an observation that checks share', () => {
  const session = () => ({}) as Session;
  /** Makes one observation at a time; the first one ends when `end` is called. */
  const observing = () => {
    const first = Promise.withResolvers<number>();
    let made = 0;
    const bring = () => (++made === 1 ? first.promise : Promise.resolve(made));
    return { bring, end: () => first.resolve(1) };
  };

  it('is made once, also for checks that ask while it is being made', async () => {
    const { bring, end } = observing();
    const one = session();
    const results = [1, 2].map(() => asCheck({ alone: false }, () => once(one, 'answer', bring)));
    end();
    expect(await Promise.all(results)).toEqual([1, 1]);
    expect(await asCheck({ alone: true }, () => once(one, 'answer', bring))).toBe(1);
  });

  it('does not deadlock with a check that uses the endpoint alone', async () => {
    const { bring, end } = observing();
    const one = session();
    const shared = asCheck({ alone: false }, () => once(one, 'answer', bring));
    expect(await asCheck({ alone: true }, () => once(one, 'answer', bring))).toBe(2);
    end();
    expect(await shared).toBe(1);
    expect(await asCheck({ alone: false }, () => once(one, 'answer', bring))).toBe(1);
  });

  it('is made again by a check that confirms a failure, and then shared again', async () => {
    const { bring, end } = observing();
    const one = session();
    end();
    const ask = (confirms: boolean) => asCheck({ alone: true, confirms }, () => once(one, 'answer', bring));
    expect(await ask(false)).toBe(1);
    expect(await ask(true)).toBe(2);
    expect(await ask(true)).toBe(2);
    expect(await ask(false)).toBe(2);
  });

  it('is made again after the budget of one part cut it off', async () => {
    const one = session();
    const cutOff = new HarnessFault('budget-used', { seconds: 1, suggested: 2 });
    await expect(once(one, 'answer', () => Promise.reject(cutOff))).rejects.toBe(cutOff);
    expect(await once(one, 'answer', () => Promise.resolve(1))).toBe(1);
    await expect(once(one, 'other', () => Promise.reject(new TypeError()))).rejects.toThrow(TypeError);
    await expect(once(one, 'other', () => Promise.resolve(1))).rejects.toThrow(TypeError);
  });

  it('is separate in another session', async () => {
    const { bring, end } = observing();
    end();
    expect(await once(session(), 'answer', bring)).toBe(1);
    expect(await once(session(), 'answer', bring)).toBe(2);
  });
});
