import { createHistogram } from 'node:perf_hooks';
import type { LoadTimes } from '../specs/generated/types.ts';

/** The longest time that can be recorded, in microseconds: longer than any timeout. */
const longestMicroseconds = 3_600_000_000;

/** Times in an HdrHistogram, which the histogram of Node is: bounded memory, three significant digits. */
export class ResponseTimes {
  readonly #histogram = createHistogram({ lowest: 1, highest: longestMicroseconds, figures: 3 });
  readonly #onRecord: (ms: number) => void;

  /** @param onRecord receives each time */
  constructor(onRecord: (ms: number) => void = () => undefined) {
    this.#onRecord = onRecord;
  }

  /** Records one time in milliseconds. */
  record(ms: number): void {
    this.#onRecord(ms);
    this.#histogram.record(Math.min(longestMicroseconds, Math.max(1, Math.round(ms * 1000))));
  }

  /** Number of recorded times. */
  get count(): number {
    return this.#histogram.count;
  }

  /** The percentiles in milliseconds; `null` if nothing was recorded. */
  get summary(): LoadTimes | null {
    const { count } = this.#histogram;
    if (count === 0) return null;
    const ms = (microseconds: number) => Math.round(microseconds / 100) / 10;
    const [p50, p90, p99] = [50, 90, 99].map((part) => ms(this.#histogram.percentile(part))) as [
      number,
      number,
      number,
    ];
    return { count: Number(count), p50, p90, p99, max: ms(this.#histogram.max) };
  }
}
