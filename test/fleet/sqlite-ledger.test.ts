import { describe, expect, it } from 'vitest';
import {
  leaseMs,
  lostResult,
  mostAttempts,
  mostFailures,
  nothingSent,
  type Claim,
  type Ledger,
} from '../../fleet/ledger.ts';
import { openLedger } from '../../fleet/sqlite-ledger.ts';
import { temporaryDirectory } from '../bin/run-command.ts';
import { certified, failing } from './sample-fleet.ts';

const night = '2026-10-12';

/** Two connections to one file, as two processes have them. */
async function twoLedgers() {
  const directory = await temporaryDirectory();
  const [one, other] = [await openLedger(directory.at('l.sqlite')), await openLedger(directory.at('l.sqlite'))];
  return {
    one,
    other,
    [Symbol.asyncDispose]: async () => {
      one[Symbol.dispose]();
      other[Symbol.dispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

function claimed(ledger: Ledger, now: number, target = 'shop'): Claim {
  const claim = ledger.claim(target, night, now);
  if (!claim) throw new Error('expected a claim');
  return claim;
}

describe('the ledger', () => {
  it('gives a target to one process, until its lease is over', async () => {
    await using ledgers = await twoLedgers();
    const { one, other } = ledgers;
    const claim = claimed(one, 0);
    expect(other.claim('shop', night, leaseMs - 1)).toBeUndefined();
    expect(one.renew(claim, nothingSent, leaseMs - 1)).toBe(true);
    expect(other.claim('shop', night, leaseMs + 1)).toBeUndefined();
    expect(claimed(other, 2 * leaseMs).attempt).toBe(2);
    expect(one.renew(claim, nothingSent, 2 * leaseMs)).toBe(false);
  });

  it('rejects the result of a claim that another one has replaced', async () => {
    await using ledgers = await twoLedgers();
    const { one, other } = ledgers;
    const old = claimed(one, 0);
    const fresh = claimed(other, leaseMs + 1);
    expect(fresh.token).toBeGreaterThan(old.token);
    expect(one.complete(old, certified())).toBe(false);
    expect(one.release(old, nothingSent, 'It was killed.')).toBe('superseded');
    expect(other.complete(fresh, failing('token/another-token'))).toBe(true);
    expect(one.complete(old, certified())).toBe(false);
    expect(other.complete(fresh, certified())).toBe(false);
    expect(one.entries(night).map(({ result }) => result)).toEqual([failing('token/another-token')]);
    expect([one.finished(night), one.claim('shop', night, 9 * leaseMs)]).toEqual([['shop'], undefined]);
    expect(claimed(one, 0, 'other').token).toBeGreaterThan(fresh.token);
  });

  it('gives up a target whose worker ends without a result each time', async () => {
    using ledger = await openLedger(':memory:');
    for (let at = 0; at < mostAttempts; at++) claimed(ledger, at * 2 * leaseMs);
    expect(ledger.claim('shop', night, 2 * mostAttempts * leaseMs)).toBeUndefined();
    expect(ledger.entries(night)).toMatchObject([{ attempt: mostAttempts, result: lostResult }]);
  });

  it('certifies a target once in each night', async () => {
    await using ledgers = await twoLedgers();
    const { one } = ledgers;
    one.complete(claimed(one, 0), certified());
    expect(one.claim('shop', '2026-10-13', 0)).toMatchObject({ night: '2026-10-13', attempt: 1 });
  });

  it('tries again after a failed attempt, not after a release, and gives up at the last', async () => {
    await using ledgers = await twoLedgers();
    const { one } = ledgers;
    for (let at = 0; at < 2 * mostFailures; at++) expect(one.release(claimed(one, 0), nothingSent)).toBe('open');
    for (let at = 1; at < mostFailures; at++)
      expect(one.release(claimed(one, 0), nothingSent, `failure ${at}`)).toBe('open');
    expect(one.release(claimed(one, 0), nothingSent, 'the last')).toBe('failed');
    expect(one.claim('shop', night, 9 * leaseMs)).toBeUndefined();
    expect(one.entries(night)[0]?.result).toEqual({ state: 'failed', reason: 'the last' });
    expect(one.results(night)).toEqual([{ night, verdict: null, count: 1 }]);
  });

  it('counts results and causes by night', async () => {
    await using ledgers = await twoLedgers();
    const { one } = ledgers;
    for (const [on, ids] of [
      ['2026-10-11', ['a']],
      [night, ['a', 'b']],
    ] as const) {
      for (const id of ids) {
        const claim = one.claim(id, on, 0);
        if (claim) one.complete(claim, failing('tls/expired'));
      }
    }
    one.complete(claimed(one, 0, 'c'), certified());
    expect(one.results(night)).toEqual([
      { night: '2026-10-11', verdict: 'non-conformant', count: 1 },
      { night, verdict: 'conformant', count: 1 },
      { night, verdict: 'non-conformant', count: 2 },
    ]);
    expect(one.results('2026-10-11')).toHaveLength(1);
    const counts = one.causesByNight('own-ai-chat tls/expired', night);
    expect([...counts]).toEqual([
      ['2026-10-11', 1],
      [night, 2],
    ]);
  });

  it('adds entries of another ledger once, and refuses a second result', async () => {
    await using ledgers = await twoLedgers();
    await using shard = await twoLedgers();
    shard.one.complete(claimed(shard.one, 0), failing('tls/expired'));
    const [entry] = shard.one.entries(night);
    if (!entry) throw new Error('expected an entry');
    expect([ledgers.one.add([entry]), ledgers.one.add([entry])]).toEqual([undefined, undefined]);
    expect(ledgers.one.entries(night)).toEqual([entry]);
    expect(ledgers.one.causesByNight('own-ai-chat tls/expired', night).size).toBe(1);
    const conflict = { ...entry, result: certified() };
    const other = { ...entry, target: 'garage' };
    expect(ledgers.one.add([other, conflict])).toEqual(conflict);
    expect(ledgers.one.finished(night)).toEqual(['shop']);
  });
});
