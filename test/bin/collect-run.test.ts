import { describe, expect, it } from 'vitest';
import { collectRun } from '../../bin/collect-run.ts';
import { nearest } from '../../bin/near.ts';
import { shellCommand } from '../../bin/shell-command.ts';
import type { FinishedCheck } from '../../harness/engine.ts';
import type { EvidenceRecord } from '../../harness/evidence.ts';

function record(label: string, at: number, body = '{}'): EvidenceRecord {
  return {
    kind: 'http',
    label,
    startedAt: new Date(at).toISOString(),
    request: { method: 'POST', url: 'http://127.0.0.1/', headers: [], body, bodyBytes: body.length },
    response: { status: 204, headers: [], body: '', bodyBytes: 0 },
    outcome: 'answered',
    timing: { connectMs: null, firstByteMs: 1, totalMs: 2 },
  };
}

function finished(requirement: string, rest: Partial<FinishedCheck>): FinishedCheck {
  return {
    id: `${requirement}#x`,
    requirement,
    title: 'x',
    level: 'must',
    verdict: 'pass',
    durationMs: 1.23456,
    evidence: [],
    samples: [],
    ...rest,
  };
}

describe('collectRun', () => {
  it('stores an exchange of several checks once, numbers by time and keeps the deciding one last', () => {
    const shared = record('shared', 2000);
    const { checks, exchanges } = collectRun(
      [
        finished('crm-webhook/answers-every-event', { evidence: [record('late', 3000), structuredClone(shared)] }),
        finished('crm-webhook/accepts-the-token', {
          evidence: [shared, record('early', 1000), structuredClone(shared)],
        }),
      ],
      () => '',
    );
    expect(exchanges.map(({ id, label }) => [id, label])).toEqual([
      ['ex-1', 'early'],
      ['ex-2', 'shared'],
      ['ex-3', 'late'],
    ]);
    // In the catalogue's order, whichever ended first.
    expect(checks.map(({ requirement, evidence }) => [requirement, evidence])).toEqual([
      ['crm-webhook/accepts-the-token', ['ex-1', 'ex-2']],
      ['crm-webhook/answers-every-event', ['ex-3', 'ex-2']],
    ]);
  });

  it('keeps apart what only looks alike', () => {
    const evidence = [
      record('same', 1000, '{"a":1}'),
      record('same', 1000, '{"a":2}'),
      record('same', 1001, '{"a":1}'),
    ];
    expect(collectRun([finished('crm-webhook/accepts-the-token', { evidence })], () => '').exchanges).toHaveLength(3);
  });

  it('groups samples by name', () => {
    const sample = (name: string, ms: number) => ({ name, limit: 2000, ms });
    const { timings } = collectRun(
      [
        finished('crm-webhook/accepts-the-token', { samples: [sample('a', 1.239), sample('b', 2)] }),
        finished('crm-webhook/answers-every-event', { samples: [sample('a', 3)] }),
      ],
      () => '',
    );
    expect(timings).toEqual([
      { name: 'a', unit: 'ms', limit: 2000, samples: [1.24, 3] },
      { name: 'b', unit: 'ms', limit: 2000, samples: [2] },
    ]);
  });

  it('tells how to repeat what failed or was blocked, and only that', () => {
    const verdicts = ['pass', 'fail', 'blocked', 'not-exercised'] as const;
    const run = verdicts.map((verdict) => finished('crm-webhook/accepts-the-token', { id: verdict, verdict }));
    const { checks } = collectRun(run, ({ id }) => `again ${id}`);
    expect(Object.fromEntries(checks.map(({ id, reproduce }) => [id, reproduce]))).toEqual({
      pass: undefined,
      fail: 'again fail',
      blocked: 'again blocked',
      'not-exercised': undefined,
    });
  });
});

it('shellCommand quotes what a shell would read', () => {
  expect(shellCommand(['a', '--only', 'x/y#z', "it's", '$HOME', ''])).toBe(`a --only 'x/y#z' 'it'\\''s' '$HOME' ''`);
});

it('nearest finds slips and parts, and nothing for what is far away', () => {
  const names = ['crm-webhook', 'api-webhooks', 'own-ai-chat'];
  expect(nearest('crm-webhok', names)[0]).toBe('crm-webhook');
  expect(nearest('chat', names)).toEqual(['own-ai-chat']);
  expect(nearest('zzzzzzzz', names)).toEqual([]);
});
