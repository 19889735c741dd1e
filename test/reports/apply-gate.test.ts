import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyGate, gateExitCode, isDecisive, type GateOptions } from '../../reports/model/apply-gate.ts';
import { runProblems } from '../../reports/model/gate-status.ts';
import { exitCode } from '../../reports/model/verdict.ts';
import { describeWaiver } from '../../reports/text/wording.ts';
import { validate } from '../../specs/validators.ts';
import type { Gate, Level, Report, Selection, Verdict, Waiver } from '../../specs/generated/types.ts';
import { idOf, reportOf, type SampleRow } from './sample-gates.ts';

const today = '2026-10-12';

function gated(report: Report, options: Partial<GateOptions> = {}): { gate: Gate; code: number } {
  const { gate, ...rest } = applyGate(report, { failOn: 'must', today, ...options });
  if (!gate) throw new Error('expected a gate');
  expect(rest).toEqual(report);
  return { gate, code: gateExitCode({ ...rest, gate }) };
}

function waiver(name: string, until = today): Waiver {
  return { requirement: idOf(name), reason: 'Known, ticket 12.', until };
}

describe('without baseline and waivers', () => {
  test('a failed MUST fails the run, and is named', () => {
    const { gate, code } = gated(reportOf({ a: 'fail', b: 'pass' }));
    expect(gate).toEqual({ passed: false, failOn: 'must', reasons: ['1 MUST requirement failed: own-ai-chat/a.'] });
    expect(code).toBe(1);
  });

  test('a failed SHOULD fails the run only with --fail-on should', () => {
    const report = reportOf({ a: { level: 'should', verdict: 'fail' }, b: 'pass' });
    expect(gated(report)).toEqual({ gate: { passed: true, failOn: 'must', reasons: [] }, code: 0 });
    const strict = gated(report, { failOn: 'should' });
    expect(strict).toMatchObject({ code: 1, gate: { reasons: ['1 SHOULD requirement failed: own-ai-chat/a.'] } });
  });

  test('advice never fails', () => {
    const report = reportOf({ a: { level: 'advice', verdict: 'fail' }, b: 'pass' });
    expect(gated(report, { failOn: 'should' }).code).toBe(0);
  });

  test('MUST and SHOULD are counted apart', () => {
    const rows = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`m${at}`, 'fail' as const]));
    const report = reportOf({ ...rows, s: { level: 'should', verdict: 'fail' } });
    const [reason] = gated(report, { failOn: 'should' }).gate.reasons;
    expect(reason).toMatch(/^11 MUST and 1 SHOULD requirements failed: own-ai-chat\/m0, .* and 2 more\.$/);
  });

  test('a blocked check does not pass, and is not a failure', () => {
    const { gate, code } = gated(reportOf({ a: 'blocked', b: 'pass' }));
    expect(gate.passed).toBe(false);
    expect(gate.reasons).toEqual([
      '1 requirement could not be judged, which no waiver or baseline covers: own-ai-chat/a.',
    ]);
    expect(code).toBe(3);
  });

  test('a blocked check in addition to a failure that counts is not a second reason', () => {
    const { gate, code } = gated(reportOf({ a: { checks: { one: 'fail', two: 'blocked' } }, b: 'pass' }));
    expect(gate.reasons).toEqual(['1 MUST requirement failed: own-ai-chat/a.']);
    expect(code).toBe(1);
  });

  test('a run in which nothing passed does not pass', () => {
    const { gate, code } = gated(reportOf({ a: 'not-exercised' }));
    expect(gate.reasons).toEqual(['No requirement passed, so the gate cannot pass.']);
    expect(code).toBe(3);
  });
});

describe('a baseline', () => {
  test('excuses the failures in it; new, known, fixed and removed ones are reported', () => {
    const baseline = reportOf({
      known: 'fail',
      fixed: 'fail',
      unseen: 'fail',
      dropped: 'fail',
      fresh: 'pass',
      b: 'pass',
    });
    const report = reportOf({ known: 'fail', fixed: 'pass', unseen: 'not-exercised', fresh: 'fail', b: 'pass' });
    const { gate, code } = gated(report, { baseline });
    expect(gate.baseline).toEqual({
      startedAt: baseline.startedAt,
      verdict: 'non-conformant',
      new: [idOf('fresh')],
      known: [idOf('known')],
      fixed: [idOf('fixed')],
      gone: [idOf('unseen'), idOf('dropped')],
    });
    expect(gate.reasons).toEqual([
      '1 requirement failed that did not fail in the baseline: own-ai-chat/fresh (passed there).',
    ]);
    expect(code).toBe(1);
  });

  test('with nothing new passes, and the verdict stays non-conformant', () => {
    const report = reportOf({ a: 'fail', b: 'pass' });
    const result = applyGate(report, { failOn: 'must', today, baseline: report });
    expect(result.verdict).toBe('non-conformant');
    expect(result.gate?.passed).toBe(true);
    expect(gateExitCode(result)).toBe(0);
  });

  test.each<[string, Record<string, SampleRow | Verdict>, string]>([
    ['blocked', { a: 'blocked', b: 'pass' }, 'blocked there'],
    ['not exercised', { a: 'not-exercised', b: 'pass' }, 'not judged there'],
    ['no part of the catalogue', { b: 'pass' }, 'not in it'],
  ])('in which it was %s does not excuse a failure', (_, rows, words) => {
    const { gate, code } = gated(reportOf({ a: 'fail', b: 'pass' }), { baseline: reportOf(rows) });
    expect(gate.baseline?.new).toEqual([idOf('a')]);
    expect(gate.reasons[0]).toContain(`own-ai-chat/a (${words})`);
    expect(code).toBe(1);
  });

  test('of a partial run does not excuse omitted requirements', () => {
    const run = { selected: [idOf('b')] };
    const baseline = reportOf({ b: 'fail' }, { run, selection: { only: [idOf('b')] } });
    const { gate } = gated(reportOf({ a: 'fail', b: 'fail', c: 'pass' }), { baseline });
    expect(gate.baseline).toMatchObject({ new: [idOf('a')], known: [idOf('b')] });
  });

  test('excuses a known failure of a renamed requirement', () => {
    const statement = 'The same in other words.';
    const baseline = reportOf({ old: { verdict: 'fail', statement }, b: 'pass' });
    const { gate, code } = gated(reportOf({ fresh: { verdict: 'fail', statement }, b: 'pass' }), { baseline });
    expect(gate.baseline).toMatchObject({ new: [], known: [idOf('fresh')], gone: [] });
    expect(code).toBe(0);
  });

  test('does not excuse one requirement by another that still exists with similar words', () => {
    const statement = 'Worded alike.';
    const baseline = reportOf({ a: { verdict: 'fail', statement }, b: 'pass' });
    const report = reportOf({ a: { verdict: 'fail', statement }, c: { verdict: 'fail', statement }, b: 'pass' });
    expect(gated(report, { baseline }).gate.baseline).toMatchObject({ new: [idOf('c')], known: [idOf('a')] });
  });

  test('excuses a failure at a level that did not count then', () => {
    const baseline = reportOf({ a: { level: 'should', verdict: 'fail' }, b: 'pass' });
    const { gate, code } = gated(reportOf({ a: { level: 'must', verdict: 'fail' }, b: 'pass' }), { baseline });
    expect(gate.baseline).toMatchObject({ new: [], known: [idOf('a')] });
    expect(code).toBe(0);
  });

  test('reports a MUST that has become a SHOULD', () => {
    const baseline = reportOf({ a: 'fail', c: 'fail', b: 'pass' });
    const should = (verdict: Verdict) => ({ level: 'should' as const, verdict });
    const { gate } = gated(reportOf({ a: should('fail'), c: should('pass'), b: 'pass' }), { baseline });
    expect(gate.baseline).toMatchObject({ new: [], known: [idOf('a')], fixed: [idOf('c')] });
  });

  test('follows a renamed requirement although another has similar words', () => {
    const failing = { verdict: 'fail', statement: 'Worded alike.' } as const;
    const baseline = reportOf({ a: failing, old: failing, b: 'pass' });
    const { gate } = gated(reportOf({ a: failing, fresh: failing, b: 'pass' }), { baseline });
    expect(gate.baseline).toMatchObject({ new: [], known: [idOf('a'), idOf('fresh')], gone: [] });
  });

  test('does not report warnings if only MUST requirements count', () => {
    const baseline = reportOf({ a: { level: 'should', verdict: 'fail' }, b: 'pass' });
    const report = reportOf({ a: 'not-exercised', c: { level: 'should', verdict: 'fail' }, b: 'pass' });
    const { gate } = gated(
      { ...report, requirements: report.requirements.map((row) => ({ ...row, level: 'should' })) },
      { baseline },
    );
    expect(gate.baseline).toMatchObject({ new: [], known: [], fixed: [], gone: [] });
  });

  test('is not fixed by another check of the requirement that passes', () => {
    const baseline = reportOf({ a: { checks: { one: 'pass', two: 'fail' } }, b: 'pass' });
    const report = reportOf({ a: { checks: { one: 'pass', two: 'not-exercised' } }, b: 'pass' });
    expect(gated(report, { baseline }).gate.baseline).toMatchObject({ fixed: [], gone: [idOf('a')] });
    const whole = reportOf({ a: { checks: { one: 'not-exercised', two: 'pass' } }, b: 'pass' });
    expect(gated(whole, { baseline }).gate.baseline).toMatchObject({ fixed: [idOf('a')], gone: [] });
  });

  test('is not fixed by a run without the contract that found it', () => {
    const fixedBy = (before: Record<string, Verdict>, now: Record<string, Verdict>, others: SampleRow = {}) => {
      const baseline = reportOf({ a: { checks: before }, b: 'pass' });
      const report = reportOf({ a: { checks: now }, b: { verdict: 'pass', ...others } });
      const { fixed, gone } = gated(report, { baseline }).gate.baseline ?? {};
      return { fixed, gone };
    };
    const fixed = { fixed: [idOf('a')], gone: [] };
    const gone = { fixed: [], gone: [idOf('a')] };
    const found = { check: 'pass', 'contract-old': 'fail' } as const;
    expect(fixedBy(found, { check: 'pass' })).toEqual(gone);
    expect(fixedBy({ check: 'fail', 'contract-old': 'fail' }, { check: 'pass' })).toEqual(gone);
    expect(fixedBy(found, { check: 'pass', 'contract-old': 'pass' })).toEqual(fixed);
    // Its contract was verified, but now has an interaction with another description.
    expect(fixedBy(found, { check: 'pass' }, { checks: { 'contract-other': 'pass' } })).toEqual(fixed);
    expect(fixedBy({ check: 'fail', 'contract-old': 'pass' }, { check: 'pass' })).toEqual(fixed);
  });

  test('is fixed where a check of one’s own that only sounds like a contract has another title', () => {
    const own = (report: Report): Report => ({
      ...report,
      checks: report.checks.map((check) => ({ ...check, source: 'live' as const })),
      requirements: report.requirements.map((row) => (row.id === idOf('a') ? { ...row, own: true as const } : row)),
    });
    const baseline = own(reportOf({ a: { checks: { 'contract-terms': 'fail' } }, b: 'pass' }));
    const report = own(reportOf({ a: { checks: { terms: 'pass' } }, b: 'pass' }));
    expect(gated(report, { baseline }).gate.baseline).toMatchObject({ fixed: [idOf('a')], gone: [] });
  });

  test('is not fixed by a part of checks whose titles changed', () => {
    const baseline = reportOf({ a: { checks: { old: 'fail' } }, b: 'pass' });
    const report = { a: { checks: { fresh: 'pass' as const } }, b: 'pass' as const };
    const part = { selection: { only: [`${idOf('a')}#fresh`] } };
    expect(gated(reportOf(report, part), { baseline }).gate.baseline).toMatchObject({ fixed: [], gone: [idOf('a')] });
    expect(gated(reportOf(report), { baseline }).gate.baseline).toMatchObject({ fixed: [idOf('a')], gone: [] });
  });

  test.each<[string, { now?: Selection; before?: Selection; isReplay?: boolean }, 'fixed' | 'gone']>([
    ['passes with fewer generated events', { now: { runs: 1 } }, 'gone'],
    ['passes with fewer generated events than there', { now: { runs: 2 }, before: { runs: 3 } }, 'gone'],
    ['passes with as many generated events', { now: { runs: 3 }, before: { runs: 3 } }, 'fixed'],
    ['passes with more generated events', { before: { runs: 3 } }, 'fixed'],
    ['passes in a share of the suites', { now: { shard: { index: 1, of: 2 } } }, 'gone'],
    [
      'passes in the same share',
      { now: { shard: { index: 1, of: 2 } }, before: { shard: { index: 1, of: 2 } } },
      'fixed',
    ],
    [
      'passes in another share',
      { now: { shard: { index: 2, of: 2 } }, before: { shard: { index: 1, of: 2 } } },
      'gone',
    ],
    ['passes in the whole, and failed in a share', { before: { shard: { index: 1, of: 2 } } }, 'fixed'],
    ['passes in recorded traffic', { now: { capture: true }, before: { capture: true } }, 'gone'],
    ['passes where only a counterexample was sent again', { isReplay: true }, 'gone'],
  ])('of what %s decides whether that is enough', (_, { now = {}, before = {}, isReplay }, expected) => {
    const baseline = reportOf({ a: 'fail', b: 'pass' }, { selection: before });
    const report = reportOf({ a: 'pass', b: 'pass' }, { selection: now });
    const { fixed, gone } = gated(report, { baseline, isReplay }).gate.baseline ?? {};
    expect({ fixed, gone }).toEqual({ fixed: [], gone: [], [expected]: [idOf('a')] });
  });

  test('does not excuse what is blocked in addition to a known failure', () => {
    const baseline = reportOf({ a: 'fail', b: 'pass' });
    const report = reportOf({ a: { checks: { one: 'fail', two: 'blocked' } }, b: 'pass' });
    const { gate, code } = gated(report, { baseline });
    expect(gate.reasons).toEqual([expect.stringContaining('could not be judged')]);
    expect(code).toBe(3);
  });

  test('that contains all failures of a run in which nothing passes does not make it pass', () => {
    const report = reportOf({ a: 'fail' });
    expect(gated(report, { baseline: report }).code).toBe(3);
  });

  test('accounts for each failure once, whatever happened', () => {
    const level = fc.constantFrom<Level>('must', 'should', 'advice');
    const verdict = fc.constantFrom<Verdict>('pass', 'fail', 'blocked', 'not-exercised');
    const rows = fc.dictionary(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.record({ level, checks: fc.dictionary(fc.constantFrom('one', 'two'), verdict, { minKeys: 1 }) }),
      { minKeys: 1 },
    );
    fc.assert(
      fc.property(rows, rows, fc.constantFrom('must', 'should'), (before, after, failOn) => {
        const [baseline, report] = [reportOf(before), reportOf(after)];
        const { gate, code } = gated(report, { failOn, baseline });
        const { new: fresh = [], known = [], fixed = [], gone = [] } = gate.baseline ?? {};
        const all = [...fresh, ...known, ...fixed, ...gone];
        expect(new Set(all).size).toBe(all.length);
        const failing = ({ requirements }: Report, levels: Level[]) =>
          requirements.filter((row) => row.verdict === 'fail' && levels.includes(row.level)).map(({ id }) => id);
        const levels: Level[] = failOn === 'must' ? ['must'] : ['must', 'should'];
        expect([...fresh, ...known]).toEqual(expect.arrayContaining(failing(report, levels)));
        expect([...known, ...fixed, ...gone]).toEqual(expect.arrayContaining(failing(baseline, levels)));
        expect(failing(baseline, ['must', 'should', 'advice'])).toEqual(
          expect.arrayContaining([...known, ...fixed, ...gone]),
        );
        expect(code === 0).toBe(gate.passed);
        expect(gate.passed).toBe(gate.reasons.length === 0);
        if (fresh.length > 0) expect(code).toBe(1);
        if (report.summary.blocked > 0) expect(code).not.toBe(0);
        expect(validate('report', { ...report, gate })).toEqual([]);
      }),
    );
  });
});

describe('a waiver', () => {
  const failing = reportOf({ a: 'fail', b: 'pass' });

  test('excuses until the end of its day', () => {
    const applied = gated(failing, { waivers: [waiver('a')] });
    expect(applied).toMatchObject({ code: 0, gate: { passed: true, waivers: [{ ...waiver('a'), state: 'applied' }] } });
    const expired = gated(failing, { waivers: [waiver('a', '2026-10-11')] });
    expect(expired.gate.waivers).toMatchObject([{ state: 'expired' }]);
    expect(expired.gate.reasons).toEqual([
      'The waiver for own-ai-chat/a expired on 2026-10-11, and it still fails: fix it, or agree on another date.',
    ]);
    expect(expired.code).toBe(1);
  });

  test('that) is stale fails the run', () => {
    const { gate, code } = gated(failing, { waivers: [waiver('a'), waiver('b')] });
    expect(gate.waivers?.map(({ state }) => state)).toEqual(['applied', 'passes']);
    expect(gate.reasons).toEqual(['own-ai-chat/b passes, but a waiver still excuses it: remove the waiver.']);
    expect(code).toBe(1);
  });

  test.each<[string, Report]>([
    ['was not exercised', reportOf({ a: 'not-exercised', b: 'pass' })],
    ['is not in the catalogue of the report', reportOf({ b: 'pass' })],
    [
      'passes in one check, and had nothing to judge in another',
      reportOf({ a: { checks: { one: 'pass', two: 'not-exercised' } }, b: 'pass' }),
    ],
    [
      'passes in the only check that was run',
      reportOf({ a: 'pass', b: 'pass' }, { selection: { only: [`${idOf('a')}#check`] } }),
    ],
    [
      'passes in a share of the suites',
      reportOf({ a: 'pass', b: 'pass' }, { selection: { shard: { index: 1, of: 2 } } }),
    ],
    ['passes with fewer generated events than usual', reportOf({ a: 'pass', b: 'pass' }, { selection: { runs: 1 } })],
    ['passes in contracts alone', reportOf({ a: 'pass', b: 'pass' }, { selection: { contracts: true } })],
    ['passes in recorded traffic', reportOf({ a: 'pass', b: 'pass' }, { selection: { capture: true } })],
  ])('for a requirement that %s is reported as not judged, and fails nothing', (_, report) => {
    const { gate, code } = gated(report, { waivers: [waiver('a')] });
    expect(gate.waivers).toMatchObject([{ state: 'not-judged' }]);
    expect(code).toBe(0);
  });

  test('for a requirement with missing checks is not judged', () => {
    const report = reportOf({ a: { checks: { one: 'pass', two: 'pass' } }, b: 'pass' });
    const shortened = { ...report, checks: report.checks.filter(({ id }) => id !== `${idOf('a')}#two`) };
    const without = { ...report, requirements: report.requirements.map((row) => ({ ...row, checks: [] })) };
    expect(gated(report, { waivers: [waiver('a')] }).gate.waivers).toMatchObject([{ state: 'passes' }]);
    for (const less of [shortened, without]) {
      expect(gated(less, { waivers: [waiver('a')] }).gate.waivers).toMatchObject([{ state: 'not-judged' }]);
    }
  });

  test('for a requirement of which only a recorded counterexample was repeated is not judged', () => {
    const replay = reportOf({ a: 'pass' }, { selection: { only: [idOf('a')] } });
    for (const until of [today, '2026-01-01']) {
      const { gate, code } = gated(replay, { waivers: [waiver('a', until)], isReplay: true });
      expect(gate.waivers).toMatchObject([{ state: 'not-judged' }]);
      expect(code).toBe(0);
    }
  });

  test.each<[string, Report, number]>([
    ['was not exercised', reportOf({ a: 'not-exercised', b: 'pass' }), 1],
    ['was blocked', reportOf({ a: 'blocked', b: 'pass' }), 1],
    ['belongs to a surface that is not configured', reportOf({ b: 'pass' }), 1],
    ['passes in part', reportOf({ a: { checks: { one: 'pass', two: 'not-exercised' } }, b: 'pass' }), 1],
    ['passes with fewer events than usual', reportOf({ a: 'pass' }, { selection: { runs: 1 } }), 1],
    ['was left to other shards', reportOf({ b: 'pass' }, { selection: { shard: { index: 1, of: 2 } } }), 0],
    [
      'belongs to a surface that was not selected',
      reportOf({ b: 'pass' }, { selection: { surfaces: ['crm-webhook'] } }),
      0,
    ],
    ['was not selected', reportOf({ b: 'pass' }, { selection: { only: [idOf('b')] } }), 0],
    ['was selected in one check', reportOf({ a: 'pass' }, { selection: { only: [`${idOf('a')}#check`] } }), 0],
  ])('that is over for a requirement that %s fails the run unless the selection left it out', (_, report, expected) => {
    const { gate, code } = gated(report, { waivers: [waiver('a', '2026-10-11')] });
    expect(gate.waivers).toMatchObject([{ state: expected === 1 ? 'expired' : 'not-judged' }]);
    expect(code).toBe(expected);
    if (expected === 1) {
      expect(gate.reasons[0]).toBe(
        'The waiver for own-ai-chat/a expired on 2026-10-11, and this run does not show whether it passes: remove the waiver, or agree on another date.',
      );
    }
    expect(runProblems({ ...report, gate }).map(({ about, status: standing }) => [about, standing])).toEqual(
      expected === 1 ? [[idOf('a'), 'fail']] : [],
    );
    const [judged] = gate.waivers ?? [];
    expect(judged && describeWaiver(judged, report)).toBe(
      'not fully judged in this run; the waiver expired on 2026-10-11 (Known, ticket 12.)',
    );
  });

  test('for what passes in a run of just this requirement) is stale', () => {
    const report = reportOf({ a: 'pass' }, { selection: { only: [idOf('a'), `${idOf('a')}#check`] } });
    expect(gated(report, { waivers: [waiver('a')] }).gate.waivers).toMatchObject([{ state: 'passes' }]);
  });

  test('does not excuse a blocked check', () => {
    const { gate, code } = gated(reportOf({ a: 'blocked', b: 'pass' }), { waivers: [waiver('a')] });
    expect(gate.waivers).toMatchObject([{ state: 'not-judged' }]);
    expect(code).toBe(3);
  });

  test('does not excuse a blocked check in addition to the failure that it excuses', () => {
    const report = reportOf({ a: { checks: { one: 'fail', two: 'blocked' } }, b: 'pass' });
    expect(gated(report, { waivers: [waiver('a')] }).code).toBe(3);
  });

  test('for a SHOULD excuses it if SHOULD failures count, and is reported if they only warn', () => {
    const report = reportOf({ a: { level: 'should', verdict: 'fail' }, b: 'pass' });
    for (const failOn of ['must', 'should'] as const) {
      const { gate, code } = gated(report, { failOn, waivers: [waiver('a')] });
      expect(gate.waivers).toMatchObject([{ state: 'applied' }]);
      expect(code).toBe(0);
    }
  });

  test('that has expired fails the run even if the baseline contains the failure', () => {
    const waivers = [waiver('a', '2026-10-11')];
    expect(gated(failing, { baseline: failing, waivers })).toMatchObject({ code: 1, gate: { baseline: { new: [] } } });
  });

  test('also excuses new failures', () => {
    const baseline = reportOf({ a: 'pass', b: 'pass' });
    const { gate, code } = gated(failing, { baseline, waivers: [waiver('a')] });
    expect(gate.baseline?.new).toEqual([idOf('a')]);
    expect(code).toBe(0);
  });

  test('does not make a run pass in which nothing passed', () => {
    expect(gated(reportOf({ a: 'fail' }), { waivers: [waiver('a')] }).code).toBe(3);
  });

  test('an empty list of them is none', () => {
    expect(gated(failing, { waivers: [] }).gate).not.toHaveProperty('waivers');
  });
});

test('a gate that excuses nothing exits as the verdict does', () => {
  const row = fc.record({
    level: fc.constantFrom<Level>('must', 'should', 'advice'),
    verdict: fc.constantFrom<Verdict>('pass', 'fail', 'blocked', 'not-exercised'),
  });
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), row, { minKeys: 1 }), (rows) => {
      const report = reportOf(rows);
      expect(gateExitCode(report)).toBe(exitCode(report.verdict));
      expect(gated(report).code).toBe(exitCode(report.verdict));
    }),
  );
});

test('a failure that the baseline knows by another id is not decisive', () => {
  const statement = 'One and the same.';
  const baseline = reportOf({ old: { verdict: 'fail', statement }, held: { verdict: 'pass', statement: 'Another.' } });
  const row = (text: string) => ({ section: 'x', level: 'must' as const, statement: text, remediation: 'x' });
  const catalogue = { [idOf('fresh')]: row(statement), [idOf('other')]: row('Another.') };
  const decisive = (name: string) =>
    isDecisive({ requirement: idOf(name), level: 'must' }, { failOn: 'must', today, baseline }, catalogue);
  expect(['fresh', 'other', 'none'].map(decisive)).toEqual([false, true, true]);
});

test('a failure is decisive where its level counts and nothing excuses it', () => {
  const options: GateOptions = {
    failOn: 'must',
    today,
    baseline: reportOf({ known: 'fail', held: 'pass' }),
    waivers: [waiver('waived'), waiver('expired', '2026-10-11')],
  };
  const decisive = (name: string, level: Level = 'must', failOn: Gate['failOn'] = 'must') =>
    isDecisive({ requirement: idOf(name), level }, { ...options, failOn });
  expect(['known', 'held', 'waived', 'expired', 'other'].map((name) => decisive(name))).toEqual([
    false,
    true,
    false,
    true,
    true,
  ]);
  expect([
    decisive('other', 'should'),
    decisive('other', 'should', 'should'),
    decisive('other', 'advice', 'should'),
  ]).toEqual([false, true, false]);
});
