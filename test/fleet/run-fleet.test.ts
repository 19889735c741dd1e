import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as Timers from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { TargetOutcome } from '../../fleet/check-target.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { Concurrency } from '../../fleet/concurrency.ts';
import type { Release } from '../../fleet/target-claims.ts';
import { leaseMs, mostFailures, type Claim, type Ledger, type SentTraffic } from '../../fleet/ledger.ts';
import { LocalClaims } from '../../fleet/local-claims.ts';
import { runFleet, type FleetParts, type FleetPlan, type PlannedTarget } from '../../fleet/run-fleet.ts';
import { openLedger } from '../../fleet/sqlite-ledger.ts';
import { temporaryDirectory } from '../bin/run-command.ts';
import { certified } from './sample-fleet.ts';

/** Long pauses, which do not last, and the checks between them. */
const steps: string[] = [];
vi.mock('node:timers/promises', async (original) => {
  const real = await original<typeof Timers>();
  const setTimeout: typeof real.setTimeout = async (ms = 0, value, options) => {
    if (ms <= 1_000) return await real.setTimeout(ms, value, options);
    steps.push(`${ms} ms`);
    return value as never;
  };
  return { ...real, setTimeout };
});

const night = '2026-10-12';
const now = Date.parse('2026-10-12T20:00:00Z');
const passes: TargetOutcome = { kind: 'report', certified: certified(), isTooSlow: false };

function target(id: string, over: Partial<PlannedTarget> = {}): PlannedTarget {
  return { id, config: {}, environment: {}, windows: [], limits: {}, ...over };
}

/** Runs a fleet whose checks end as `outcomes` says, by target and attempt. */
async function fleetOf(
  targets: readonly PlannedTarget[],
  check: (id: string, claim: Claim, signal: AbortSignal, ledger: Ledger) => TargetOutcome | Promise<TargetOutcome>,
  over: Partial<FleetPlan> & {
    processors?: number;
    sent?: (claim: Claim) => SentTraffic;
    before?: (ledger: Ledger) => void;
    /** The answer to each attempt to renew a claim, from 1. */
    renews?: (at: number) => Promise<boolean>;
  } = {},
) {
  const ledger = await openLedger(':memory:');
  over.before?.(ledger);
  await using directory = await temporaryDirectory();
  const fleet = { ledger, out: directory.path, night, targets: targets.map(({ id }) => id), now: () => now };
  const claims = new LocalClaims(fleet);
  const events: string[] = [];
  const released: [string, Release][] = [];
  let [running, most, renewals] = [0, 0, 0];
  const parts: FleetParts = {
    claims: Object.assign(claims, {
      ...(over.renews && { renew: () => over.renews?.(++renewals) }),
      release: async (claim: Claim, release: Release) => {
        released.push([claim.target, release]);
        return await LocalClaims.prototype.release.call(claims, claim, release);
      },
    }),
    concurrency: new Concurrency({ processors: over.processors ?? 2, most: 9, now }),
    check: async ({ id }, claim, { signal, onProgress }) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      if (over.sent) onProgress({ wait: { activeMs: 1, waitedMs: 0 }, sent: over.sent(claim) });
      await mkdir(claims.place(claim), { recursive: true });
      await writeFile(join(claims.place(claim), 'report.json'), String(claim.token));
      return await check(id, claim, signal, ledger);
    },
    emit: (event) => {
      if (event.event === 'target-finished') events.push(`${event.target} ${event.state}`);
    },
    now: () => now,
  };
  const signal = new AbortController().signal;
  const without = await runFleet({ targets, night, beginUntil: now + 1, signal, ...over }, parts);
  const published = await readdir(directory.at('targets')).catch(() => []);
  expect(await readdir(directory.at('work')).catch(() => []), 'work that nothing needs').toEqual([]);
  return { without: Object.fromEntries(without), events, most, ledger, published, released };
}

describe('a fleet', () => {
  afterEach(() => void vi.useRealTimers());

  it('counts what all attempts of a target sent, also of those without a report', async () => {
    const { released } = await fleetOf(
      [target('shop', { limits: { messages: 10 } }), target('other')],
      (id, { sent, attempt }) => {
        if (id === 'other') return attempt === 1 ? { kind: 'failed', reason: 'It died.' } : passes;
        return { ...passes, isTooSlow: true, sent: { messages: sent.messages + 4, calls: 1 } };
      },
      { sent: ({ sent }) => ({ messages: sent.messages + 3, calls: 0 }) },
    );
    expect(released.toSorted()).toEqual([
      ['other', { sent: { messages: 3, calls: 0 }, failure: 'It died.' }],
      ['shop', { sent: { messages: 4, calls: 1 } }],
    ]);
  });

  it('waits a minute before a further attempt if the rate of a target is limited, also after another process', async () => {
    const ids = { limited: { perMinute: 5 }, free: {} };
    const { events } = await fleetOf(
      Object.entries(ids).map(([id, limits]) => target(id, { limits })),
      (id, { attempt }) => {
        steps.push(`${id} ${attempt}`);
        return passes;
      },
      {
        processors: 1,
        before: (ledger) => Object.keys(ids).forEach((id) => ledger.claim(id, night, now - 2 * leaseMs)),
      },
    );
    expect(events).toEqual(['limited complete', 'free complete']);
    expect(steps.splice(0)).toEqual(['61000 ms', 'limited 2', 'free 2']);
    await fleetOf([target('first', { limits: ids.limited })], () => passes);
    expect(steps).toEqual([]);
  });

  it('ends a check whose claim cannot be renewed before its lease is over, without a failure', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'performance'] });
    const begun = performance.now();
    const ended: number[] = [];
    const { events, released } = await fleetOf(
      [target('shop')],
      async (_, { attempt }, signal) => {
        if (attempt === 2) return passes;
        while (!signal.aborted) await vi.advanceTimersByTimeAsync(1_000);
        ended.push(performance.now() - begun);
        return { kind: 'failed', reason: 'killed' };
      },
      { renews: (at) => (at === 1 ? Promise.resolve(true) : Promise.reject(new Error('unreachable'))) },
    );
    // The first renewal after a third of the lease succeeded.
    expect(ended).toEqual([leaseMs]);
    expect(events).toEqual(['shop again', 'shop complete']);
    expect(released.map(([, { failure }]) => failure)).toEqual([undefined]);
  });

  it('certifies every target, as many at a time as allowed', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const { without, most, ledger, published } = await fleetOf(
      ids.map((id) => target(id)),
      () => passes,
    );
    expect(without).toEqual({});
    expect(most).toBe(2);
    expect(ledger.entries(night).map(({ target: id, result }) => [id, result?.state])).toEqual(
      ids.map((id) => [id, 'complete']),
    );
    expect(published).toEqual(ids);
  });

  it('never checks two targets with the same port at the same time', async () => {
    const shared = await fleetOf(
      ['a', 'b', 'c'].map((id) => target(id, { port: 8877 })),
      () => passes,
    );
    expect([shared.most, shared.ledger.entries(night).length]).toEqual([1, 3]);
    const different = await fleetOf([target('a', { port: 8877 }), target('b', { port: 8878 })], () => passes);
    expect(different.most).toBe(2);
  });

  it('tries a check without a report again, and gives up after the last attempt', async () => {
    const { events, ledger } = await fleetOf([target('dies'), target('once')], (id, { attempt }) =>
      id === 'once' && attempt === 2 ? passes : { kind: 'failed', reason: `attempt ${attempt}` },
    );
    expect(events.filter((event) => event === 'dies again')).toHaveLength(mostFailures - 1);
    expect(events).toContain('dies failed');
    expect(events).toContain('once complete');
    expect(ledger.entries(night).find((entry) => entry.target === 'dies')?.result).toEqual({
      state: 'failed',
      reason: `attempt ${mostFailures}`,
    });
  });

  it('repeats a check that this machine was too slow to judge, once, with fewer at a time', async () => {
    const { events, ledger } = await fleetOf([target('slow')], () => ({ ...passes, isTooSlow: true }));
    expect(events).toEqual(['slow again', 'slow complete']);
    expect(ledger.entries(night)[0]?.attempt).toBe(2);
  });

  it('keeps a report that it was too slow for, if the limits would cut the next check off', async () => {
    const { events } = await fleetOf(
      [target('fits', { limits: { messages: 8 } }), target('full', { limits: { messages: 7 } })],
      (_, { sent }) => ({ ...passes, isTooSlow: true, sent: { messages: sent.messages + 4, calls: 1 } }),
    );
    expect(events.toSorted()).toEqual(['fits again', 'fits complete', 'full complete']);
  });

  it('continues if a target cannot be prepared when its check begins', async () => {
    const { without, ledger } = await fleetOf([target('gone'), target('broken'), target('good')], (id) => {
      if (id === 'gone') throw new HarnessFault('config-not-found:file', { file: 'gone.yaml' });
      if (id === 'broken') throw new TypeError('It is broken.');
      return passes;
    });
    expect(without).toMatchObject({
      gone: { state: 'unusable', reason: expect.stringContaining('gone.yaml') as string },
    });
    const results = ledger.entries(night).map(({ target: id, result }) => [id, result?.state]);
    expect(results.toSorted()).toEqual([
      ['broken', 'failed'],
      ['gone', undefined],
      ['good', 'complete'],
    ]);
  });

  it('reports targets whose config cannot be used, and leaves them open for a later command', async () => {
    const { without, ledger } = await fleetOf([target('bad')], () => ({ kind: 'unusable', reason: 'No secret.' }));
    expect(without).toEqual({ bad: { state: 'unusable', reason: 'No secret.' } });
    expect(ledger.claim('bad', night, now)).toBeDefined();
  });

  it('checks only within windows, and only those that open in time', async () => {
    const windows = (from: string, to: string) => [{ from, to }];
    const checked: string[] = [];
    const { without } = await fleetOf(
      [
        target('open', { windows: windows('19:00', '23:00') }),
        target('later', { windows: windows('22:00', '06:00') }),
        target('short', { windows: windows('19:55', '20:10') }),
      ],
      (id) => {
        checked.push(id);
        return passes;
      },
    );
    expect(checked).toEqual(['open']);
    expect(without['later']).toEqual({
      state: 'not-checked',
      reason: 'Its next window opens at 2026-10-12T22:00:00.000Z.',
    });
    expect(without['short']).toMatchObject({ state: 'unusable' });
  });

  it('rejects the result of a claim that another process has replaced', async () => {
    const {
      events,
      published,
      ledger: kept,
    } = await fleetOf([target('shop')], (id, _, __, ledger) => {
      const other = ledger.claim(id, night, now + 2 * leaseMs);
      if (other) ledger.complete(other, certified({ durationMs: 7 }));
      return passes;
    });
    expect([events, published]).toEqual([['shop superseded'], []]);
    expect(kept.entries(night)[0]?.result).toEqual(certified({ durationMs: 7 }));
  });

  it('stops at once, and gives the claims back', async () => {
    const stop = new AbortController();
    const { without, ledger, events, released } = await fleetOf(
      [target('a'), target('b'), target('c')],
      (_, __, signal) => {
        stop.abort();
        expect(signal.aborted).toBe(true);
        return { kind: 'failed', reason: 'killed' };
      },
      { signal: stop.signal },
    );
    expect(Object.keys(without).toSorted()).toEqual(['a', 'b', 'c']);
    expect(released.map(([id]) => id).toSorted()).toEqual(['a', 'b']);
    expect(events).toEqual([]);
    expect(ledger.claim('a', night, now)?.attempt).toBe(2);
  });
});
