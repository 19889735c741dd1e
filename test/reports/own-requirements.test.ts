import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../reports/write/html/render-html.ts';
import { renderMarkdown } from '../../reports/write/markdown/render-markdown.ts';
import { renderTerminal } from '../../reports/write/terminal/render-terminal.ts';
import { ownLabel } from '../../reports/text/wording.ts';
import type { Report } from '../../specs/generated/types.ts';
import { elements, parseHtml, textOf } from './parse-html.ts';
import { idOf, reportOf, type SampleRow } from './sample-gates.ts';

const pairs = {
  failing: { level: 'must', verdict: 'fail' },
  doubtful: { level: 'must', verdict: 'blocked' },
  warned: { level: 'should', verdict: 'fail' },
  advised: { level: 'advice', verdict: 'fail' },
  held: { level: 'must', verdict: 'pass' },
} as const satisfies Record<string, SampleRow>;

/** Each pair has a requirement of the interface and one of the integrator, which differ only by the mark. */
const base = reportOf(
  Object.fromEntries(
    Object.entries(pairs).flatMap(([name, row]) => [
      [`theirs-${name}`, { ...row, message: `${name} of theirs` }],
      [`acme-${name}`, { ...row, message: `${name} of acme` }],
    ]),
  ),
);
const report: Report = {
  ...base,
  requirements: base.requirements.map((row) => (row.id.includes('/acme-') ? { ...row, own: true } : row)),
};
const names = Object.keys(pairs);
const found = names.filter((name) => name !== 'held');

/** The ids of the strings with the mark; each string is about one requirement. */
function marked(texts: readonly string[]): string[] {
  return texts.filter((text) => text.includes(ownLabel)).map((text) => /own-ai-chat\/[a-z-]+/.exec(text)?.[0] ?? text);
}

describe('a requirement of the integrator is distinguished from one of the interface', () => {
  test('in the line of the requirement on a terminal', () => {
    const lines = renderTerminal(report, { colour: false, width: 100 }).split('\n');
    expect(marked(lines)).toEqual(found.map((name) => idOf(`acme-${name}`)));
  });

  test('in Markdown, in full and in a list', () => {
    const parts = renderMarkdown(report).split(/\n(?=#### |- |<details>)/);
    expect(marked(parts).sort()).toEqual(found.map((name) => idOf(`acme-${name}`)).sort());
  });

  test('in the table of report.html, and on the card of a finding', () => {
    const all = elements(parseHtml(renderHtml(report)));
    const rows = all.filter(({ name, attributes }) => name === 'tr' && attributes.has('data-outcome')).map(textOf);
    expect(rows).toHaveLength(2 * names.length);
    expect(marked(rows).sort()).toEqual(names.map((name) => idOf(`acme-${name}`)).sort());
    const cards = all.filter(({ name, attributes }) => name === 'article' && attributes.has('class')).map(textOf);
    expect(cards).toHaveLength(2 * found.length);
    expect(marked(cards).sort()).toEqual(found.map((name) => idOf(`acme-${name}`)).sort());
  });

  test('where a part of what is excused was blocked', () => {
    const row = { checks: { one: 'fail', two: 'blocked' } } as const;
    const partly = reportOf({ 'acme-partly': row });
    const waived: Report = {
      ...partly,
      requirements: partly.requirements.map((one) => ({ ...one, own: true })),
      gate: {
        passed: true,
        failOn: 'must',
        reasons: [],
        waivers: [{ requirement: idOf('acme-partly'), reason: 'x', until: '2099-12-31', state: 'applied' }],
      },
    };
    const markdown = renderMarkdown(waived).split('\n');
    expect(markdown.find((line) => line.startsWith('Part of'))).toContain(ownLabel);
    expect(marked(renderTerminal(waived, { colour: false, width: 100 }).split('\n'))).toEqual([idOf('acme-partly')]);
  });
});
