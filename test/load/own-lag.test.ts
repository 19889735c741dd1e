import { describe, expect, it } from 'vitest';
import { delayOfMost, OwnLag } from '../../load/own-lag.ts';

describe('the delay of this process', () => {
  it.each([
    ['no stall', [], 100, 0],
    ['stalls shorter in sum than what is rare', [40, 50], 100, 0],
    // Of ten seconds, 100 ms are rare: the events of the first 900 ms of this stall wait for more than 100 ms.
    ['one long stall', [1_000], 100, 900],
    ['a long stall among short ones', [1_000, 10, 10, 10], 100, 900],
    ['equal stalls', [150, 150, 150, 150], 100, 125],
    ['stalls of which only the longest count', [300, 220, 20], 100, 210],
  ])('counts by the time in which events wait: %s', (_, stalls, rare, delay) => {
    expect(delayOfMost(stalls, rare)).toBe(delay);
  });

  it('is found where few long stalls take much of the time', async () => {
    const lag = new OwnLag();
    for (let turn = 0; turn < 3; turn++) {
      const until = performance.now() + 100;
      while (performance.now() < until);
      await new Promise((wake) => setTimeout(wake, 30));
    }
    expect(lag.end()).toBeGreaterThan(60);
  });
});
