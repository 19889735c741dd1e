import { describe, expect, test } from 'vitest';
import { applyGate } from '../../reports/model/apply-gate.ts';
import { baselineNotes, comparisonNotes } from '../../reports/text/comparison-notes.ts';
import type { Report } from '../../specs/generated/types.ts';
import { idOf, reportOf } from './sample-gates.ts';

const names = { before: 'the first report', after: 'the second' };

function at(url: string, rest: Partial<Report> = {}): Report {
  return { ...reportOf({ a: 'pass' }), target: { 'own-ai-chat': { url } }, ...rest };
}

describe('a note about two reports that are hard to compare', () => {
  test('does not exist for the same target', () => {
    const report = reportOf({ a: 'fail', b: 'pass' });
    expect(comparisonNotes(report, reportOf({ a: 'pass', b: 'fail' }), names)).toEqual([]);
    expect(baselineNotes(report, report)).toEqual([]);
  });

  test('is another target', () => {
    expect(comparisonNotes(at('https://a.example/chat'), at('https://b.example/chat'), names)).toEqual([
      'The target of own-ai-chat differs: https://a.example/chat in the first report, https://b.example/chat in the second.',
    ]);
  });

  test.each([
    ['http://127.0.0.1:8080/chat', 'http://localhost:41234/chat'],
    ['ws://[::1]/chat', 'ws://127.0.0.1:9/chat'],
    ['http://localhost:8080', 'http://localhost:8081'],
  ])('is not the port of this machine: %s and %s', (before, after) => {
    expect(comparisonNotes(at(before), at(after), names)).toEqual([]);
  });

  test.each([
    ['http://localhost:8080/chat', 'http://localhost:8080/other'],
    ['http://localhost:8080/chat', 'http://localhost.example:8080/chat'],
    ['http://127.0.0.1.example/chat', 'http://127.0.0.1/chat'],
    ['http://127.0.0.1.example/chat', 'http://localhost.example/chat'],
  ])('is another path or host: %s and %s', (before, after) => {
    expect(comparisonNotes(at(before), at(after), names)).toHaveLength(1);
  });

  test('is not about the placeholder of a host', () => {
    const [real, standIn] = [at('https://a.example/chat'), at('https://host-1.example/chat', { anonymized: true })];
    expect([...comparisonNotes(real, standIn, names), ...comparisonNotes(standIn, real, names)]).toEqual([]);
  });

  test('is another protocol or version', () => {
    const other = at('https://a.example/chat', {
      protocol: '2027-01-01',
      harness: { name: 'svc-conform', version: '0.2.0' },
    });
    expect(comparisonNotes(at('https://a.example/chat'), other, names)).toEqual([
      'The first report was made with protocol 2026-10-11, the second with 2027-01-01.',
      'The first report was made by version 0.1.0, the second by 0.2.0: checks may have been added or changed.',
    ]);
  });

  test('is a surface that only one of them judged', () => {
    const both = reportOf({ a: 'fail', 'crm-webhook/b': 'pass' });
    const one = reportOf({ a: 'fail', 'crm-webhook/b': {} }, { run: { configured: ['own-ai-chat'] } });
    expect(baselineNotes(one, both)).toEqual([
      'No requirement of crm-webhook was judged in the baseline: its failures count as new.',
    ]);
    expect(baselineNotes(both, one)).toEqual(['No requirement of crm-webhook was judged in this run.']);
  });

  test('is a level that changed under a failure', () => {
    const [before, after] = (['should', 'must'] as const).map((level) => reportOf({ a: { level, verdict: 'fail' } }));
    if (!before || !after) throw new Error('expected two reports');
    expect(comparisonNotes(before, after, names)).toEqual(['The level of own-ai-chat/a changed from should to must.']);
  });
});

describe('a baseline may excuse more than it seems', () => {
  test('because it is partial', () => {
    const part = reportOf({ a: 'fail' }, { selection: { only: [idOf('a')], shard: { index: 2, of: 4 } } });
    expect(baselineNotes(part, reportOf({ a: 'fail' }))).toEqual([
      'The baseline is partial: only these requirements were run: own-ai-chat/a.',
      'The baseline is partial: this is shard 2 of 4; svc-conform report merge combines all shards.',
    ]);
  });

  test('because its own gate failed', () => {
    const options = { failOn: 'must', today: '2026-10-12' } as const;
    const chained = applyGate(reportOf({ a: 'fail', b: 'fail', c: 'pass' }), {
      ...options,
      baseline: reportOf({ a: 'pass', b: 'fail', c: 'pass' }),
    });
    expect(baselineNotes(chained, reportOf({ a: 'fail', b: 'fail', c: 'pass' }))).toEqual([
      '1 known failure failed the gate of the baseline as new: own-ai-chat/a.',
    ]);
    const passed = applyGate(reportOf({ b: 'fail', c: 'pass' }), {
      ...options,
      baseline: reportOf({ b: 'fail', c: 'pass' }),
    });
    expect(baselineNotes(passed, reportOf({ b: 'fail', c: 'pass' }))).toEqual([]);
  });

  test('because another check of the requirement fails now', () => {
    const before = reportOf({ a: { checks: { one: 'fail', two: 'pass', three: 'not-exercised' } } });
    const after = reportOf({ a: { checks: { one: 'pass', two: 'fail', three: 'fail' } } });
    expect(baselineNotes(before, after)).toEqual([
      'own-ai-chat/a is a known failure, but checks that passed in the baseline fail now: two.',
    ]);
  });
});
