import { describe, expect, it } from 'vitest';
import { compareBaseline, comparePrevious, isFixed } from '../../reports/model/compare-baseline.ts';
import type { Level, Report, Selection, Verdict } from '../../specs/generated/types.ts';
import { idOf, reportOf } from './sample-gates.ts';

const id = idOf('answers');

/** A report about one requirement, with the verdicts of its checks; those of a contract begin with `contract-`. */
interface Made {
  checks?: Readonly<Record<string, Verdict>>;
  level?: Level;
  selection?: Selection;
}

function made({ checks = { a: 'pass' }, level = 'must', selection }: Made): Report {
  return reportOf({ answers: { level, checks } }, selection && { selection });
}

const failed = { checks: { a: 'fail' as const } };
const musts = (level: Level) => level === 'must';

/** Whether the requirement is fixed in the second report. */
function fixes(before: Made, after: Made): boolean {
  const [baseline, report] = [made(before), made(after)];
  const [was, is] = [baseline.requirements[0], report.requirements[0]];
  if (!was || !is) throw new Error('Both have one requirement.');
  return isFixed({ before: was, after: is }, baseline, report);
}

describe('a requirement is fixed', () => {
  it('if the checks that failed pass now, whatever the others are', () => {
    expect(fixes(failed, {})).toBe(true);
    expect(fixes({ checks: { a: 'fail', b: 'pass' } }, { checks: { a: 'pass', b: 'not-exercised' } })).toBe(true);
    expect(fixes({ checks: { a: 'fail', b: 'pass' } }, { checks: { b: 'pass', a: 'not-exercised' } })).toBe(false);
  });

  it('if all checks pass now and none can be matched', () => {
    expect(fixes(failed, { checks: { renamed: 'pass' } })).toBe(true);
    expect(fixes(failed, { checks: { renamed: 'pass', other: 'not-exercised' } })).toBe(false);
    expect(fixes({ checks: { a: 'pass' } }, { checks: { a: 'pass', b: 'not-exercised' } })).toBe(false);
  });

  it('never if it does not pass, or was not in the baseline', () => {
    expect(fixes(failed, failed)).toBe(false);
    const now = made({});
    expect(isFixed({ before: undefined, after: now.requirements[0] }, made(failed), now)).toBe(false);
  });

  it('never by a run that does less', () => {
    expect(fixes({ ...failed, selection: { runs: 20 } }, { selection: { runs: 20 } })).toBe(true);
    expect(fixes({ ...failed, selection: { runs: 20 } }, { selection: { runs: 19 } })).toBe(false);
    expect(fixes(failed, { selection: { runs: 20 } })).toBe(false);
    expect(fixes(failed, { selection: { capture: true } })).toBe(false);
    const shard = (index: number, of: number) => ({ selection: { shard: { index, of } } });
    expect(fixes(failed, shard(1, 2))).toBe(false);
    expect(fixes(failed, shard(1, 1))).toBe(true);
    expect(fixes({ ...failed, ...shard(1, 2) }, shard(1, 2))).toBe(true);
    expect(fixes({ ...failed, ...shard(1, 2) }, shard(2, 2))).toBe(false);
    expect(fixes({ ...failed, ...shard(1, 3) }, shard(1, 2))).toBe(false);
  });

  it('for a contract only by a run that verifies contracts', () => {
    const contract = { checks: { 'contract-a': 'fail' as const } };
    expect(fixes(contract, { checks: { renamed: 'pass' } })).toBe(false);
    expect(fixes(contract, { checks: { 'contract-renamed': 'pass' } })).toBe(true);
    expect(fixes(failed, { checks: { renamed: 'pass' } })).toBe(true);
  });
});

describe('a comparison', () => {
  const compare = (report: Made, baseline: Made, isReplay = false) =>
    compareBaseline(made(report), made(baseline), musts, isReplay);

  it('counts a failure at the level of either report, if that level counts', () => {
    expect(compare(failed, failed)).toMatchObject({ new: [], known: [id], fixed: [], gone: [] });
    const [should, must] = [{ ...failed, level: 'should' as const }, failed];
    expect(compare(should, should)).toMatchObject({ new: [], known: [], gone: [] });
    expect(compare(must, should)).toMatchObject({ new: [], known: [id] });
    expect(compare(should, must)).toMatchObject({ new: [], known: [id] });
    expect(compare({ level: 'should' }, should)).toMatchObject({ fixed: [], gone: [] });
    expect(compare(failed, {})).toMatchObject({ new: [id], known: [] });
  });

  it('of a single counterexample fixes nothing', () => {
    expect(compareBaseline(made({}), made(failed), musts)).toMatchObject({ fixed: [id], gone: [] });
    expect(compare({}, failed, true)).toMatchObject({ fixed: [], gone: [id] });
  });

  it('with the last run is never one of a counterexample, and has notes only if there are any', () => {
    expect(comparePrevious(made({}), made(failed))).toMatchObject({ fixed: [id] });
    expect(comparePrevious(made({}), made(failed))).not.toHaveProperty('notes');
    const older = { ...made(failed), harness: { ...made(failed).harness, version: '0.0.0' } };
    expect(comparePrevious(made({}), older).notes).toEqual([expect.stringContaining('0.0.0')]);
  });
});
