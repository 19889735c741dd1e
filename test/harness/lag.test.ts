import { describe, expect, it, vi } from 'vitest';
import { LagMeter } from '../../harness/wire/lag-meter.ts';

/** Blocks this process for `ms` milliseconds and returns the readings of the clock before and after. */
function stall(ms: number): { from: number; to: number } {
  const from = performance.now();
  while (performance.now() - from < ms);
  return { from, to: performance.now() };
}

/** Milliseconds between two ticks beyond which the meter counts a pause as a stall. */
const slackMs = 25;

describe('the meter', () => {
  it('determines anew how long this process waited for a processor', async () => {
    using lag = new LagMeter();
    expect(lag.starvedMs).toBeLessThan(100);
    // Blocks the thread, like a process that gets no processor.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    await vi.waitFor(() => expect(lag.starvedMs).toBeGreaterThan(150), { timeout: 10_000 });
  });

  it('detects a stall, at once and later', async () => {
    using lag = new LagMeter();
    const { from, to } = stall(120);
    expect(lag.between(from, to)).toBeGreaterThan(to - from - slackMs);
    await new Promise((wake) => setTimeout(wake, 20));
    expect(lag.between(from, to)).toBeGreaterThan(to - from - slackMs);
  });

  it('counts only the part of a stall between the two readings', () => {
    using lag = new LagMeter();
    const { from, to } = stall(120);
    const middle = (from + to) / 2;
    lag.between(from, to);
    expect(lag.between(middle, to)).toBeCloseTo(to - middle, 0);
    expect(lag.between(middle, middle)).toBe(0);
    expect(lag.between(from - 1_000, from - 500)).toBe(0);
  });

  it('never reports more than the elapsed time, however many stalls occurred', async () => {
    using lag = new LagMeter();
    const from = performance.now();
    for (let turn = 0; turn < 3; turn++) {
      stall(30);
      await new Promise((wake) => setTimeout(wake, 5));
    }
    const to = performance.now();
    const reported = lag.between(from, to);
    expect(reported).toBeGreaterThan(0);
    expect(reported).toBeLessThanOrEqual(to - from);
  });

  it('counts stalls at the ends of a time, which may have hidden the answer, and none in the middle', async () => {
    using lag = new LagMeter();
    const from = performance.now();
    await new Promise((wake) => setTimeout(wake, 30));
    stall(120);
    await new Promise((wake) => setTimeout(wake, 60));
    const answeredLater = performance.now();
    const hidden = stall(120);
    expect(lag.atEnds(from, hidden.to)).toBeGreaterThanOrEqual(hidden.to - hidden.from);
    expect(lag.atEnds(from, answeredLater)).toBeLessThan(answeredLater - from - 60);
    expect(lag.atEnds(from, from)).toBe(0);
  });

  it('remembers the beginning of an exchange with the longest timeout', () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
    try {
      using lag = new LagMeter();
      vi.advanceTimersByTime(40_000);
      for (let second = 0; second < 60; second++) {
        vi.advanceTimersByTime(1_000);
        const to = performance.now();
        expect(lag.atEnds(to - 35_000, to)).toBeLessThan(slackMs);
      }
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not keep a process alive', () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    using _lag = new LagMeter();
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBe(before);
  });
});
