import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Clock, timestamp } from '../../service/clock.ts';
import { DueQueue } from '../../service/due-queue.ts';

const start = Date.UTC(2026, 9, 11, 9, 30);
const minute = 60_000;

const clocks: Clock[] = [];

function clockOf(...from: ConstructorParameters<typeof Clock>): Clock {
  const clock = new Clock(...from);
  clocks.push(clock);
  return clock;
}

/** A clock without real time, so that only moves advance it. */
const standing = () => clockOf(start, () => start);

afterEach(() => {
  for (const clock of clocks.splice(0)) clock.stop();
  vi.restoreAllMocks();
});

describe('the time', () => {
  it('begins at the given time, and advances with the real one', () => {
    let wall = 5_000;
    const clock = clockOf(start, () => wall);
    expect(clock.now()).toBe(start);
    wall += 1_234;
    expect(clock.now()).toBe(start + 1_234);
  });

  it('is the real one by default', () => {
    const clock = clockOf();
    const [before, now, after] = [Date.now(), clock.now(), Date.now()];
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(after);
  });

  it('advances by the requested time in addition to the elapsed time', async () => {
    let wall = start;
    const clock = clockOf(start, () => wall);
    clock.schedule(start + minute, () => void (wall += 7_000));
    await clock.move(2 * minute);
    expect(clock.now()).toBe(start + 2 * minute + 7_000);
  });

  it('is written in whole seconds of UTC without a zone', () => {
    expect(timestamp(start + 999)).toBe('2026-10-11T09:30:00');
  });

  it.each([-1, NaN, Infinity, Date.UTC(9999, 11, 31)])('does not move by %d', async (ms) => {
    const clock = standing();
    await expect(clock.move(ms)).rejects.toThrow(RangeError);
    expect(clock.now()).toBe(start);
    await clock.move(1);
    expect(clock.now()).toBe(start + 1);
  });
});

describe('a move', () => {
  it('runs due tasks in order, each at its time, and no later ones', async () => {
    const clock = standing();
    const ran: [string, number][] = [];
    const note = (name: string) => () => void ran.push([name, clock.now() - start]);
    for (const [name, at] of Object.entries({ c: 30, a: 10, d: 31, b: 20 })) clock.schedule(start + at, note(name));
    await clock.move(30);
    expect(ran).toEqual([
      ['a', 10],
      ['b', 20],
      ['c', 30],
    ]);
    expect(clock.now()).toBe(start + 30);
    await clock.move(1);
    expect(ran.at(-1)).toEqual(['d', 31]);
  });

  it('keeps the order of scheduling among tasks of one time', async () => {
    const clock = standing();
    const ran: number[] = [];
    for (let nth = 0; nth < 20; nth++) clock.schedule(start + 5, () => void ran.push(nth));
    await clock.move(5);
    expect(ran).toEqual(Array.from({ length: 20 }, (_, nth) => nth));
  });

  it('waits for each task, and stops the clock at its time meanwhile', async () => {
    const clock = standing();
    const seen: string[] = [];
    clock.schedule(start + 10, async () => {
      await turn();
      await turn();
      seen.push(`first at ${clock.now() - start}`);
    });
    clock.schedule(start + 20, () => void seen.push(`second at ${clock.now() - start}`));
    await clock.move(minute);
    expect(seen).toEqual(['first at 10', 'second at 20']);
  });

  it('runs tasks that its tasks schedule, if they become due', async () => {
    const clock = standing();
    const ran: number[] = [];
    const again = (): void => {
      ran.push(clock.now() - start);
      clock.schedule(clock.now() + 10, again);
    };
    clock.schedule(start + 10, again);
    await clock.move(35);
    expect(ran).toEqual([10, 20, 30]);
    await clock.move(5);
    expect(ran).toEqual([10, 20, 30, 40]);
  });

  it('runs what a task schedules for a past time in the same move, at the time of that task', async () => {
    const clock = standing();
    const ran: number[] = [];
    clock.schedule(start + 10, () => void clock.schedule(0, () => void ran.push(clock.now() - start)));
    await clock.move(20);
    expect(ran).toEqual([10]);
  });

  it('begins where another one ends', async () => {
    const clock = standing();
    const seen: string[] = [];
    clock.schedule(start + 10, async () => {
      await turn();
      seen.push(`task of the first at ${clock.now() - start}`);
    });
    clock.schedule(start + 25, () => void seen.push(`task of the second at ${clock.now() - start}`));
    await Promise.all([clock.move(20), clock.move(20)]);
    expect(seen).toEqual(['task of the first at 10', 'task of the second at 25']);
    expect(clock.now()).toBe(start + 40);
  });

  it('reports the error of a task after all others have run, and continues to work', async () => {
    const clock = standing();
    const ran: string[] = [];
    clock.schedule(start + 1, () => Promise.reject(new Error('the first')));
    clock.schedule(start + 2, () => {
      throw new Error('the second');
    });
    clock.schedule(start + 3, () => void ran.push('the third'));
    await expect(clock.move(5)).rejects.toThrow('the first');
    expect(ran).toEqual(['the third']);
    expect(clock.now()).toBe(start + 5);
    clock.schedule(start + 6, () => void ran.push('later'));
    await clock.move(1);
    expect(ran).toEqual(['the third', 'later']);
  });

  it('has the same effect as several shorter ones', async () => {
    const steps = fc.array(fc.nat(50), { maxLength: 12 });
    const times = fc.array(fc.nat(300), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(steps, times, async (moves, dues) => {
        const whole = moves.reduce((sum, ms) => sum + ms, 0);
        const run = async (way: readonly number[]): Promise<[number, number][]> => {
          const clock = standing();
          const ran: [number, number][] = [];
          for (const [nth, due] of dues.entries())
            clock.schedule(start + due, () => void ran.push([nth, clock.now() - start]));
          for (const ms of way) await clock.move(ms);
          clock.stop();
          return ran;
        };
        const expected = [...dues.entries()].filter(([, due]) => due <= whole).sort(([, a], [, b]) => a - b);
        expect(await run([whole])).toEqual(expected);
        expect(await run([0, ...moves])).toEqual(expected);
      }),
    );
  });
});

describe('a scheduled task', () => {
  it('does not run when it is cancelled, also by a task of the same time', async () => {
    const clock = standing();
    const ran: string[] = [];
    const note = (name: string) => () => void ran.push(name);
    const early = clock.schedule(start + 5, note('early'));
    clock.schedule(start + 10, () => same.cancel());
    const same = clock.schedule(start + 10, note('same'));
    clock.schedule(start + 10, note('other'));
    early.cancel();
    early.cancel();
    await clock.move(20);
    expect(ran).toEqual(['other']);
    same.cancel();
  });

  it('leaves nothing behind when it is cancelled, however often', () => {
    const queue = new DueQueue<number>();
    const kept: number[] = [];
    for (let nth = 0; nth < 10_000; nth++) {
      const due = queue.add((nth * 7_919) % 1_000, nth);
      if (nth % 100 === 0) {
        kept.push(nth);
      } else {
        queue.cancel(due);
        queue.cancel(due);
      }
    }
    expect(queue.size).toBeLessThan(4 * kept.length);
    const taken: number[] = [];
    for (let due = queue.take(); due; due = queue.take()) taken.push(due.what);
    const at = (nth: number) => (nth * 7_919) % 1_000;
    expect(taken).toEqual(kept.toSorted((a, b) => at(a) - at(b) || a - b));
    expect(queue.size).toBe(0);
  });

  it('is refused when its time is not a number', () => {
    expect(() => standing().schedule(NaN, () => undefined)).toThrow(RangeError);
  });

  it('runs by itself when its time comes, earlier ones first', async () => {
    const clock = clockOf(start);
    const ran: [string, number][] = [];
    await new Promise<void>((resolve) => {
      clock.schedule(start + 40, () => {
        ran.push(['second', clock.now()]);
        resolve();
      });
      clock.schedule(start + 20, () => void ran.push(['first', clock.now()]));
      clock.schedule(start + 10, () => void ran.push(['never', clock.now()])).cancel();
    });
    expect(ran).toEqual([
      ['first', start + 20],
      ['second', start + 40],
    ]);
  });

  it('runs at once, but not in the same turn, if its time has passed', async () => {
    const clock = clockOf(start);
    let ranAt: number | undefined;
    const ran = new Promise<void>((resolve) => {
      clock.schedule(start - minute, () => {
        ranAt = clock.now();
        resolve();
      });
    });
    expect(ranAt).toBeUndefined();
    await ran;
    expect(ranAt).toBeGreaterThanOrEqual(start);
  });

  it('does not delay the clock while it runs by itself', async () => {
    const clock = clockOf(start);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const seen: string[] = [];
    const done = new Promise<void>((resolve) => {
      clock.schedule(start, async () => {
        seen.push('begun');
        await held;
        seen.push('ended');
        resolve();
      });
    });
    await new Promise<void>((resolve) => void clock.schedule(start + 5, resolve));
    await clock.move(minute);
    expect(clock.now()).toBeGreaterThanOrEqual(start + minute);
    expect(seen).toEqual(['begun']);
    release();
    await done;
    expect(seen).toEqual(['begun', 'ended']);
  });

  it('is logged as a warning if it fails and no caller waits, and the next one runs', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const clock = clockOf(start);
    clock.schedule(start, () => {
      throw new Error('at once');
    });
    clock.schedule(start, () => Promise.reject(new Error('later')));
    await new Promise<void>((resolve) => void clock.schedule(start + 5, resolve));
    expect(warned.mock.calls.map(([warning]) => String(warning))).toEqual(['Error: at once', 'Error: later']);
  });

  it('does not run once the clock is stopped, even during a move', async () => {
    const clock = standing();
    const ran: string[] = [];
    clock.schedule(start + 10, async () => {
      ran.push('before');
      clock.stop();
      await turn();
      clock.schedule(start + 11, () => void ran.push('scheduled later'));
    });
    clock.schedule(start + 20, () => void ran.push('after'));
    await clock.move(minute);
    clock.schedule(start + minute, () => void ran.push('scheduled after the stop')).cancel();
    clock.schedule(start + minute, () => void ran.push('scheduled after the stop'));
    await clock.move(minute);
    expect(ran).toEqual(['before']);
  });

  it('leaves no timer behind when the clock is stopped', async () => {
    vi.useFakeTimers();
    try {
      const clock = clockOf(start);
      clock.schedule(start + minute, () => undefined);
      expect(vi.getTimerCount()).toBe(1);
      clock.stop();
      expect(vi.getTimerCount()).toBe(0);
      await clock.move(2 * minute);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not wait for a later one that was scheduled before it', async () => {
    vi.useFakeTimers({ now: start });
    try {
      const clock = clockOf();
      const [late, early] = [vi.fn(), vi.fn()];
      clock.schedule(start + 60 * minute, late);
      clock.schedule(start + minute, early);
      await vi.advanceTimersByTimeAsync(minute);
      expect([early.mock.calls.length, late.mock.calls.length]).toEqual([1, 0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('waits longer than a timer of the runtime can', async () => {
    vi.useFakeTimers({ now: start });
    try {
      const clock = clockOf();
      const days = 40 * 24 * 60 * minute;
      const ran = vi.fn();
      clock.schedule(start + days, ran);
      await vi.advanceTimersByTimeAsync(days - 1);
      expect(ran).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(ran).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('may be one of many', async () => {
    const clock = standing();
    let ran = 0;
    const many = 100_000;
    for (let nth = 0; nth < many; nth++) clock.schedule(start + ((nth * 7_919) % many), () => void ran++);
    await clock.move(many);
    expect(ran).toBe(many);
  });
});
