import { applyGate } from '../../reports/model/apply-gate.ts';
import type { Report } from '../../specs/generated/types.ts';
import { idOf, reportOf } from './sample-gates.ts';
import {
  callReport,
  cascadeReport,
  cleanReport,
  hostileCallReport,
  hostileReport,
  hostileText,
  manyFailuresReport,
  oneFailureReport,
} from './sample-report.ts';

const today = '2026-10-12';

/** A report with every result of a gate, and with repeated failures. */
export const gatedReport: Report = gatedOf('Known, ticket 12.');

/** The same with hostile text in the reasons of its waivers. */
export const hostileGateReport: Report = gatedOf(hostileText);

function gatedOf(reason: string): Report {
  const report = reportOf({
    new: 'fail',
    known: 'fail',
    waived: 'fail',
    over: 'fail',
    stale: 'pass',
    fixed: 'pass',
    gone: 'not-exercised',
    warned: { level: 'should', verdict: 'fail' },
    advised: { level: 'advice', verdict: 'fail' },
    unreachable: 'blocked',
    partly: { checks: { one: 'fail', two: 'blocked' } },
  });
  const baseline = reportOf({ known: 'fail', fixed: 'fail', gone: 'fail', partly: 'fail', stale: 'pass' });
  const repeats: Readonly<Record<string, { failed: number; of: number }>> = {
    [idOf('new')]: { failed: 4, of: 4 },
    [idOf('known')]: { failed: 3, of: 4 },
  };
  const checks = report.checks.map((one) => {
    const own = repeats[one.requirement];
    return own ? { ...one, repeats: own } : one;
  });
  const waivers = [
    { requirement: idOf('waived'), reason, until: '2026-12-31' },
    { requirement: idOf('over'), reason, until: '2026-01-31' },
    { requirement: idOf('stale'), reason, until: '2026-12-31' },
  ];
  return applyGate({ ...report, checks }, { failOn: 'must', baseline, waivers, today });
}

/** Without the record of its first check, like a shortened report. */
function withoutCheck({ checks, ...report }: Report): Report {
  return { ...report, checks: checks.slice(1) };
}

function withLesserChecks({ checks, ...report }: Report): Report {
  return { ...report, checks: checks.map((check) => ({ ...check, level: 'advice' })) };
}

const waived = (name: string, until = '2026-12-31') => ({ requirement: idOf(name), reason: 'Ticket 12.', until });
const should = { level: 'should', verdict: 'fail' } as const;

/** Reports for every way in which a run can end. */
export const everyEnd: readonly (readonly [string, Report])[] = [
  ['nothing fails', cleanReport],
  ['one failure, in a part', oneFailureReport],
  ['many failures', manyFailuresReport],
  ['hostile', hostileReport],
  ['one cause', cascadeReport],
  ['a call', callReport],
  ['a hostile call', hostileCallReport],
  ['a gate with everything', gatedReport],
  ['a gate with hostile text', hostileGateReport],
  ['no passing requirement', reportOf({ a: 'not-exercised' })],
  ['blocked only', reportOf({ a: 'blocked', b: 'pass' })],
  [
    'a failing check that the record lacks',
    withoutCheck(reportOf({ a: { checks: { x: 'fail', y: 'pass' } }, b: 'pass' })),
  ],
  ['a failing check of a lesser level than its must', withLesserChecks(reportOf({ a: 'fail', b: 'pass' }))],
  ['a should', reportOf({ a: should, b: 'pass' })],
  [
    'a should with some of its checks blocked',
    reportOf({ a: { level: 'should', checks: { x: 'fail', y: 'blocked' } }, b: 'pass' }),
  ],
  ['a should that is gated', applyGate(reportOf({ a: should, b: 'pass' }), { failOn: 'should', today })],
  [
    'a should that is waived',
    applyGate(reportOf({ a: should, b: 'pass' }), { failOn: 'should', waivers: [waived('a')], today }),
  ],
  [
    'a should whose waiver is over and that is not gated',
    applyGate(reportOf({ a: should, b: 'pass' }), { failOn: 'must', waivers: [waived('a', '2026-01-31')], today }),
  ],
  [
    'advice whose waiver is over',
    applyGate(reportOf({ a: { level: 'advice', verdict: 'fail' }, b: 'pass' }), {
      failOn: 'must',
      waivers: [waived('a', '2026-01-31')],
      today,
    }),
  ],
  ['a waived must', applyGate(reportOf({ a: 'fail', b: 'pass' }), { failOn: 'must', waivers: [waived('a')], today })],
  ['a stale waiver', applyGate(reportOf({ a: 'pass' }), { failOn: 'must', waivers: [waived('a')], today })],
  [
    'known failures',
    applyGate(reportOf({ a: 'fail', b: 'pass' }), { failOn: 'must', baseline: reportOf({ a: 'fail' }), today }),
  ],
  [
    'a known failure of which a part was blocked',
    applyGate(reportOf({ a: { checks: { x: 'fail', y: 'blocked' } }, b: 'pass' }), {
      failOn: 'must',
      baseline: reportOf({ a: 'fail' }),
      today,
    }),
  ],
  [
    'a known failure of which a part was blocked, and whose waiver is over',
    applyGate(reportOf({ a: { checks: { x: 'fail', y: 'blocked' } }, b: 'pass' }), {
      failOn: 'must',
      baseline: reportOf({ a: 'fail' }),
      waivers: [waived('a', '2026-01-31')],
      today,
    }),
  ],
  [
    'a baseline that is hard to compare',
    applyGate(reportOf({ a: 'fail', b: 'pass' }), {
      failOn: 'must',
      baseline: reportOf({ a: 'fail' }, { run: { version: hostileText } }),
      today,
    }),
  ],
  [
    'nothing but a known failure',
    applyGate(reportOf({ a: 'fail' }), { failOn: 'must', baseline: reportOf({ a: 'fail' }), today }),
  ],
];
