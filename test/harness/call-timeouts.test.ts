import { describe, expect, it } from 'vitest';
import { LearnedTimeouts } from '../../harness/wire/call-timeouts.ts';

const limits = { answerTimeoutMs: 30_000, waitingMs: 10_000 };
const circumstances = { reacted: false, mostMs: 30_000 };
const answered = (firstPieceMs: number) => ({ outcome: 'closed', firstPieceMs, waitedMs: firstPieceMs }) as const;
const lost = { outcome: 'nothing', firstPieceMs: null, waitedMs: 29_990 } as const;

function learned(...answers: Parameters<LearnedTimeouts['book']>[0][]): LearnedTimeouts {
  const timeouts = new LearnedTimeouts();
  for (const answer of answers) timeouts.book(answer, circumstances);
  return timeouts;
}

describe('the wait for the first piece of an answer', () => {
  it('is the longest until an AI that answers others has lost a sentence', () => {
    expect(learned(answered(200), answered(300), answered(200)).timeouts(limits).firstPieceMs).toBe(30_000);
    expect(learned(lost, lost, lost).timeouts(limits).firstPieceMs).toBe(30_000);
    expect(learned(answered(200), answered(300), answered(200), lost).timeouts(limits).firstPieceMs).toBe(12_000);
  });

  it('remains longer than a usual answer takes', () => {
    const slow = learned(answered(200), answered(300), answered(7_000), lost);
    expect(slow.timeouts(limits).firstPieceMs).toBe(slow.usualFirstPieceMs);
    expect(slow.usualFirstPieceMs).toBeGreaterThan(14_000);
    expect(learned(answered(200), answered(300), answered(25_000), lost).timeouts(limits).firstPieceMs).toBe(30_000);
  });

  it('is not reduced if another frame came, or if a wait ended early', () => {
    const timeouts = learned(answered(200), answered(300), answered(200), { ...lost, waitedMs: 2_000 });
    timeouts.book(lost, { ...circumstances, reacted: true });
    expect(timeouts.timeouts(limits).firstPieceMs).toBe(30_000);
  });
});
