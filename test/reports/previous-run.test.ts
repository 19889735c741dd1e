import { expect, it } from 'vitest';
import { comparePrevious } from '../../reports/model/compare-baseline.ts';
import { previousNotes } from '../../reports/text/run-notes.ts';
import { renderHtml } from '../../reports/write/html/render-html.ts';
import { renderMarkdown } from '../../reports/write/markdown/render-markdown.ts';
import { renderTerminal } from '../../reports/write/terminal/render-terminal.ts';
import type { Verdict } from '../../specs/generated/types.ts';
import { elements, parseHtml, textOf } from './parse-html.ts';
import { idOf, reportOf } from './sample-gates.ts';

const report = (verdicts: Readonly<Record<string, Verdict>>) =>
  reportOf(Object.fromEntries(Object.entries(verdicts).map(([name, verdict]) => [name, { verdict, level: 'should' }])));
const before = report({ a: 'pass', b: 'fail', c: 'fail', d: 'fail', e: 'pass' });
const after = report({ a: 'fail', b: 'pass', c: 'fail', d: 'not-exercised', e: 'pass' });

it('shows what has failed since, and what is fixed, at any level but advice', () => {
  const previous = comparePrevious(after, before);
  expect(previous).toMatchObject({ new: [idOf('a')], fixed: [idOf('b')], known: [idOf('c')], gone: [idOf('d')] });
  const text =
    /Since the run of \d{4}-\d\d-\d\d [\d:]{8} UTC: 1 newly failing, 1 no longer failing, 1 failing as before, 1 no longer/;
  const compared = { ...after, previous };
  expect(previousNotes(compared)).toEqual([expect.stringMatching(text)]);
  const terminal = renderTerminal(compared, { colour: false, width: 120 }).replace(/\s+/g, ' ');
  for (const one of [terminal, renderMarkdown(compared)]) expect(one).toMatch(text);
  const section = elements(parseHtml(renderHtml(compared))).find(
    ({ attributes }) => attributes.get('id') === 'previous',
  );
  expect(section && textOf(section)).toMatch(
    /New 1 newly failing .* Known 1 failing as before .* Fixed 1 no longer failing /,
  );
});

it('says nothing when nothing failed then or now', () => {
  const clean = report({ a: 'pass' });
  const compared = { ...clean, previous: comparePrevious(clean, clean) };
  expect(previousNotes(compared)).toEqual([]);
  expect(renderHtml(compared)).not.toContain('id="previous"');
});
