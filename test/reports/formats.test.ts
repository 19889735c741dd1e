import { describe, expect, test } from 'vitest';
import { gateExitCode } from '../../reports/model/apply-gate.ts';
import { formatNames, isFormatName } from '../../reports/text/format-names.ts';
import { formats, renderFormats } from '../../reports/write/formats.ts';
import { renderAnnotations } from '../../reports/write/annotations/render-annotations.ts';
import { renderCtrf } from '../../reports/write/ctrf/render-ctrf.ts';
import { renderHtml } from '../../reports/write/html/render-html.ts';
import { renderJunit } from '../../reports/write/junit/render-junit.ts';
import { renderMarkdown } from '../../reports/write/markdown/render-markdown.ts';
import { renderSarif } from '../../reports/write/sarif/render-sarif.ts';
import { renderTerminal } from '../../reports/write/terminal/render-terminal.ts';
import { runProblems } from '../../reports/model/gate-status.ts';
import { elements, parseHtml, textOf } from './parse-html.ts';
import { everyEnd } from './sample-formats.ts';
import { cleanReport } from './sample-report.ts';

test('the names and files that others rely on', () => {
  const files = Object.fromEntries(formatNames.map((name) => [name, Object.keys(formats[name].files)]));
  expect(files).toEqual({
    json: ['report.json'],
    html: ['report.html'],
    junit: ['junit.xml'],
    ctrf: ['ctrf.json'],
    sarif: ['report.sarif'],
    markdown: ['report.md'],
    annotations: ['annotations.txt'],
    har: ['report.har'],
    badge: ['badge.svg', 'badge.json'],
  });
});

test('an unknown format is rejected, even the name of an inherited property', () => {
  expect(['junit', 'xml', 'constructor', ''].map(isFormatName)).toEqual([true, false, false, false]);
});

test('several formats are one set of files', () => {
  const files = renderFormats(cleanReport, ['junit', 'badge']);
  expect(Object.keys(files)).toEqual(['junit.xml', 'badge.svg', 'badge.json']);
  expect(files['junit.xml']).toBe(renderJunit(cleanReport));
});

describe.each(everyEnd)('%s', (_, report) => {
  const code = gateExitCode(report);

  test('every format is red exactly when the exit code is', () => {
    const { summary } = JSON.parse(renderCtrf(report)).results;
    const [run] = JSON.parse(renderSarif(report)).runs;
    const open = run.results.filter(
      (one: Record<string, unknown>) =>
        one['level'] === 'error' && one['suppressions'] === undefined && one['baselineState'] !== 'unchanged',
    );
    expect({
      junit: /<(failure|error) /.test(renderJunit(report)),
      ctrf: summary.failed > 0,
      sarif: open.length > 0,
      annotations: /^::error /m.test(renderAnnotations(report)),
      markdown: /^## (❌|❔)/.test(renderMarkdown(report)),
    }).toEqual({
      junit: code !== 0,
      ctrf: code !== 0,
      sarif: code !== 0,
      annotations: code !== 0,
      markdown: code !== 0,
    });
  });

  test('the page lists the failures that fail the gate under "what to fix", if there are any', () => {
    const remediation = elements(parseHtml(renderHtml(report))).find(
      ({ attributes }) => attributes.get('id') === 'fix',
    );
    const titles = remediation ? elements(remediation).filter(({ name }) => name === 'h3') : [];
    const red = /^(Failures|Could not be judged|Other reasons why the gate failed) /;
    expect(titles.map(textOf).some((title) => red.test(title))).toBe(code !== 0);
    if (code !== 0) expect(remediation && textOf(remediation)).not.toContain('Nothing to fix.');
  });

  test('the page links only to its own anchors, each present once', () => {
    const all = elements(parseHtml(renderHtml(report)));
    const ids = all.flatMap(({ attributes }) => attributes.get('id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const links = all.filter(({ name }) => name === 'a').map(({ attributes }) => attributes.get('href'));
    expect(links.filter((link) => !ids.includes(link?.slice(1) ?? ''))).toEqual([]);
  });

  test('the terminal shows the failures that fail the gate first, if there are any', () => {
    const text = renderTerminal(report, { colour: false });
    const closing = report.gate ? /^GATE FAILED/m : /^(NON-CONFORMANT|INCOMPLETE)/m;
    const shown =
      /^(Failures|Could not be judged|Could not be judged in part) \(/m.test(text) || runProblems(report).length > 0;
    expect({ closing: closing.test(text), shown }).toEqual({ closing: code !== 0, shown: code !== 0 });
  });

  test('shows no outside string that affects a terminal', () => {
    // eslint-disable-next-line no-control-regex -- it matches control characters
    const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
    for (const [file, text] of Object.entries(renderFormats(report, formatNames))) {
      expect(acting.exec(text), file).toBeNull();
    }
  });
});
