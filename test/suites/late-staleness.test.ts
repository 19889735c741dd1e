import { describe, expect, it } from 'vitest';
import { CheckRecord, withRecord } from '../../harness/checks/check-record.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import { NotExercised } from '../../harness/checks/faults.ts';
import { FindingError } from '../../harness/checks/finding.ts';
import { judgeLateStaleness } from '../../suites/late-staleness.ts';
import { answered, exchange } from './made-observations.ts';

const check = 'own-ai-chat/refuses-stale-timestamp#at-the-end';

/** Judges a stale `t` so many seconds after the first valid signature. */
async function judge({
  seconds,
  accepted = false,
  retryWatchMs = 3_000,
  only = [],
}: {
  seconds: number;
  accepted?: boolean;
  retryWatchMs?: number;
  only?: string[];
}) {
  const record = new CheckRecord();
  const kit = {
    settings: { retryWatchMs, only },
    notExercised: (why: string) => {
      throw new NotExercised(why);
    },
  } as unknown as CheckKit;
  const earlier = { ...exchange(answered(200)), at: performance.now() - seconds * 1000 };
  let sent = 0;
  const sendStale = () => {
    sent++;
    const finding = accepted ? { expected: 'it to be refused', received: 'status 200' } : undefined;
    return Promise.resolve({ exchange: exchange(answered(accepted ? 200 : 401)), finding });
  };
  const error: unknown = await withRecord(record, () => judgeLateStaleness(kit, check, earlier, sendStale)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, sent, record };
}

describe('a stale time at the end of a run', () => {
  it('is not sent in a run that is too short', async () => {
    const { error, sent } = await judge({ seconds: 5, accepted: true });
    expect(error).toBeInstanceOf(NotExercised);
    expect(sent).toBe(0);
  });

  it('passes only in a run that always takes long enough, so that two equal runs do not differ', async () => {
    const { error, sent, record } = await judge({ seconds: 25 });
    expect(error).toBeInstanceOf(NotExercised);
    expect(sent).toBe(1);
    expect(record.judged).toBe(0);
    const thorough = await judge({ seconds: 31, retryWatchMs: 30_000 });
    expect(thorough.error).toBeUndefined();
    expect(thorough.record.judged).toBe(1);
    expect(thorough.record.note).toBe('Refused 31 s after the first valid signature.');
  });

  it('passes if the run was asked for this check', async () => {
    const { error, record } = await judge({ seconds: 25, only: [check] });
    expect(error).toBeUndefined();
    expect(record.judged).toBe(1);
  });

  it.each([{ retryWatchMs: 3_000 }, { retryWatchMs: 24_000 }, { only: [check] }])(
    'fails in each run that took long enough if it is accepted: %o',
    async (run) => {
      const { error } = await judge({ seconds: 25, accepted: true, ...run });
      expect(error).toBeInstanceOf(FindingError);
      expect((error as FindingError).finding.hint).toContain('Read the time for every delivery');
    },
  );
});
