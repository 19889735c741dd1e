import { parse } from 'junit2json';
import { describe, expect, test } from 'vitest';
import { renderJunit } from '../../reports/write/junit/render-junit.ts';
import { junitProblems } from './format-schemas.ts';
import { everyEnd, gatedReport } from './sample-formats.ts';
import { reportOf } from './sample-gates.ts';
import { hostileReport, hostileText, manyFailuresReport } from './sample-report.ts';

test.each([
  ['many-failures', manyFailuresReport],
  ['hostile', hostileReport],
  ['gated', gatedReport],
])('%s reads as its golden file', async (name, report) => {
  await expect(renderJunit(report)).toMatchFileSnapshot(`golden/${name}.junit.txt`);
});

describe.each(everyEnd)('%s', (_, report) => {
  test('is valid against the schema of Jenkins', async () => {
    expect(await junitProblems(renderJunit(report))).toEqual([]);
  });

  test('counts its tests', async () => {
    const read = await parse(renderJunit(report));
    if (!read || !('testsuite' in read)) throw new Error('expected suites');
    const suites = read.testsuite ?? [];
    const cases = suites.flatMap(({ testcase = [] }) => testcase);
    expect(read).toMatchObject({
      tests: cases.length,
      failures: cases.filter(({ failure }) => failure).length,
      errors: cases.filter(({ error }) => error).length,
    });
    for (const { testcase = [], tests, skipped } of suites) {
      expect({ tests, skipped }).toEqual({
        tests: testcase.length,
        skipped: testcase.filter((one) => one.skipped !== undefined).length,
      });
    }
  });
});

test('outside strings read back as text, with visible controls', async () => {
  const read = await parse(renderJunit(hostileReport));
  const cases = read && 'testsuite' in read ? (read.testsuite ?? []).flatMap(({ testcase = [] }) => testcase) : [];
  const wrongToken = cases.find(({ classname }) => classname === 'crm-webhook.refuses-wrong-token');
  const [failure] = wrongToken?.failure ?? [];
  expect(failure?.message).toContain(`received </script><script>alert(1)</script> " onmouseover="alert(1)'`);
  expect(failure?.inner).toContain('⟨U+001B⟩[2J');
  expect(failure?.inner).not.toContain(hostileText);
});

test('a message of several lines keeps them, also in an attribute', () => {
  const xml = renderJunit(reportOf({ a: { verdict: 'fail', message: 'one\n\ttwo' } }));
  expect(xml).toContain('<failure message="one&#10;&#9;two" type="must">one\n\ttwo\n');
});

test('a gate shows: excused is skipped, a waiver that is over or) is stale fails', () => {
  const xml = renderJunit(gatedReport);
  const outcomeOf = (slug: string) =>
    new RegExp(String.raw`classname="own-ai-chat\.${slug}"[^>]*[^/]>\n<(\w+)`).exec(xml)?.[1] ?? 'passed';
  const names = ['new', 'known', 'waived', 'over', 'stale', 'fixed', 'warned', 'advised', 'unreachable'];
  expect(Object.fromEntries(names.map((name) => [name, outcomeOf(name)]))).toEqual({
    new: 'failure',
    known: 'skipped',
    waived: 'skipped',
    over: 'failure',
    stale: 'passed',
    fixed: 'passed',
    warned: 'skipped',
    advised: 'skipped',
    unreachable: 'error',
  });
  expect(xml).toContain('<testcase name="the waiver of own-ai-chat/stale is still needed"');
  expect(xml).toContain('failed: always (4 of 4)');
  expect(xml).toContain('waived failure: fail of own-ai-chat/waived');
});

test('a check without a title goes by its id', () => {
  const { checks, ...report } = reportOf({ a: 'fail' });
  const xml = renderJunit({ ...report, checks: checks.map((check) => ({ ...check, title: ' ' })) });
  expect(xml).toContain('<testcase name="own-ai-chat/a#check" classname="own-ai-chat.a"');
});

test('a partial run lists what it omitted', () => {
  const xml = renderJunit(reportOf({ a: 'pass' }, { selection: { runs: 5 } }));
  expect(xml).toContain('<property name="selection" value="Only 5 generated events per property were sent."/>');
  expect(xml).not.toContain('name="partial"');
  expect(renderJunit(reportOf({ a: 'pass' }))).not.toContain('name="selection"');
});
