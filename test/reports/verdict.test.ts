import { describe, expect, test } from 'vitest';
import {
  exitCode,
  outcomeOf,
  runVerdict,
  summarise,
  usageExitCode,
  worstVerdict,
} from '../../reports/model/verdict.ts';
import type { Level, RunVerdict, Verdict } from '../../specs/generated/types.ts';

const verdicts: readonly Verdict[] = ['fail', 'blocked', 'pass', 'not-exercised', 'not-applicable'];
const levels: readonly Level[] = ['must', 'should', 'advice'];

test('an interrupted run is incomplete, whatever was judged before', () => {
  const one = (verdict: Verdict) => summarise([{ level: 'must', verdict }]);
  for (const verdict of ['pass', 'fail'] as const) {
    expect(runVerdict(one(verdict), { stopped: 'interrupted' })).toBe('incomplete');
  }
  expect(runVerdict(one('fail'), { stopped: 'bail' })).toBe('non-conformant');
});

describe('the verdict of a requirement', () => {
  test.each(verdicts.flatMap((a, i) => verdicts.map((b, j) => [a, b, verdicts[Math.min(i, j)]] as const)))(
    'of %s and %s is %s',
    (a, b, worst) => {
      expect(worstVerdict([a, b])).toBe(worst);
    },
  );

  test('of no checks is not-exercised', () => {
    expect(worstVerdict([])).toBe('not-exercised');
  });

  test.each([
    ['must', 'fail'],
    ['should', 'warn'],
    ['advice', 'advice'],
  ] as const)('a failing %s counts as %s', (level, outcome) => {
    expect(outcomeOf({ level, verdict: 'fail' })).toBe(outcome);
  });

  test.each(levels.flatMap((level) => verdicts.slice(1).map((verdict) => [level, verdict] as const)))(
    'a %s that is %s remains so',
    (level, verdict) => {
      expect(outcomeOf({ level, verdict })).toBe(verdict);
    },
  );
});

describe('the verdict of a run', () => {
  // The rule: a failed MUST decides, then any blocked check, then whether any check passed.
  const expected: Record<string, RunVerdict> = {
    '': 'incomplete',
    pass: 'conformant',
    warn: 'incomplete',
    'pass warn': 'conformant-with-warnings',
    blocked: 'incomplete',
    'pass blocked': 'incomplete',
    'warn blocked': 'incomplete',
    'pass warn blocked': 'incomplete',
    fail: 'non-conformant',
    'pass fail': 'non-conformant',
    'warn fail': 'non-conformant',
    'pass warn fail': 'non-conformant',
    'blocked fail': 'non-conformant',
    'pass blocked fail': 'non-conformant',
    'warn blocked fail': 'non-conformant',
    'pass warn blocked fail': 'non-conformant',
  };
  const parts = {
    pass: { level: 'must', verdict: 'pass' },
    warn: { level: 'should', verdict: 'fail' },
    blocked: { level: 'advice', verdict: 'blocked' },
    fail: { level: 'must', verdict: 'fail' },
  } as const;
  // Changes that must never affect a verdict.
  const idle = [
    { level: 'advice', verdict: 'fail' },
    { level: 'must', verdict: 'not-exercised' },
    { level: 'must', verdict: 'not-applicable' },
  ] as const;

  test.each(Object.entries(expected))('of [%s] is %s, with or without results that do not count', (names, verdict) => {
    const rows = names.split(' ').flatMap((name) => (name === '' ? [] : parts[name as keyof typeof parts]));
    expect(runVerdict(summarise(rows))).toBe(verdict);
    expect(runVerdict(summarise([...rows, ...idle]))).toBe(verdict);
  });

  test('counts each requirement once', () => {
    const rows = levels.flatMap((level) => verdicts.map((verdict) => ({ level, verdict })));
    expect(summarise(rows)).toEqual({
      fail: 1,
      warn: 1,
      advice: 1,
      blocked: 3,
      pass: 3,
      notExercised: 3,
      notApplicable: 3,
    });
  });
});

test('exit codes', () => {
  const codes = { conformant: 0, 'conformant-with-warnings': 0, 'non-conformant': 1, incomplete: 3 } as const;
  for (const [verdict, code] of Object.entries(codes)) expect(exitCode(verdict as RunVerdict)).toBe(code);
  expect(usageExitCode).toBe(2);
});
