import { describe, expect, test } from 'vitest';
import { applyGate, type GateOptions } from '../../reports/model/apply-gate.ts';
import { buildReport } from '../../reports/model/build-report.ts';
import { renderTerminal } from '../../reports/write/terminal/render-terminal.ts';
import { verdictReason } from '../../reports/text/wording.ts';
import type { Report, Verdict } from '../../specs/generated/types.ts';
import { idOf, reportOf } from './sample-gates.ts';
import {
  cascadeReport,
  cascadeRun,
  cleanReport,
  hostileReport,
  hostileText,
  oneFailureReport,
} from './sample-report.ts';

const plain = { colour: false, width: 100 };
const options: GateOptions = { failOn: 'must', today: '2026-10-12' };

function shown(report: Report, gate: Partial<GateOptions> = {}): string {
  return renderTerminal(applyGate(report, { ...options, ...gate }), plain);
}

const report = reportOf({
  fresh: 'fail',
  known: 'fail',
  waived: 'fail',
  fixed: 'pass',
  unseen: 'not-exercised',
  stale: 'pass',
});
const baseline = reportOf(
  { fresh: 'pass', known: 'fail', waived: 'pass', fixed: 'fail', unseen: 'fail', stale: 'pass' },
  { run: { version: '0.0.9' } },
);
const waivers = ['waived', 'stale'].map((name) => ({
  requirement: idOf(name),
  reason: 'Ticket 12.',
  until: '2026-12-31',
}));

describe('a gate', () => {
  test('reads as its golden file', async () => {
    await expect(shown(report, { baseline, waivers })).toMatchFileSnapshot('golden/gate.txt');
  });

  test('lists excused failures separately and briefly, after the others', () => {
    const text = shown(report, { baseline, waivers });
    const places = ['Failures (1)', 'Waived or known failures (2)', 'Compared with the baseline'];
    expect(places.map((title) => text.indexOf(title))).toEqual(
      places.map((title) => text.indexOf(title)).toSorted((a, b) => a - b),
    );
    expect(text).toContain('    gate        fails now, did not fail in the baseline\n');
    expect(text).toContain('    gate        waived until 2026-12-31 (Ticket 12.)\n');
  });

  test('that passes is shown after the unchanged verdict', () => {
    const text = shown(report, { baseline: report });
    expect(text).toContain(
      '\nNON-CONFORMANT  3 MUST requirements failed.\nGATE PASSED  No new MUST requirement failed (3 known).\nJudged 5 of 6 observable requirements.\n4.2 s, seed 42\n',
    );
  });

  test('that does not pass shows each reason', () => {
    const text = shown(report, { baseline, waivers });
    expect(text).toContain(
      '\nGATE FAILED\n  1 requirement failed that did not fail in the baseline: own-ai-chat/fresh (passed there).\n  own-ai-chat/stale passes, but a waiver still excuses it: remove the waiver.\n',
    );
    expect(shown(reportOf({ a: 'fail', b: 'pass' }))).toContain(
      '\nGATE FAILED  1 MUST requirement failed: own-ai-chat/a.\n',
    );
  });

  test('that passes while a should newly fails does not say that nothing new fails', () => {
    const should = (verdict: Verdict) => reportOf({ a: 'pass', s: { level: 'should', verdict } });
    const musts = shown(should('fail'), { baseline: should('pass') });
    expect(musts).toContain('GATE PASSED  No new MUST requirement failed.\n');
    const both = shown(should('fail'), { baseline: should('fail'), failOn: 'should' });
    expect(both).toContain('GATE PASSED  No new MUST or SHOULD requirement failed (1 known).\n');
  });

  test('lists a should that fails the run with the failures, and not as a warning', () => {
    const text = shown(reportOf({ a: { level: 'should', verdict: 'fail' }, b: 'pass' }), { failOn: 'should' });
    expect(text).toContain('Failures (1 cause)\n\n! fail of own-ai-chat/a\n');
    expect(text).not.toContain('Warnings (');
  });

  test('shows an excused failure of which a part was blocked with what could not be judged', () => {
    const partly = reportOf({ a: { checks: { x: 'fail', y: 'blocked' } }, b: 'pass' });
    const checks = partly.checks.map((check) =>
      check.verdict === 'blocked' ? { ...check, hint: 'Start it.' } : check,
    );
    const text = shown({ ...partly, checks }, { baseline: reportOf({ a: 'fail' }) });
    expect(text).toContain(
      [
        'Could not be judged in part (1)\n',
        '? own-ai-chat/a  must, interface section "Some section"',
        '    Part of it could not be judged, which no waiver or baseline covers: blocked of own-ai-chat/a',
        '    hint        Start it.',
        '    excused     fail of own-ai-chat/a',
        '    gate        fails now and in the baseline\n',
      ].join('\n'),
    );
    expect(text).not.toContain('Excused:');
  });

  test('shows waived advice', () => {
    const advised = reportOf({ a: 'pass', waived: { level: 'advice', verdict: 'fail' } });
    const text = shown(advised, { waivers: waivers.slice(0, 1) });
    expect(text).toContain('Waived or known failures (1)\n\ni own-ai-chat/waived');
  });

  test('shows excused failures with one ellipsis at most', () => {
    const message = `${'long '.repeat(30)}${'w'.repeat(99)} ${'long '.repeat(60)}`;
    for (const width of [60, 61, 62, 63, 64, 65, 80, 99, 100]) {
      const failing = applyGate(reportOf({ a: { verdict: 'fail', message }, b: 'pass' }), {
        ...options,
        waivers: [{ requirement: idOf('a'), reason: 'x', until: '2026-12-31' }],
      });
      const text = renderTerminal(failing, { colour: false, width });
      expect(text).toContain('…');
      expect(text).not.toMatch(/…\s*…/);
    }
  });

  test('without baseline and waivers that passes shows what it checked', () => {
    expect(shown(reportOf({ a: 'pass' }))).toContain('\nGATE PASSED  No MUST requirement failed.\n');
    expect(shown(reportOf({ a: 'pass' }), { failOn: 'should' })).toContain(
      'GATE PASSED  No MUST or SHOULD requirement failed.\n',
    );
  });

  test('against a baseline in which nothing failed says so', () => {
    const clean = reportOf({ a: 'pass' });
    expect(shown(clean, { baseline: clean })).toContain('\nNo failure that counts, in the baseline or now.\n');
  });

  test('does not hide a new failure behind a known one with the same answer', () => {
    const [lead] = cascadeReport.requirements;
    if (!lead) throw new Error('expected a requirement');
    const fixed = cascadeRun.checks.map((check) =>
      check.requirement === lead.id ? check : { ...check, verdict: 'pass' as const },
    );
    const before = buildReport({ ...cascadeRun, checks: fixed });
    const text = shown(cascadeReport, { baseline: before });
    expect(text).toMatch(
      /requirement crm-webhook\/answers-every-event .*\n(?: .*\n)* {4}also fails .*\n.*accepts-null-members$/m,
    );
    expect(text.indexOf('crm-webhook/answers-every-event')).toBeLessThan(text.indexOf('Waived or known failures'));
    expect(text.indexOf(`\n✗ ${lead.id}`)).toBeGreaterThan(text.indexOf('Waived or known failures'));
  });

  test('names a dozen of a kind and counts the others', () => {
    const rows = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`r${at}`, 'fail' as const]));
    const many = reportOf({ ...rows, b: 'pass' });
    expect(shown(many, { baseline: many })).toContain('    own-ai-chat/r11\n    and 8 more in the report\n');
  });

  test('shows no outside string that affects the terminal', () => {
    const before = buildReport({ ...cascadeRun, protocol: hostileText, version: hostileText });
    const text = shown(hostileReport, {
      baseline: before,
      waivers: [{ requirement: hostileText, reason: hostileText, until: '2026-12-31' }],
    });
    // eslint-disable-next-line no-control-regex -- it matches control characters
    const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;
    expect(text).not.toMatch(acting);
    expect(text).toContain('⟨U+001B⟩');
  });
});

describe('a run', () => {
  test.each([
    [
      ['not-reproducible'],
      '1 requirement could not be judged, because it failed once and did not fail again when rerun.',
    ],
    [
      ['not-reproducible', 'not-reproducible'],
      '2 requirements could not be judged, because they failed once and did not fail again when rerun.',
    ],
    [['engine-failed'], '1 requirement could not be judged, because an earlier step failed.'],
    [
      ['proxy-delay', 'proxy-delay'],
      '2 requirements could not be judged, because the proxy may have added the time that exceeded a limit.',
    ],
    [
      ['own-delay', 'proxy-delay'],
      '2 requirements could not be judged, because the proxy or svc-conform may have added the time that exceeded a limit.',
    ],
    [
      ['not-reproducible', 'engine-failed', undefined],
      '3 requirements could not be judged, 1 because it failed once and did not fail again when rerun, the others because an earlier step failed.',
    ],
  ])('that is incomplete says why, by the codes %j', (codes, words) => {
    const incomplete = reportOf(Object.fromEntries(codes.map((_, at) => [`r${at}`, 'blocked' as const])));
    const checks = incomplete.checks.map((check, at) => ({ ...check, ...(codes[at] && { code: codes[at] }) }));
    expect(verdictReason({ ...incomplete, checks })).toBe(words);
  });

  test.each([
    [{ failed: 4, of: 4 }, 'always (4 of 4)'],
    [{ failed: 3, of: 4 }, '3 of 4 times'],
    [{ failed: 1, of: 1 }, 'once; the rerun could not be judged'],
  ])('shows how often a failure came: %j', (repeats, words) => {
    const checks = oneFailureReport.checks.map((check) => ({ ...check, repeats }));
    expect(renderTerminal({ ...oneFailureReport, checks }, plain)).toContain(`\n    failed      ${words}\n`);
  });

  test('shows its shard, its container and its stand-ins', () => {
    const line = { at: '2026-10-12T09:30:01.000Z', stream: 'stdout' as const, text: 'x' };
    const text = renderTerminal(
      {
        ...cleanReport,
        selection: { shard: { index: 1, of: 4 } },
        container: { image: 'a.example/crm:1', digest: 'sha256:ab' },
        logs: [line, line],
        logsOmitted: 3,
        anonymized: true,
      },
      plain,
    );
    expect(text).toContain('\nThis is shard 1 of 4; svc-conform report merge combines all shards.\n');
    expect(text).toContain('\nThe image a.example/crm:1 (sha256:ab) was started for this run and wrote 5 lines.\n');
    expect(text).toContain('\nHosts, phone numbers, names, addresses and ids are placeholders.\n');
    const started = { ...cleanReport, start: { command: 'node server.js', instances: 2 }, logs: [line] };
    expect(renderTerminal(started, plain)).toContain(
      '\n2 instances of the endpoint were started with node server.js for this run and wrote 1 line.\n',
    );
  });
});
