import { validate } from 'ctrf';
import { describe, expect, test } from 'vitest';
import { renderCtrf } from '../../reports/write/ctrf/render-ctrf.ts';
import { everyEnd, gatedReport } from './sample-formats.ts';
import { hostileReport, manyFailuresReport } from './sample-report.ts';

test.each([
  ['many-failures', manyFailuresReport],
  ['hostile', hostileReport],
  ['gated', gatedReport],
])('%s reads as its golden file', async (name, report) => {
  await expect(renderCtrf(report)).toMatchFileSnapshot(`golden/${name}.ctrf.txt`);
});

describe.each(everyEnd)('%s', (_, report) => {
  test('is valid for the reference implementation of CTRF', () => {
    const { valid, errors } = validate(JSON.parse(renderCtrf(report)));
    expect({ valid, errors }).toEqual({ valid: true, errors: [] });
  });

  test('counts its tests', () => {
    const { summary, tests } = JSON.parse(renderCtrf(report)).results;
    const count = (status: string) => tests.filter((one: { status: string }) => one.status === status).length;
    expect(summary).toMatchObject({
      tests: tests.length,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('skipped'),
      pending: 0,
      other: count('other'),
    });
  });
});

test('repeated, excused and blocked tests are distinguished', () => {
  const { tests } = JSON.parse(renderCtrf(gatedReport)).results;
  const byName = Object.fromEntries(
    tests.map(({ testId, status, rawStatus, retries }: Record<string, unknown>) => [
      String(testId).replace(/^own-ai-chat\/|#.*$/g, ''),
      [status, rawStatus, ...(retries === undefined ? [] : [retries])],
    ]),
  );
  expect(byName).toMatchObject({
    new: ['failed', 'fail', 3],
    known: ['other', 'known', 3],
    waived: ['other', 'waived'],
    over: ['failed', 'fail'],
    unreachable: ['failed', 'blocked'],
    gone: ['skipped', 'not-exercised'],
    'run/own-ai-chat/stale': ['failed', 'fail'],
  });
});

test('a shard names itself', () => {
  const report = { ...manyFailuresReport, selection: { shard: { index: 2, of: 4 } } };
  const { environment } = JSON.parse(renderCtrf(report)).results;
  expect(environment).toMatchObject({ shardId: '2/4', healthy: false });
  expect(environment.reportName).toMatch(/^svc-conform \(partial: \d+ of \d+\)$/);
});
