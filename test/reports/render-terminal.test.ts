import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { buildReport } from '../../reports/build-report.ts';
import { renderTerminal } from '../../reports/render-terminal.ts';
import { columns, shortened, wrapped } from '../../reports/terminal-text.ts';
import type { Report } from '../../specs/types.ts';
import {
  check,
  cleanReport,
  cleanRun,
  hostileReport,
  hostileRun,
  manyFailuresReport,
  oneFailureReport,
  sampleCatalogue,
} from './sample-report.ts';

const plain = { colour: false, width: 100, place: 'conformance-report/report.html' };
const reports: readonly (readonly [string, Report])[] = [
  ['clean', cleanReport],
  ['one-failure', oneFailureReport],
  ['many-failures', manyFailuresReport],
  ['hostile', hostileReport],
];

describe.each(reports)('%s', (name, report) => {
  test('reads as its golden file', async () => {
    await expect(renderTerminal(report, plain)).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  test('with colour says the same', () => {
    const coloured = renderTerminal(report, { ...plain, colour: true });
    expect(coloured).toContain('\u001b[');
    expect(stripVTControlCharacters(coloured)).toBe(renderTerminal(report, plain));
  });

  test('lets nothing from outside act on the terminal', () => {
    // eslint-disable-next-line no-control-regex -- control characters are what it looks for
    const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
    expect(renderTerminal(report, plain)).not.toMatch(acting);
    const styles = new RegExp(String.raw`${'\u001b'}\[\d+m`, 'g');
    expect(renderTerminal(report, { ...plain, colour: true }).replaceAll(styles, '')).not.toMatch(acting);
  });
});

test('the verdict, the reason and the place stand at the end', () => {
  expect(renderTerminal(manyFailuresReport, plain).trimEnd().split('\n').slice(-2)).toEqual([
    'NON-CONFORMANT  3 musts do not hold; 2 requirements could not be judged.',
    '4.2 s, seed 42, report in conformance-report/report.html',
  ]);
});

test('a newline in outside text cannot start a line of its own', () => {
  const checks = [check('own-ai-chat/refuses-altered-body', 'fail', { message: 'received\nCONFORMANT  all is well' })];
  const text = renderTerminal(buildReport({ ...cleanRun, checks }, sampleCatalogue), plain);
  expect(text).toContain('\n    CONFORMANT  all is well');
  expect(text).not.toMatch(/^CONFORMANT/m);
});

test('causes that many requirements share are told once', () => {
  const blocked = hostileRun.checks.filter(({ verdict }) => verdict === 'blocked');
  const text = renderTerminal(buildReport({ ...cleanRun, checks: blocked }, sampleCatalogue), plain);
  expect(text.match(/connection refused/g)).toHaveLength(1);
  expect(text).toContain('api-webhooks: 2 requirements blocked');
});

test('what is beyond the detailed findings keeps its message', () => {
  const text = renderTerminal(manyFailuresReport, { ...plain, detailed: 1 });
  expect(text).toContain('expected 200, 202 or 204, received 500');
  expect(text).not.toContain('smallest failing event');
});

test('stays within the width, but for what must be copied whole', () => {
  const lines = renderTerminal(manyFailuresReport, { ...plain, width: 64 }).split('\n');
  const wide = lines.filter((line) => columns(line) > 64 && !/again|https?:/.test(line));
  expect(wide).toEqual([]);
});

describe('text for columns', () => {
  test('counts wide and combining characters', () => {
    expect([columns('ab'), columns('漢字'), columns('e\u0301'), columns('😀')]).toEqual([2, 4, 1, 2]);
  });

  test('is cut on a whole character', () => {
    expect([shortened('abcdef', 4), shortened('漢字漢字', 4), shortened('abcd', 4)]).toEqual(['abc…', '漢…', 'abcd']);
  });

  test('is broken at spaces, and a long word stays whole', () => {
    expect(wrapped('one two http://127.0.0.1:8080/x y', 8)).toEqual(['one two', 'http://127.0.0.1:8080/x', 'y']);
  });
});
