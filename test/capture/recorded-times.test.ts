import { describe, expect, it } from 'vitest';
import type { CapturedDelivery } from '../../harness/capture/capture.ts';
import { inTime } from '../../suites/capture/deliveries.ts';

const limitMs = 2_000;

/** Judges a delivery that has only an answer and its time: `in time`, `late`, or nothing if neither is certain. */
function judged(answer: object, totalMs: number | null): string[] {
  const delivery = { answer, times: { totalMs }, credential: { is: 'authentic' }, request: { url: '' } };
  const outcomes = inTime([delivery as unknown as CapturedDelivery], limitMs, 'lookup');
  return outcomes.map(({ finding }) => (finding === undefined ? 'in time' : 'late'));
}

const answered = (ms: number) => judged({ outcome: 'answered', status: 200, body: Buffer.alloc(0) }, ms);
const unanswered = (ms: number) => judged({ outcome: 'no-answer', afterMs: ms }, null);

describe('the time of a recorded answer', () => {
  it('is in time up to the limit, and late only beyond the error of the recorder', () => {
    expect(answered(limitMs)).toEqual(['in time']);
    expect(answered(limitMs + 1)).toEqual([]);
    expect(answered(limitMs + 15)).toEqual([]);
    expect(answered(limitMs + 16)).toEqual(['late']);
  });

  it('is too long if no answer had arrived when the client gave up at the limit', () => {
    expect(unanswered(limitMs)).toEqual(['late']);
    expect(unanswered(limitMs - 1)).toEqual([]);
  });
});
