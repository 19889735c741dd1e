import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { buildReport } from '../../reports/model/build-report.ts';
import { renderTerminal } from '../../reports/write/terminal/render-terminal.ts';
import { columns, fitted, shortened, wrapped } from '../../reports/write/terminal/terminal-text.ts';
import type { Report } from '../../specs/generated/types.ts';
import {
  cascadeReport,
  check,
  cascadeRun,
  callReport,
  callRun,
  cleanReport,
  cleanRun,
  hostileCallReport,
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
  ['cascade', cascadeReport],
  ['hostile', hostileReport],
  ['call', callReport],
  ['hostile-call', hostileCallReport],
];

describe.each(reports)('%s', (name, report) => {
  test('reads as its golden file', async () => {
    await expect(renderTerminal(report, plain)).toMatchFileSnapshot(`golden/${name}.txt`);
  });

  test('has the same text with colour', () => {
    const coloured = renderTerminal(report, { ...plain, colour: true });
    expect(coloured).toContain('\u001b[');
    expect(stripVTControlCharacters(coloured)).toBe(renderTerminal(report, plain));
  });

  test('shows no outside string that affects the terminal', () => {
    // eslint-disable-next-line no-control-regex -- it matches control characters
    const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
    expect(renderTerminal(report, plain)).not.toMatch(acting);
    const styles = new RegExp(String.raw`${'\u001b'}\[\d+m`, 'g');
    expect(renderTerminal(report, { ...plain, colour: true }).replaceAll(styles, '')).not.toMatch(acting);
  });
});

test('the verdict, the reason and the place appear at the end', () => {
  expect(renderTerminal(manyFailuresReport, plain).trimEnd().split('\n').slice(-3)).toEqual([
    'NON-CONFORMANT  3 MUST requirements failed; 2 requirements could not be judged.',
    'Judged 6 of 10 observable requirements.',
    '4.2 s, seed 42, report in conformance-report/report.html',
  ]);
});

test('a newline in outside text cannot start a new line', () => {
  const checks = [check('own-ai-chat/refuses-altered-body', 'fail', { message: 'received\nCONFORMANT  all is well' })];
  const text = renderTerminal(buildReport({ ...cleanRun, checks }, sampleCatalogue), plain);
  expect(text).toContain('\n    CONFORMANT  all is well');
  expect(text).not.toMatch(/^CONFORMANT/m);
});

test('causes that many requirements share are listed once', () => {
  const blocked = hostileRun.checks.filter(({ verdict }) => verdict === 'blocked');
  const text = renderTerminal(buildReport({ ...cleanRun, checks: blocked }, sampleCatalogue), plain);
  expect(text.match(/connection refused/g)).toHaveLength(1);
  expect(text).toContain('\n    blocks      2 requirements, which could not be judged\n');
});

test('failures with one answer are listed once, under the most basic of them', () => {
  const text = renderTerminal(cascadeReport, { ...plain, detailed: 0 });
  expect(text.indexOf('crm-webhook/accepts-the-token')).toBeLessThan(text.indexOf('own-ai-chat/'));
  expect(text).toContain(
    '\n    also fails  3 requirements (same answer, so probably the same cause): answers-every-event,',
  );
  expect(text.match(/accepts-null-members/g)).toHaveLength(1);
  expect(text).toMatch(/^ {4}also {8}warns about 1 requirement .*:\s+accepts-unknown-members$/m);
  expect(text).toContain('requirement crm-webhook/flags-are-boolean');
});

test('reasons of what was not exercised are shown unless something has to be fixed first', () => {
  const reason = 'every answer was a 204, so there was no body';
  const textWith = (id: string) =>
    renderTerminal(
      buildReport(
        {
          ...cleanRun,
          checks: [...cleanRun.checks.filter(({ requirement }) => requirement !== id), check(id, 'fail')],
        },
        sampleCatalogue,
      ),
      plain,
    );
  const advised = textWith('crm-webhook/keeps-private-data-out');
  expect(advised).toContain(reason);
  expect(advised).not.toContain('reasons in the report');
  const failed = textWith('crm-webhook/answers-lookup-in-time');
  expect(failed).not.toContain(reason);
  expect(failed).toContain('\n        reasons in the report\n');
});

test('further checks that received the same answer say so, others say what they received', () => {
  const id = 'crm-webhook/refuses-wrong-token';
  const more = (name: string, ex: string) => ({ id: name, title: name, message: `about ${name}`, evidence: [ex] });
  const checks = [
    check(id, 'fail', { message: 'first', evidence: ['ex-1'] }),
    check(id, 'fail', more('same', 'ex-2')),
    check(id, 'fail', more('other', 'ex-8')),
  ];
  const text = renderTerminal(buildReport({ ...cascadeRun, checks }, sampleCatalogue), plain);
  expect(text).toContain('    also        same: received the same answer\n    also        other: about other\n');
});

test('does not repeat facts of the deciding exchange that the message contains', () => {
  const message = 'expected 401, received status 500 for POST http://127.0.0.1:8080/crm (a wrong token)';
  const checks = [check('crm-webhook/refuses-wrong-token', 'fail', { message, evidence: ['ex-1'] })];
  const text = renderTerminal(buildReport({ ...cascadeRun, checks }, sampleCatalogue), plain);
  expect(text).toContain('\n    evidence    500 in 12 ms (ex-1)\n');
});

test('checks that one answer blocked are one cause, listed with the failures that it explains', () => {
  const blocked = ['refuses-wrong-token', 'refuses-missing-token'].map((name, index) =>
    check(`crm-webhook/${name}`, 'blocked', { message: `not judged, words ${name}`, evidence: [`ex-${index + 1}`] }),
  );
  const text = renderTerminal(buildReport({ ...cascadeRun, checks: [...cascadeRun.checks, ...blocked] }), plain);
  expect(text).not.toContain('not judged, words');
  expect(text).toMatch(/^ {4}blocks {6}2 requirements \(same answer, .*\), which could not be judged$/m);
  expect(text.indexOf('    blocks')).toBeLessThan(text.indexOf('own-ai-chat/'));
});

test('surfaces that were not selected are one line, and what cannot be observed is apart', () => {
  const text = renderTerminal(oneFailureReport, plain);
  expect(text.match(/not selected/g)).toHaveLength(1);
  expect(text).toContain('\nnot selected in this run: crm-webhook, api-webhooks\n');
  expect(renderTerminal(cleanReport, plain)).toContain('\n○ 1 cannot be observed from outside');
  expect(text).not.toContain('cannot be observed');
});

test('a message of many lines is cut, without empty lines', () => {
  const message = `received ${'\n\nline'.repeat(400)}`;
  const checks = [check('own-ai-chat/refuses-altered-body', 'fail', { message })];
  const text = renderTerminal(buildReport({ ...cleanRun, checks }, sampleCatalogue), plain);
  expect(text.match(/^ {4}line/gm)?.length).toBeLessThan(12);
  expect(text).toContain('    line …\n');
});

test('a failing call is shown in some lines around its break, which is marked', () => {
  const call = callRun.exchanges[0]?.call;
  const [exchange] = callRun.exchanges;
  if (!call || !exchange) throw new Error('expected a call');
  const press = (n: number) => ({
    n,
    from: 'service' as const,
    atMs: n,
    text: '{"type":"dtmf","digit":"1"}',
    bytes: 27,
  });
  const frames = Array.from({ length: 100 }, (_, n) => press(n));
  const checks = callRun.checks.slice(0, 1).map((one) => ({ ...one, brokeAt: { exchange: 'ex-1', frame: 50 } }));
  const exchanges = [{ ...exchange, call: { ...call, frames } }];
  const text = renderTerminal(buildReport({ ...callRun, checks, exchanges }), plain);
  expect(text.match(/presses 1/g)).toHaveLength(14);
  expect(text).toContain('\n      … 41 lines before in the report\n');
  expect(text).toContain('\n    ✗ 50 ms  caller   presses 1\n                      ✗ failed here: expected no more');
  expect(text).toContain('\n      … 46 lines after in the report\n');
});

test('findings after the detailed ones keep their message', () => {
  const text = renderTerminal(manyFailuresReport, { ...plain, detailed: 1 });
  expect(text).toContain('Received 500; expected 200, 202 or 204');
  expect(text).not.toContain('smallest failing event');
});

test('stays within the width, except for text to copy', () => {
  const texts = [manyFailuresReport, cascadeReport, callReport].map((report) =>
    renderTerminal(report, { ...plain, width: 64 }),
  );
  const lines = texts.join('\n').split('\n');
  const wide = lines.filter((line) => columns(line) > 64 && !/rerun|https?:/.test(line));
  expect(wide).toEqual([]);
});

describe('text in columns', () => {
  test('counts wide and combining characters', () => {
    expect([columns('ab'), columns('漢字'), columns('e\u0301'), columns('😀')]).toEqual([2, 4, 1, 2]);
  });

  test('shares a narrow place by taking from the widest', () => {
    expect(fitted([4, 30, 6], 20, 2)).toEqual([4, 10, 6]);
    expect(fitted([4, 5], 20, 2)).toEqual([4, 5]);
    expect(fitted([9, 9], 4, 5)).toEqual([5, 5]);
  });

  test('is cut on a whole character', () => {
    expect([shortened('abcdef', 4), shortened('漢字漢字', 4), shortened('abcd', 4)]).toEqual(['abc…', '漢…', 'abcd']);
  });

  test('is broken at spaces, and a long word stays whole', () => {
    expect(wrapped('one two http://127.0.0.1:8080/x y', 8)).toEqual(['one two', 'http://127.0.0.1:8080/x', 'y']);
  });
});
