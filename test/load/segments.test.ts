import { describe, expect, it } from 'vitest';
import { SegmentStep } from '../../load/artillery/segment-step.ts';
import type { RunningStep } from '../../load/running-step.ts';
import { dueTimes, partOf, segmentOf, type PlannedStep, type Segment } from '../../load/artillery/segment.ts';

/** The segments of so many machines; each has its own number of workers. */
function segments(workers: readonly number[]): Segment[] {
  return workers.flatMap((of, machine) =>
    Array.from({ length: of }, (_, index) => ({
      machine: { index: machine, of: workers.length },
      worker: { index, of },
    })),
  );
}

const fleets = [...Array.from({ length: 16 }, (_, at) => [at + 1]), [1, 1], [2, 2], [1, 3, 2], [7, 1, 4, 4, 2]];
const steps: PlannedStep[] = [1, 2, 3, 7, 16, 100, 4_001].map((load) => ({ load, seconds: 3, seed: load }));

describe('the segments of all workers', () => {
  it('have exactly the times of the plan, for any number of machines and workers', () => {
    for (const step of steps) {
      const plan = dueTimes(step, segmentOf({}));
      expect(plan).toHaveLength(step.load * step.seconds);
      for (const workers of fleets) {
        const all = segments(workers).flatMap((segment) => dueTimes(step, segment));
        expect(
          all.sort((a, b) => a - b),
          `${step.load} on ${workers.join('+')}`,
        ).toEqual(plan);
      }
    }
  });

  it('have the full rate in each second, at times that the seed repeats', () => {
    const step: PlannedStep = { load: 50, seconds: 4, seed: 3 };
    const times = dueTimes(step, segmentOf({}));
    for (const second of [0, 1, 2, 3]) {
      expect(times.filter((ms) => Math.floor(ms / 1000) === second)).toHaveLength(50);
    }
    expect(dueTimes(step, segmentOf({}))).toEqual(times);
    expect(dueTimes({ ...step, seed: 4 }, segmentOf({}))).not.toEqual(times);
    const pauses = new Set(times.slice(1).map((ms, at) => Math.round(ms - (times[at] ?? 0))));
    expect(pauses.size).toBeGreaterThan(10);
  });

  it('add up to each limit of the config', () => {
    for (const whole of [0, 1, 7, 60, 1_001]) {
      for (const workers of fleets) {
        const parts = segments(workers).map((segment) => partOf(whole, segment));
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole);
        if (workers.length === 1) expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
      }
    }
  });

  it('have the number of the worker from its phases, and that of the machine from its variable', () => {
    expect(segmentOf({ worker: 2, totalWorkers: 3 }, '4/4')).toEqual({
      machine: { index: 3, of: 4 },
      worker: { index: 1, of: 3 },
    });
    for (const value of ['', '0/2', '3/2', '2', 'a/b', '1/0', '-1/2'])
      expect(() => segmentOf({}, value)).toThrow('SVC_CONFORM_MACHINE: expected the number of this machine');
  });
});

describe('a step of a segment', () => {
  /** A step that records when its events are due, and how often it ended. */
  function recorded() {
    const due: number[] = [];
    const ends: unknown[] = [];
    const running: RunningStep = {
      isOver: false,
      run: async (at) => void due.push(at),
      end: async () => ({ load: due.length }) as Awaited<ReturnType<RunningStep['end']>>,
    };
    return { due, ends, step: new SegmentStep(running, [1, 2, 3, 4], (measured) => void ends.push(measured)) };
  }

  it('begins each event when Artillery does, the others at the end of its phase, and ends once', async () => {
    const { due, ends, step } = recorded();
    const arrivals = [step.arrive(), step.arrive()];
    expect(due).toEqual([1, 2]);
    step.complete();
    await Promise.all([...arrivals, step.arrive()]);
    expect([due, ends]).toEqual([[1, 2, 3, 4], [{ load: 4 }]]);
  });

  it('begins all events at once for a worker to which Artillery gives only some of them, or none', async () => {
    const { due, ends, step } = recorded();
    step.beginAll();
    expect(due).toEqual([1, 2, 3, 4]);
    step.complete();
    await expect.poll(() => ends).toEqual([{ load: 4 }]);
    await step.arrive();
    expect([due.length, ends.length]).toEqual([4, 1]);
  });
});
