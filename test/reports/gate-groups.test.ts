import { expect, it } from 'vitest';
import { applyGate } from '../../reports/model/apply-gate.ts';
import { findingGroups } from '../../reports/model/finding-groups.ts';
import { runProblems } from '../../reports/model/gate-status.ts';
import type { Report } from '../../specs/generated/types.ts';
import { reportOf } from './sample-gates.ts';

const requirement = 'own-ai-chat/waived';

function waived(report: Report, until: string): Report {
  return applyGate(report, {
    failOn: 'must',
    waivers: [{ requirement, reason: 'Planned.', until }],
    today: '2026-10-12',
  });
}

it('shows a waived failure that is also blocked with its own check that could not be judged', () => {
  const report = reportOf({ other: 'blocked', waived: { checks: { one: 'fail', two: 'blocked' } } });
  const groups = findingGroups(waived(report, '2099-01-01'));
  expect(groups.partlyBlocked.map(({ unjudged: { requirement: of, verdict } }) => ({ of, verdict }))).toEqual([
    { of: requirement, verdict: 'blocked' },
  ]);
  expect(groups.excused).toEqual([]);
});

it('lists a stale waiver as a problem only where its requirement does not fail', () => {
  const titles = (report: Report, until: string) => runProblems(waived(report, until)).map(({ title }) => title);
  expect(titles(reportOf({ waived: 'pass' }), '2099-01-01')).toEqual([`the waiver of ${requirement} is still needed`]);
  expect(titles(reportOf({ waived: 'fail', other: 'pass' }), '2026-01-31')).toEqual([]);
});
