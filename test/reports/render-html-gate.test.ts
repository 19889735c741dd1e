import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../reports/write/html/render-html.ts';
import { applyGate } from '../../reports/model/apply-gate.ts';
import type { Gate, Report } from '../../specs/generated/types.ts';
import { elements, parseHtml, textOf } from './parse-html.ts';
import type { Element } from './parse-html.ts';
import { gatedReport } from './sample-formats.ts';
import { idOf, reportOf } from './sample-gates.ts';
import { cascadeReport, cleanReport, hostileText, manyFailuresReport, oneFailureReport } from './sample-report.ts';

const withId = (page: Element, id: string) =>
  elements(page).find(({ attributes }) => attributes.get('id') === id) as Element;
const header = (page: Element) => elements(page).find(({ name }) => name === 'header') as Element;
const pageOf = (report: Report) => parseHtml(renderHtml(report));

const gate: Gate = {
  passed: false,
  failOn: 'must',
  reasons: ['One failure is new.', 'A waiver has ended.'],
  baseline: {
    startedAt: '2026-10-01T08:00:00.000Z',
    verdict: 'conformant-with-warnings',
    new: ['own-ai-chat/answers-valid-events'],
    known: ['crm-webhook/refuses-wrong-token'],
    fixed: ['own-ai-chat/refuses-altered-body'],
    gone: ['own-ai-chat/no-longer-there'],
  },
  waivers: [
    { requirement: 'crm-webhook/refuses-wrong-token', reason: 'CRM-4711', until: '2026-12-31', state: 'applied' },
    { requirement: 'crm-webhook/answers-lookup-in-time', reason: hostileText, until: '2026-10-01', state: 'expired' },
  ],
};

describe('a gate', () => {
  const page = pageOf({ ...manyFailuresReport, gate });
  const section = textOf(withId(page, 'gate'));

  test('appears next to the verdict, with its reasons', () => {
    expect(textOf(header(page))).toMatch(/Non-conformant|non-conformant/);
    expect(textOf(header(page))).toContain('gate failed One failure is new. A waiver has ended.');
  });

  test('shows what changed since the baseline, each requirement with its statement and a link', () => {
    for (const phrase of [
      'Report of 2026-10-01 08:00:00 UTC: conformant, with warnings.',
      'New 1 fails now, did not fail in the baseline 1 requirement Any valid event is answered as a valid event.',
      'Known 1 fails now and in the baseline',
      'Fixed 1 failed in the baseline, passes now',
      'Gone 1 failed in the baseline, not judged now 1 requirement No longer in the catalogue. own-ai-chat/no-longer-there',
    ]) {
      expect(section).toContain(phrase);
    }
    const links = elements(withId(page, 'gate')).filter(({ name }) => name === 'a');
    expect(links.map(textOf)).toContain('own-ai-chat/refuses-altered-body');
  });

  test('shows what makes the baseline hard to compare before the comparison', () => {
    const baseline = { ...(gate.baseline as NonNullable<Gate['baseline']>), notes: ['Other version.', hostileText] };
    const section = textOf(withId(pageOf({ ...manyFailuresReport, gate: { ...gate, baseline } }), 'gate'));
    expect(section).toContain('conformant, with warnings. Other version. </script>');
    expect(section.indexOf('Other version.')).toBeLessThan(section.indexOf('New 1'));
  });

  test('shows the state of each waiver', () => {
    expect(section).toContain('crm-webhook/refuses-wrong-token ! waived 2026-12-31 CRM-4711');
    expect(section).toContain('crm-webhook/answers-lookup-in-time ✗ expired 2026-10-01 </script>');
  });

  test('marks its findings as new, known or excused', () => {
    const cards = elements(page).filter(({ name }) => name === 'article');
    const badges = (id: string) =>
      elements(cards.find((card) => textOf(card).includes(id)) as Element)
        .filter(({ attributes }) => attributes.get('class')?.startsWith('badge'))
        .map(textOf);
    expect(badges('own-ai-chat/answers-valid-events')).toEqual(['new since the baseline']);
    expect(badges('crm-webhook/refuses-wrong-token')).toEqual(['known from the baseline', 'waived until 2026-12-31']);
    expect(badges('crm-webhook/answers-lookup-in-time')).toEqual(['waiver expired on 2026-10-01']);
  });

  test('that passed gives the reason', () => {
    const passed = { passed: true, failOn: 'must' as const, reasons: [] };
    expect(textOf(header(pageOf({ ...cleanReport, gate: passed })))).toContain(
      '✓ gate passed No MUST requirement failed.',
    );
  });

  test('is not a section where there was none', () => {
    expect(withId(pageOf(manyFailuresReport), 'gate')).toBeUndefined();
  });
});

test('a failure that was repeated says how often it came', () => {
  const [first, ...rest] = oneFailureReport.checks.toReversed();
  if (!first) throw new Error('expected a check');
  const repeated = (failed: number) => ({
    ...oneFailureReport,
    checks: [...rest, { ...first, repeats: { failed, of: 4 } }],
  });
  expect(textOf(withId(pageOf(repeated(4)), 'finding-1'))).toContain('always (4 of 4)');
  expect(textOf(withId(pageOf(repeated(3)), 'finding-1'))).toContain('3 of 4 times');
});

test('an anonymised report says so at the top', () => {
  expect(textOf(header(pageOf({ ...cleanReport, anonymized: true })))).toContain('placeholders');
});

test('an image that ended by itself is reported at the top and with the image', () => {
  const page = pageOf({ ...cleanReport, container: { image: 'integrator:1.4.2', exitCode: 137 } });
  expect(textOf(header(page))).toContain('It ended during the run with exit code 137.');
  expect(textOf(withId(page, 'container'))).toContain('With code 137');
});

describe('what to fix first', () => {
  const first = (report: Report) =>
    elements(header(pageOf(report)))
      .filter(({ name }) => name === 'ol')
      .map(textOf);

  test('is grouped by cause: failures with one cause count as one', () => {
    expect(first(cascadeReport)).toEqual([
      '✗ fails expected a 2xx status, received status 500 crm-webhook/accepts-the-token also fails 3 requirements, 1 warning ' +
        '✗ fails received status 404 own-ai-chat/answers-ping ' +
        '✗ fails received "yes" crm-webhook/flags-are-boolean',
    ]);
  });

  test('lists failures that fail the gate before excused ones', () => {
    expect(first(gatedReport)[0]).toMatch(
      /^✗ fails fail of own-ai-chat\/new .*✗ fails fail of own-ai-chat\/over .*\? blocked blocked of own-ai-chat\/unreachable /,
    );
    expect(textOf(header(pageOf(gatedReport)))).toContain('2 more causes');
  });

  test('is the new failure if it shares a cause with known ones', () => {
    const known = cascadeReport.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    const fresh = 'crm-webhook/accepts-null-members';
    const baseline = {
      startedAt: '2026-10-01T08:00:00.000Z',
      verdict: 'non-conformant' as const,
      new: [fresh],
      known: known.filter((id) => id !== fresh),
      fixed: [],
      gone: [],
    };
    expect(known).toContain(fresh);
    const [finding = ''] = first({ ...cascadeReport, gate: { passed: false, failOn: 'must', reasons: [], baseline } });
    expect(finding).toMatch(/^✗ fails .* crm-webhook\/accepts-null-members/);
  });

  test('is nothing where nothing fails', () => {
    expect(first(cleanReport)).toEqual([]);
  });
});

test('of many findings only the first are open, of few all, and no excused one', () => {
  const open = (report: Report) =>
    elements(withId(pageOf(report), 'fix'))
      .filter(({ attributes }) => attributes.get('class') === 'card-body')
      .map(({ attributes }) => attributes.has('open'));
  expect(open(oneFailureReport)).toEqual([true]);
  expect(open(cascadeReport)).toEqual([true, true, true, true]);
  expect(open(gatedReport)).toEqual([true, true, false, true, false, false, false, false]);
});

test('what is excused appears under a separate heading, after what fails the run', () => {
  const remediation = withId(pageOf(gatedReport), 'fix');
  const order = elements(remediation)
    .filter(({ name }) => name === 'h3' || name === 'h4')
    .map(textOf);
  expect(order).toEqual([
    'Failures 2 causes',
    'fail of own-ai-chat/new',
    'fail of own-ai-chat/over',
    'Could not be judged 1 cause',
    'blocked of own-ai-chat/unreachable',
    'Could not be judged in part 1',
    'own-ai-chat/partly holds.',
    'Other reasons why the gate failed 1',
    'Warnings 1 cause',
    'fail of own-ai-chat/warned',
    'Advice 1 cause',
    'fail of own-ai-chat/advised',
    'Waived or known failures 2',
    'own-ai-chat/known holds.',
    'own-ai-chat/waived holds.',
  ]);
});

test('a should that fails the run is not a warning', () => {
  const should = reportOf({ a: { level: 'should', verdict: 'fail' }, b: 'pass' });
  const page = pageOf(applyGate(should, { failOn: 'should', today: '2026-10-12' }));
  const titles = elements(withId(page, 'fix')).filter(({ name }) => name === 'h3');
  expect(titles.map(textOf)).toEqual(['Failures 1 cause']);
});

test('an excused failure of which a part was blocked shows what was blocked, and that nothing excuses it', () => {
  const card = elements(withId(pageOf(gatedReport), 'fix'))
    .filter(({ name }) => name === 'article')
    .map(textOf)
    .find((text) => text.includes('own-ai-chat/partly'));
  expect(card).toMatch(/^own-ai-chat\/partly holds\. \? blocked must /);
  expect(card).toContain(
    'Part of it could not be judged, which no waiver or baseline covers: blocked of own-ai-chat/partly ' +
      'Waived or known failure: fail of own-ai-chat/partly',
  );
});

test('other reasons why the run does not pass appear under "what to fix"', () => {
  const report = reportOf({ a: 'pass' });
  const waivers = [{ requirement: idOf('a'), reason: 'Ticket 12.', until: '2026-12-31' }];
  const remediation = withId(pageOf(applyGate(report, { failOn: 'must', waivers, today: '2026-10-12' })), 'fix');
  expect(textOf(remediation)).toBe(
    'What to fix Other reasons why the gate failed 1 own-ai-chat/a ' +
      'passes; the waiver (until 2026-12-31) is stale (Ticket 12.)',
  );
});
