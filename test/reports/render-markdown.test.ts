import MarkdownIt from 'markdown-it';
import { describe, expect, test } from 'vitest';
import { applyGate } from '../../reports/model/apply-gate.ts';
import { buildReport, type Catalogue } from '../../reports/model/build-report.ts';
import { codeBlock, codeCell, codeSpan, markdownProse } from '../../reports/write/markdown/markdown-text.ts';
import { renderMarkdown } from '../../reports/write/markdown/render-markdown.ts';
import { visibleOnOneLine } from '../../reports/text/visible-controls.ts';
import type { CheckResult, Selection } from '../../specs/generated/types.ts';
import { cause } from './sample-causes.ts';
import { everyEnd, gatedReport } from './sample-formats.ts';
import { idOf, reportOf } from './sample-gates.ts';
import {
  callReport,
  cascadeReport,
  cascadeRun,
  check,
  hostileReport,
  hostileText,
  manyFailuresReport,
} from './sample-report.ts';

// Raw HTML and bare addresses, as GitHub interprets them.
const markdown = new MarkdownIt({ html: true, linkify: true });

type Token = ReturnType<typeof markdown.parse>[number];

function tokensOf(text: string): Token[] {
  return markdown.parse(text, {}).flatMap((token) => [token, ...(token.children ?? [])]);
}

test.each([
  ['many-failures', manyFailuresReport],
  ['hostile', hostileReport],
  ['gated', gatedReport],
  ['cascade', cascadeReport],
  ['call', callReport],
])('%s reads as its golden file', async (name, report) => {
  await expect(renderMarkdown(report)).toMatchFileSnapshot(`golden/${name}.markdown.txt`);
});

const ownHtml = /^(<!-- -->|<\/?sub>|<details><summary>[\w: ,]+( \(\d+( causes?)?\))?<\/summary>\n|<\/details>\n?)$/;

describe.each(everyEnd)('%s', (_, report) => {
  const text = renderMarkdown(report);
  const tokens = tokensOf(text);

  test('has only our own HTML, no link and no picture', () => {
    const html = tokens.filter(({ type }) => type === 'html_inline' || type === 'html_block');
    expect(html.map(({ content }) => content).filter((content) => !ownHtml.test(content))).toEqual([]);
    expect(tokens.filter(({ type }) => type === 'link_open' || type === 'image')).toEqual([]);
  });

  test('notifies no one and refers to no issue outside of code', () => {
    const prose = tokens.filter(({ type }) => type === 'text').map(({ content }) => content);
    expect(prose.filter((content) => /@\w|#\d/.test(content))).toEqual([]);
  });

  test('opens and closes what it folds', () => {
    const opened = tokens.filter(({ type, content }) => type === 'html_block' && content.startsWith('<details>'));
    const closed = tokens.filter(({ type, content }) => type === 'html_block' && content.startsWith('</details>'));
    expect(opened.length).toBe(closed.length);
  });

  test('has a row of eight cells for each surface', () => {
    const rows = tokens.filter(({ type }) => type === 'tr_open').length;
    expect(tokens.filter(({ type }) => type === 'td_open' || type === 'th_open').length).toBe(rows * 8);
  });
});

const nasty = [
  hostileText,
  '@octocat @org/team #12 GH-12 octo/repo#3 a@b.example',
  'https://evil.example www.evil.example [a](b) ![c](d) <e@f.example>',
  '# heading',
  '- item',
  '1. item',
  '> quote',
  '=====',
  '```\ncode\n```` x `',
  '`',
  '``a`',
  '| cell | other |',
  ':+1: :thumbs_up::-1: :100: 09:30:00',
  '*a* _b_ ~~c~~ $d$ :e: \\',
  '&lt; &amp; &#64;octocat',
  '    indented',
  '<!-- a',
  '<div open',
  '<script',
];

describe.each(nasty)('%j', (text) => {
  test('as prose it is a paragraph that reads as written', () => {
    const [open, inline, ...rest] = markdown.parse(markdownProse(text), {});
    expect([open?.type, rest.map(({ type }) => type)]).toEqual(['paragraph_open', ['paragraph_close']]);
    const children = (inline?.children ?? []).filter(({ content }) => content !== '<!-- -->');
    expect(children.map(({ type }) => type).filter((type) => type !== 'text')).toEqual([]);
    const shown = visibleOnOneLine(text.replaceAll('\n', ' ')).trim();
    expect(children.map(({ content }) => content).join('')).toBe(shown);
    expect(children.filter(({ content }) => /@\w|#\d|:\/\/|www\.|GH-\d|:[a-z+-][\w+-]*:|:100:/.test(content))).toEqual(
      [],
    );
  });

  test('as code in a line it is one piece of code', () => {
    const children = markdown.parseInline(`a ${codeSpan(text)} b`, {})[0]?.children ?? [];
    expect(children.map(({ type }) => type)).toEqual(['text', 'code_inline', 'text']);
  });

  test('in a table it stays in its cell', () => {
    const table = `| a | b |\n| --- | --- |\n| ${codeCell(text)} | x |`;
    const tokens = tokensOf(table);
    expect(tokens.filter(({ type }) => type === 'td_open').length).toBe(2);
    expect(tokens.filter(({ type }) => type === 'code_inline').length).toBe(1);
  });

  test('as a block it is one block', () => {
    expect(markdown.parse(codeBlock(text), {}).map(({ type }) => type)).toEqual(['fence']);
  });
});

test('a bar after a backslash is written out in a table', () => {
  expect(codeCell('a|b\\|c')).toBe('`a\\|b\\⟨U+007C⟩c`');
});

describe('with more than fits', () => {
  const rows = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [
      `a-${index}`,
      { verdict: 'fail' as const, message: `expected ${'x'.repeat(3000)}` },
    ]),
  );
  const text = renderMarkdown(reportOf(rows));

  test('a comment stays within the limit and says what is omitted', () => {
    expect(text.length).toBeLessThanOrEqual(65_536);
    expect(text.length).toBeGreaterThan(60_000);
    const shown = text.match(/^#### /gm)?.length ?? 0;
    expect(text).toContain(`_${400 - shown} more findings did not fit here; report.html has everything._`);
  });

  test('the verdict, the surfaces and the run still appear', () => {
    expect(text).toMatch(/^## ❌ svc-conform: non-conformant\n\n400 MUST requirements failed\./);
    expect(text).toContain('| `own-ai-chat` |');
    expect(text).toMatch(/<sub>svc-conform .*<\/sub>\n$/);
  });

  test('a limit in bytes is kept in bytes', () => {
    const wide = Object.fromEntries(
      Object.entries(rows).map(([id, row]) => [id, { ...row, message: `expected ${'ü€'.repeat(400)}` }]),
    );
    const bytes = Buffer.byteLength(renderMarkdown(reportOf(wide), { mostBytes: 200_000 }));
    expect(bytes).toBeLessThanOrEqual(200_000);
    expect(bytes).toBeGreaterThan(190_000);
  });
});

test('a part of a run says so in its first line', () => {
  const first = (selection?: Selection) =>
    renderMarkdown(reportOf({ a: 'pass' }, selection && { selection })).split('\n', 1)[0];
  expect(first({ runs: 1 })).toBe('## ✅ svc-conform: conformant (reduced)');
  expect(first()).toBe('## ✅ svc-conform: conformant');
});

test('a gate that excuses a failure does not look like a conformant endpoint', () => {
  const waivers = [{ requirement: idOf('a'), reason: 'Ticket 12.', until: '2026-12-31' }];
  const report = applyGate(reportOf({ a: 'fail', b: 'pass' }), { failOn: 'must', waivers, today: '2026-10-12' });
  const text = renderMarkdown(report);
  expect(text).toMatch(/^## ⚠️ svc-conform: non-conformant\n/);
  expect(text).toContain('### Gate passed');
  expect(text).toContain('- `own-ai-chat/a`: waived until 2026-12-31 (Ticket 12.)');
  expect(text).not.toContain('Failures');
});

test('what makes the baseline hard to compare appears before the comparison', () => {
  const baseline = reportOf({ a: 'fail' }, { run: { version: '0.0.9' } });
  const report = applyGate(reportOf({ a: 'fail', b: 'pass' }), { failOn: 'must', baseline, today: '2026-10-12' });
  const text = renderMarkdown(report);
  expect(text).toContain(
    '- ⚠️ The baseline was made by version 0.0.9, this run by 0.1.0: checks may have been added or changed.\n' +
      '- `own-ai-chat/a`: fails now and in the baseline\n',
  );
});

test('failures that share an answer are listed once', () => {
  const text = renderMarkdown(cascadeReport);
  expect(text).toContain('- **Also fails** 3 requirements (same answer, so probably the same cause): ');
  expect(text.match(/`crm-webhook\/accepts-null-members`/g)).toHaveLength(1);
});

test('warnings are counted by cause, and say whether it is certainly the same one', () => {
  const warns = (of: (at: number) => Partial<CheckResult>) => {
    const names = ['a', 'b', 'c', 'd'];
    const checks = names.map((name, at) =>
      check(`crm-webhook/${name}`, 'fail', { evidence: [`ex-${at + 1}`], ...of(at) }),
    );
    const rows = names.map((name) => [
      `crm-webhook/${name}`,
      { level: 'should', section: 'A', statement: name, remediation: 'Fix it.' },
    ]);
    return renderMarkdown(buildReport({ ...cascadeRun, checks }, Object.fromEntries(rows) as Catalogue));
  };
  const answer = warns(() => ({}));
  expect(answer).toContain('<summary>Warnings (1 cause)</summary>');
  expect(answer).toContain('; probably the same cause: `crm-webhook/');
  const found = warns(() => ({ causes: [cause('network/reset')] }));
  expect(found).toContain('; same cause: `crm-webhook/');
});
