import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OutOfTime, type Connection } from '../../diagnosis/connection.ts';
import { Stopwatch } from '../../diagnosis/timing/stopwatch.ts';

const unhandled: unknown[] = [];
const listen = (reason: unknown) => unhandled.push(reason);
beforeEach(() => void process.on('unhandledRejection', listen));
afterEach(() => void process.off('unhandledRejection', listen));

describe('a measurement while another event is in flight', () => {
  it('rejects once when the time is over before the measured event is sent, and leaves no rejection unhandled', async () => {
    const connection = {
      case: () => ({ delivery: {} }),
      ask: () => Promise.reject(new OutOfTime('over')),
    } as unknown as Connection;
    const watch = new Stopwatch(connection, 2_000);
    await expect(watch.take('a lookup', undefined, { ahead: { eventType: 'Manual' } })).rejects.toThrow(OutOfTime);
    // Node reports unhandled rejections after the microtasks.
    await new Promise((wake) => setImmediate(wake));
    expect(unhandled).toEqual([]);
  });
});
