import { describe, expect, test } from 'vitest';
import { formatNames } from '../../reports/text/format-names.ts';
import { verdictReason } from '../../reports/text/wording.ts';
import { renderFormats } from '../../reports/write/formats.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { renderTerminal } from '../../reports/write/terminal/render-terminal.ts';
import { validate } from '../../specs/validators.ts';
import type { Report, Selection } from '../../specs/generated/types.ts';
import { junitProblems, sarifProblems } from './format-schemas.ts';
import { reportOf } from './sample-gates.ts';

/** Checked one of three requirements, which passed. */
function passing(selection?: Selection): Report {
  return reportOf({ a: 'pass', b: {}, c: {} }, selection && { selection });
}

const partial = passing({ only: ['own-ai-chat/a'] });

function allFormats(report: Report): Record<string, string> {
  return {
    ...renderFormats(report, formatNames),
    'report.json': renderJson(report),
    terminal: renderTerminal(report, { colour: true }),
  };
}

test.each<[string, Selection]>([
  ['some requirements', { only: ['own-ai-chat/a'] }],
  ['some surfaces', { surfaces: ['own-ai-chat'] }],
  ['contracts alone', { contracts: true }],
  ['recorded traffic', { capture: true }],
  ['a shard', { shard: { index: 1, of: 2 } }],
  ['what was judged until a failure', { stopped: 'bail' }],
])('a run of %s is partial in its record', (_, selection) => {
  const report = passing(selection);
  expect(report.partial).toEqual({ checked: 1, of: 3 });
  expect(validate('report', report)).toEqual([]);
});

test('an interrupted run states that it was stopped, not that nothing passed', () => {
  const stopped: Selection = { stopped: 'interrupted' };
  expect(verdictReason(passing(stopped))).toBe('The run was stopped before everything was judged.');
  const failed = reportOf({ a: 'fail', b: {}, c: {} }, { selection: stopped });
  expect(verdictReason(failed)).toBe('1 MUST requirement failed before the run was stopped.');
});

test.each<[string, Selection | undefined]>([
  ['without a selection', undefined],
  ['with fewer events and a shorter wait', { runs: 1, callbackWaitMs: 5 }],
])('a run %s is not partial', (_, selection) => {
  const report = passing(selection);
  expect(report.partial).toBeUndefined();
  for (const [file, text] of Object.entries(allFormats(report))) expect(text, file).not.toContain('partial: ');
});

test('every format says how much a partial run checked', () => {
  for (const [file, text] of Object.entries(allFormats(partial))) {
    if (file === 'report.json') continue;
    expect(text, file).toContain('partial: 1 of 3');
  }
});

describe('a partial run that passed is neither called conformant nor shown as a success', () => {
  const formats = allFormats(partial);
  const whole = allFormats(passing());

  test('in the terminal, the page and Markdown', () => {
    const last = (text = '') => text.split('\n').find((line) => /PASSED|CONFORMANT/.test(line));
    expect(last(formats['terminal'])).toContain('\u001b[33mPASSED, partial: 1 of 3\u001b[39m');
    expect(last(whole['terminal'])).toContain('\u001b[32mCONFORMANT\u001b[39m');
    expect(formats['report.html']).toMatch(
      /<header class="verdict conformant partial">[^]*<h1>passed, partial: 1 of 3</,
    );
    expect(formats['report.html']).toContain('<title>passed, partial: 1 of 3 ');
    expect(formats['report.html']).toMatch(/\.verdict\.partial \{ --tone: var\(--warn\); \}/);
    expect(whole['report.html']).toContain('<header class="verdict conformant">');
    expect(formats['report.md']).toMatch(/^## ⚠️ svc-conform: passed, partial: 1 of 3\n/);
    expect(whole['report.md']).toMatch(/^## ✅ svc-conform: conformant\n/);
  });

  test('in JUnit, CTRF, SARIF and annotations', async () => {
    expect(formats['junit.xml']).toContain('<testsuites name="svc-conform (partial: 1 of 3)"');
    expect(await junitProblems(formats['junit.xml'] ?? '')).toEqual([]);
    const { environment, extra } = JSON.parse(formats['ctrf.json'] ?? '').results;
    expect(environment).toEqual({ reportName: 'svc-conform (partial: 1 of 3)' });
    expect(extra.partial).toBe('partial: 1 of 3');
    expect(JSON.parse(whole['ctrf.json'] ?? '').results.environment).toEqual({ healthy: true });
    const sarif: unknown = JSON.parse(formats['report.sarif'] ?? '');
    expect(sarifProblems(sarif)).toEqual([]);
    expect(sarif).toMatchObject({
      runs: [{ invocations: [{ toolConfigurationNotifications: [{ message: { text: 'partial: 1 of 3.' } }] }] }],
    });
    expect(formats['annotations.txt']).toMatch(/^::warning title=the run::This run was partial: 1 of 3 requirements/);
    expect(whole['annotations.txt']).toBe('');
  });

  test('in the badge', () => {
    expect(JSON.parse(formats['badge.json'] ?? '')).toMatchObject({
      message: 'passed, partial: 1 of 3',
      color: 'blue',
    });
  });
});

test('a partial run that failed stays red', () => {
  const failed = reportOf({ a: 'fail', b: {} }, { selection: { only: ['own-ai-chat/a'] } });
  const formats = allFormats(failed);
  expect(formats['terminal']).toContain('\u001b[31mNON-CONFORMANT, partial: 1 of 2');
  expect(formats['report.html']).toContain('<header class="verdict non-conformant">');
  expect(formats['report.md']).toMatch(/^## ❌ svc-conform: non-conformant, partial: 1 of 2\n/);
  expect(JSON.parse(formats['ctrf.json'] ?? '').results.environment).toMatchObject({ healthy: false });
});
