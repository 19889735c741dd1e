import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { diffReports, type ReportDiff } from '../../reports/model/diff-reports.ts';
import { renderDiff } from '../../reports/write/diff/render-diff.ts';
import type { Report, Verdict } from '../../specs/generated/types.ts';
import { idOf, reportOf, type SampleRow } from './sample-gates.ts';
import { hostileText } from './sample-report.ts';

type Rows = Record<string, SampleRow | Verdict>;

const before = reportOf({
  a: { verdict: 'pass' },
  b: { verdict: 'fail', message: 'expected 401, received 200' },
  c: { level: 'should', verdict: 'fail', message: 'expected a text, received none' },
  d: 'blocked',
  e: 'pass',
  f: 'not-exercised',
  g: 'fail',
  h: 'pass',
  i: 'blocked',
  old: { verdict: 'fail', statement: 'One and the same.' },
  gone: 'pass',
});
const after = reportOf(
  {
    a: { verdict: 'fail', message: 'expected 204, received 500' },
    b: { verdict: 'pass' },
    c: { level: 'must', verdict: 'fail', message: 'expected a text, received a number' },
    d: 'pass',
    e: 'not-exercised',
    f: 'pass',
    g: 'fail',
    h: { level: 'should', verdict: 'pass' },
    i: 'blocked',
    fresh: { verdict: 'blocked', statement: 'One and the same.' },
    k: 'pass',
  },
  { run: { startedAt: '2026-10-13T10:00:00.000Z', version: '0.2.0', seed: 7 } },
);
const diff = diffReports(before, after);

function kinds({ changes }: ReportDiff): [string, string][] {
  return changes.map(({ kind, id }) => [kind, id.replace('own-ai-chat/', '')]);
}

function kindsOf(one: Rows, two: Rows) {
  return kinds(diffReports(reportOf(one), reportOf(two)));
}

describe('the difference of two reports', () => {
  test('shows a surface that only one of them has on one line', () => {
    const one: Rows = { a: 'pass', b: 'pass', c: 'pass', d: 'fail' };
    const unset: SampleRow = { verdict: 'not-applicable', message: 'The config has no chat.' };
    const two: Rows = { a: unset, b: unset, c: unset, d: 'fail' };
    const missing = diffReports(reportOf(one), reportOf(two));
    const text = renderDiff(missing, 'text');
    expect(text).toContain('own-ai-chat: 3 requirements');
    expect(text).not.toContain('own-ai-chat/a');
    expect(text).toContain('own-ai-chat/d');
    const markdown = renderDiff(missing, 'markdown');
    expect(markdown).toMatch(/^- `own-ai-chat: 3 requirements`, pass/m);
    expect(markdown).not.toContain('own-ai-chat/a');
  });

  test('groups changed requirements by their change, the worst first', () => {
    expect(kinds(diff)).toEqual([
      ['fails', 'a'],
      ['blocked', 'fresh'],
      ['lost', 'e'],
      ['lost', 'gone'],
      ['fixed', 'b'],
      ['unblocked', 'd'],
      ['judged', 'f'],
      ['judged', 'k'],
      ['fails-in-both', 'c'],
      ['fails-in-both', 'g'],
      ['blocked-in-both', 'i'],
      ['level', 'h'],
    ]);
    expect(diff.unchanged).toEqual({ pass: 0, notJudged: 0 });
  });

  test('reports its subject and what makes it hard to compare', () => {
    expect(diff.after).toMatchObject({ startedAt: '2026-10-13T10:00:00.000Z', version: '0.2.0', seed: 7 });
    expect(diff.notes).toEqual([
      'The first report was made by version 0.1.0, the second by 0.2.0: checks may have been added or changed.',
      'The level of own-ai-chat/c changed from should to must.',
    ]);
  });

  test('follows a requirement to its new name', () => {
    expect(diff.changes.find(({ id }) => id === idOf('fresh'))).toMatchObject({
      formerId: idOf('old'),
      before: { verdict: 'fail' },
      after: { verdict: 'blocked' },
    });
  });

  test('of a report and itself contains only open failures', () => {
    expect(kinds(diffReports(before, before))).toEqual([
      ['fails-in-both', 'b'],
      ['fails-in-both', 'g'],
      ['fails-in-both', 'old'],
      ['fails-in-both', 'c'],
      ['blocked-in-both', 'd'],
      ['blocked-in-both', 'i'],
    ]);
    expect(diffReports(before, before)).toMatchObject({ notes: [], unchanged: { pass: 4, notJudged: 1 } });
  });

  test('does not count a failed check as fixed if it had nothing to judge', () => {
    const one: Rows = { a: { checks: { x: 'pass', y: 'fail' } } };
    expect(kindsOf(one, { a: { checks: { x: 'pass', y: 'not-exercised' } } })).toEqual([['lost', 'a']]);
    expect(kindsOf(one, { a: { checks: { x: 'not-exercised', y: 'pass' } } })).toEqual([['fixed', 'a']]);
  });

  test.each<[string, string, boolean]>([
    ['expected 401, received 200', 'expected 401, received 500', true],
    ['received 200 after 12 ms (evt_3fa85f64a1)', 'received 200 after 2.4 s (evt_77aa0b6c0d)', false],
    ['POST http://127.0.0.1:8080/chat', 'POST http://127.0.0.1:41233/chat', false],
    ['received 3 callbacks', 'received 4 callbacks', true],
    ['sent at 2026-10-12T09:30:00.000Z', 'sent at 2026-10-12T09:31:07.120Z', false],
  ])('between the messages %s and %s is reported: %s', (one, two, isOne) => {
    const [change] = diffReports(
      reportOf({ a: { verdict: 'fail', message: one } }),
      reportOf({ a: { verdict: 'fail', message: two } }),
    ).changes;
    expect(change?.messageDiffers ?? false).toBe(isOne);
  });

  test('counts a check as unblocked only if it was judged since', () => {
    const rows: Rows = { a: 'blocked', b: 'blocked', c: 'blocked', d: 'pass' };
    expect(kindsOf(rows, { a: 'pass', b: 'not-exercised', d: 'pass' })).toEqual([
      ['lost', 'b'],
      ['lost', 'c'],
      ['unblocked', 'a'],
    ]);
  });

  test('contains how often a failure recurred', () => {
    const repeated: Report = {
      ...after,
      checks: after.checks.map((check) =>
        check.verdict === 'fail' ? { ...check, repeats: { failed: 3, of: 4 } } : check,
      ),
    };
    expect(diffReports(before, repeated).changes[0]?.after?.repeats).toEqual({ failed: 3, of: 4 });
    expect(renderDiff(diffReports(before, repeated), 'text')).toContain('failed   3 of 4 times');
  });
});

describe('is rendered', () => {
  test.each(['text', 'markdown', 'json'] as const)('as %s like its golden file', async (format) => {
    const ending = { text: 'txt', markdown: 'md', json: 'json' }[format];
    await expect(renderDiff(diff, format)).toMatchFileSnapshot(`golden/diff.${ending}`);
  });

  test('as JSON with everything, which reads back the same', () => {
    expect(JSON.parse(renderDiff(diff, 'json'))).toEqual(diff);
  });

  test('without the claim that a requirement that is no longer judged was judged before', () => {
    const text = renderDiff(diffReports(reportOf({ a: 'blocked' }), reportOf({ a: 'not-exercised' })), 'text');
    expect(text).toContain('No longer judged (1)');
    expect(text).toContain('1 no longer judged.');
  });

  test('in a sentence when nothing changed', () => {
    const report = reportOf({ a: 'pass' });
    expect(renderDiff(diffReports(report, report), 'text')).toMatch(
      /\n\nConformant in both\nNothing changed, 1 passes in both\.\n$/,
    );
  });

  const hostileRow: SampleRow = { verdict: 'fail', message: hostileText };
  const hostileDiff = diffReports(
    reportOf({ a: 'pass', [`own-ai-chat/${hostileText}`]: hostileRow }, { run: { protocol: hostileText } }),
    reportOf({
      a: hostileRow,
      [`own-ai-chat/${hostileText}`]: { ...hostileRow, message: `\` <b>x</b> \` ${hostileText} \`\`\` x` },
    }),
  );

  test('in text in which no outside string affects the terminal', () => {
    // eslint-disable-next-line no-control-regex -- it matches control characters
    const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
    expect(renderDiff(hostileDiff, 'text')).not.toMatch(acting);
    const styles = new RegExp(String.raw`${'\u001b'}\[\d+m`, 'g');
    expect(renderDiff(hostileDiff, 'text', { colour: true }).replaceAll(styles, '')).not.toMatch(acting);
  });

  test('in Markdown in which no outside string is markup', () => {
    const tokens = new MarkdownIt({ html: true, linkify: true })
      .parse(renderDiff(hostileDiff, 'markdown'), {})
      .flatMap((token) => [token, ...(token.children ?? [])]);
    const kindsSeen = new Set(tokens.map(({ type }) => type));
    expect([...kindsSeen].filter((type) => /html|link|image|fence|table|code_block/.test(type))).toEqual([]);
    const spans = tokens.filter(({ type }) => type === 'code_inline').map(({ content }) => content);
    expect(spans.some((content) => content.includes('<script>alert(1)</script>'))).toBe(true);
  });

  test('in Markdown that fits into a comment, with a count of the rest', () => {
    const rows = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [
        `r${at}`,
        { verdict: 'fail' as const, message: `${at} ${'long '.repeat(200)}` },
      ]),
    );
    const passing = Object.fromEntries(Object.keys(rows).map((name) => [name, 'pass' as const]));
    const text = renderDiff(diffReports(reportOf(passing), reportOf(rows)), 'markdown');
    expect(text.length).toBeLessThan(65_536);
    const shown = text.match(/^- ✗ /gm)?.length ?? 0;
    expect(shown).toBeGreaterThan(100);
    expect(text).toContain(`_${400 - shown} more in the JSON format._`);
  });

  const rows = Object.fromEntries(
    Array.from({ length: 54 }, (_, at) => [
      `r${at}`,
      { verdict: 'blocked' as const, message: `connection refused after ${at} ms` },
    ]),
  );
  const passing = Object.fromEntries(Object.keys(rows).map((name) => [name, 'pass' as const]));
  const refused = diffReports(
    reportOf({ ...passing, other: 'pass' }),
    reportOf({ ...rows, other: { verdict: 'blocked', message: 'no such host' } }),
    ['main/report.json', 'report `2`.json'],
  );

  test.each(['text', 'markdown'] as const)('as %s with a reason that many share printed once', (format) => {
    const text = renderDiff(refused, format);
    expect(text.match(/connection refused/g)).toHaveLength(1);
    expect(text).toContain(idOf('r4'));
    expect(text).not.toContain(idOf('r5'));
    expect(text).toContain('and 49 more');
    expect(text).toContain('(55)');
  });

  test('with the names of the reports, and the seconds of their times', () => {
    expect(renderDiff(refused, 'text')).toMatch(
      /^first {4}main\/report\.json, 2026-10-12 09:30:00 UTC: .*\n(?: .*\n)*second {3}report `2`\.json, /,
    );
    expect(renderDiff(refused, 'markdown')).toContain('- first: `main/report.json, 2026-10-12 09:30:00 UTC: ');
    expect(JSON.parse(renderDiff(refused, 'json'))).toMatchObject({
      before: { name: 'main/report.json' },
      after: { name: 'report `2`.json' },
    });
  });

  test.each(['text', 'markdown'] as const)('as %s with a few of those that are judged again', (format) => {
    const text = renderDiff(diffReports(reportOf(rows), reportOf(passing)), format);
    expect(text).toContain('No longer blocked (54)');
    expect(text.match(/blocked → passes/g)).toHaveLength(5);
  });

  test('in text with at most forty of a kind', () => {
    const rows = (verdict: Verdict) => Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`r${at}`, verdict]));
    const text = renderDiff(diffReports(reportOf(rows('pass')), reportOf(rows('fail'))), 'text');
    expect(text.match(/^✗ /gm)).toHaveLength(40);
    expect(text).toContain('    and 10 more; --format json lists all of them');
  });
});
