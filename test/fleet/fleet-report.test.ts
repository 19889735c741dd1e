import { describe, expect, it } from 'vitest';
import { buildFleetReport, fleetExitCode } from '../../fleet/fleet-report.ts';
import { nothingSent, type Certified, type Ledger } from '../../fleet/ledger.ts';
import { openLedger } from '../../fleet/sqlite-ledger.ts';
import type { FleetReport } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { cause, certified, failing } from './sample-fleet.ts';

const nights = ['2026-10-10', '2026-10-11', '2026-10-12'] as const;
const [first, second, night] = nights;
const shops = (length: number) => Array.from({ length }, (_, at) => `shop-${at}`);
const ids = shops(10);

function record(ledger: Ledger, on: string, result: (at: number) => Certified, targets = ids): void {
  for (const [at, id] of targets.entries()) {
    const claim = ledger.claim(id, on, 0);
    if (claim) ledger.complete(claim, result(at));
  }
}

function reported(ledger: Ledger, over: Partial<Parameters<typeof buildFleetReport>[1]> = {}): FleetReport {
  const fleet = { version: '0.1.0', night, startedAt: new Date(0), durationMs: 1, targets: ids, without: new Map() };
  const report = buildFleetReport(ledger, { ...fleet, ...over });
  expect(validate('fleetReport', report)).toEqual([]);
  return report;
}

describe('the report of a fleet', () => {
  it('has each target in the order of the list, with its result or the reason', async () => {
    using ledger = await openLedger(':memory:');
    const claim = ledger.claim('good', night, 0);
    if (claim) ledger.complete(claim, certified());
    for (let at = 0; at < 3; at++) {
      const again = ledger.claim('dies', night, 0);
      if (again) ledger.release(again, nothingSent, 'It ran out of memory.');
    }
    ledger.claim('elsewhere', night, 0);
    const without = new Map([['bad', { state: 'unusable', reason: 'No secret.' }] as const]);
    const report = reported(ledger, { targets: ['bad', 'dies', 'elsewhere', 'good'], without });
    expect(report.targets).toMatchObject([
      { id: 'bad', state: 'unusable', attempts: 0, reason: 'No secret.' },
      { id: 'dies', state: 'failed', attempts: 3, reason: 'It ran out of memory.' },
      { id: 'elsewhere', state: 'not-checked', attempts: 1 },
      { id: 'good', state: 'complete', attempts: 1, verdict: 'conformant', report: 'targets/good' },
    ]);
    expect(report.verdict).toBe('incomplete');
    expect(report.summary).toMatchObject({ conformant: 1, failed: 1, unusable: 1, notChecked: 1 });
    expect(report.nights).toEqual([
      { night, conformant: 1, conformantWithWarnings: 0, nonConformant: 0, incomplete: 0, failed: 1 },
    ]);
  });

  it('has one entry for a cause of several targets, the most frequent first', async () => {
    using ledger = await openLedger(':memory:');
    record(ledger, night, (at) => {
      if (at < 3)
        return failing('tls/expired', { causes: [cause('tls/expired', `The certificate of ${at} expired.`)] });
      return at === 3 ? failing('token/another-token') : certified();
    });
    const { causes, verdict } = reported(ledger);
    expect(causes).toMatchObject([
      {
        id: 'tls/expired',
        targets: ['shop-0', 'shop-1', 'shop-2'],
        summary: 'For example: The certificate of 0 expired.',
      },
      { id: 'token/another-token', targets: ['shop-3'], summary: 'What token/another-token means.' },
    ]);
    expect(causes.map(({ suspects }) => suspects)).toEqual(['endpoints', 'endpoints']);
    expect(verdict).toBe('non-conformant');
  });

  it('dates a cause from the night in which it reached half of its targets', async () => {
    using ledger = await openLedger(':memory:');
    record(ledger, first, (at) => (at < 1 ? failing('tls/expired') : certified()));
    record(ledger, second, (at) => (at < 4 ? failing('tls/expired') : certified()));
    record(ledger, night, (at) => (at < 6 ? failing('tls/expired') : certified()));
    expect(reported(ledger).causes[0]).toMatchObject({ since: second, suspects: 'service' });
    expect(reported(ledger, { night: second }).causes[0]).toMatchObject({ since: second, suspects: 'endpoints' });
  });

  it('suspects the service for a cause of many targets: a share of them, or suddenly', async () => {
    using ledger = await openLedger(':memory:');
    record(ledger, night, (at) => (at < 5 ? failing('tls/expired') : certified()));
    expect(reported(ledger).causes[0]?.suspects).toBe('service');
    using small = await openLedger(':memory:');
    record(small, night, (at) => (at < 4 ? failing('tls/expired') : certified()));
    expect(reported(small).causes[0]?.suspects).toBe('endpoints');
    for (const [before, suspects] of [
      [0, 'service'],
      [5, 'endpoints'],
    ] as const) {
      using large = await openLedger(':memory:');
      const many = shops(30);
      record(large, second, (at) => (at < before ? failing('tls/expired') : certified()), many);
      record(large, night, (at) => (at < 5 ? failing('tls/expired') : certified()), many);
      expect(reported(large, { targets: many }).causes[0]?.suspects).toBe(suspects);
    }
  });

  it('suspects svc-conform if conformant targets fail one requirement with its new version', async () => {
    using ledger = await openLedger(':memory:');
    record(ledger, second, (at) => (at === 0 ? failing('tls/expired') : certified()));
    record(ledger, night, (at) =>
      at < 4 ? failing('tls/expired', { version: '0.2.0' }) : certified({ version: '0.2.0' }),
    );
    expect(reported(ledger).suspectedFaults).toEqual([
      {
        requirement: 'own-ai-chat/answers-valid-events',
        targets: ['shop-1', 'shop-2', 'shop-3'],
        from: '0.1.0',
        to: '0.2.0',
      },
    ]);
    using same = await openLedger(':memory:');
    record(same, second, () => certified());
    record(same, night, (at) => (at < 4 ? failing('tls/expired') : certified()));
    expect(reported(same).suspectedFaults).toEqual([]);
  });

  it('decides the exit code by the worst target', async () => {
    using ledger = await openLedger(':memory:');
    const report = reported(ledger, { targets: [] });
    const code = (over: Partial<FleetReport['summary']>, codes: (0 | 1 | 3)[] = [0]) =>
      fleetExitCode({ ...report, summary: { ...report.summary, ...over } }, codes);
    expect(code({})).toBe(0);
    expect(code({}, [0, 3])).toBe(3);
    expect(code({ failed: 1 })).toBe(3);
    expect(code({ notChecked: 1 })).toBe(3);
    expect(code({ failed: 1 }, [1, 3])).toBe(1);
    expect(code({ unusable: 1 }, [1])).toBe(2);
    expect(report.verdict).toBe('incomplete');
  });
});
