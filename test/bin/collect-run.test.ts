import { describe, expect, it } from 'vitest';
import { collectRun } from '../../run/collect/collect-run.ts';
import { nearest } from '../../specs/nearest.ts';
import { shellCommand } from '../../run/plan/shell-command.ts';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import type { EvidenceRecord } from '../../harness/checks/evidence.ts';
import type { CallRecord } from '../../specs/generated/types.ts';

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
    // In the order of the catalogue, not of their ends.
    expect(checks.map(({ requirement, evidence }) => [requirement, evidence])).toEqual([
      ['crm-webhook/accepts-the-token', ['ex-1', 'ex-2']],
      ['crm-webhook/answers-every-event', ['ex-3', 'ex-2']],
    ]);
  });

  it('keeps exchanges apart that only look alike', () => {
    const evidence = [
      record('same', 1000, '{"a":1}'),
      record('same', 1000, '{"a":2}'),
      record('same', 1001, '{"a":1}'),
    ];
    expect(collectRun([finished('crm-webhook/accepts-the-token', { evidence })], () => '').exchanges).toHaveLength(3);
  });

  describe('of one call that several checks saw', () => {
    const call = (places: readonly number[], total: number, rest: Partial<CallRecord> = {}): EvidenceRecord => ({
      ...record('a call', 1000, ''),
      kind: 'call',
      call: {
        callId: 'call-1',
        frames: places.map((n) => ({ n, from: 'ai', atMs: n, text: `${n} of ${total}`, bytes: 9 })),
        framesOmitted: total - places.length,
        ...rest,
      },
    });
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
    const broken = (frame: number) => ({ expected: 'silence', received: 'speech', frame });
    const end = { by: 'ai', atMs: 9, code: 1000, reason: '', clean: true } as const;
    const [first, second, third] = ['accepts-the-token', 'answers-every-event', 'unknown-event-name-204'].map(
      (slug) => `crm-webhook/${slug}`,
    ) as [string, string, string];

    it('keeps the most complete exchange, and the frames around each break', () => {
      const { checks, exchanges } = collectRun(
        [
          finished(first, { verdict: 'fail', finding: broken(300), evidence: [call(range(250, 400), 400)] }),
          finished(second, { evidence: [record('early', 1), call(range(0, 100), 100)] }),
          finished(third, { verdict: 'fail', finding: broken(995), evidence: [call(range(900, 1000), 1000, { end })] }),
        ],
        () => '',
      );
      expect(exchanges.map(({ id, kind }) => [id, kind])).toEqual([
        ['ex-1', 'http'],
        ['ex-2', 'call'],
      ]);
      const shown = exchanges[1]?.call;
      expect(shown?.frames.map(({ n }) => n)).toEqual([...range(280, 321), ...range(900, 1000)]);
      expect(shown?.frames.at(-1)?.text).toBe('999 of 1000');
      expect(shown).toMatchObject({ framesOmitted: 1000 - 141, end });
      expect(checks.map(({ brokeAt, evidence }) => [brokeAt, evidence.at(-1)])).toEqual([
        [{ exchange: 'ex-2', frame: 300 }, 'ex-2'],
        [undefined, 'ex-2'],
        [{ exchange: 'ex-2', frame: 995 }, 'ex-2'],
      ]);
    });

    it('prefers the copy that saw the end, and the longest text of the frame that broke', () => {
      const cut = call([0], 1, { end });
      const whole = call([0], 1, { frames: [{ n: 0, from: 'ai', atMs: 0, text: 'x'.repeat(500), bytes: 900 }] });
      const run = [
        finished(first, { verdict: 'fail', finding: broken(0), evidence: [whole] }),
        finished(second, { evidence: [cut] }),
      ];
      for (const checks of [run, run.toReversed()]) {
        const [merged] = collectRun(checks, () => '').exchanges;
        expect(merged?.call?.end).toEqual(end);
        expect(merged?.call?.frames[0]?.text).toHaveLength(500);
      }
    });

    it('keeps apart calls of another time, label or id', () => {
      const evidence = [
        call([0], 1),
        { ...call([0], 1), label: 'another' },
        { ...call([0], 1), startedAt: new Date(1001).toISOString() },
        call([0], 1, { callId: 'call-2' }),
      ];
      expect(collectRun([finished(first, { evidence })], () => '').exchanges).toHaveLength(4);
    });

    it('names no frame where the deciding exchange shows none', () => {
      const run = [
        finished(first, { verdict: 'fail', finding: broken(7), evidence: [call([0, 1], 2)] }),
        finished(second, { verdict: 'fail', finding: broken(0), evidence: [call([0], 1), record('last', 2)] }),
      ];
      expect(collectRun(run, () => '').checks.filter(({ brokeAt }) => brokeAt)).toEqual([]);
    });
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

  it('prints how to repeat what failed or was blocked, and nothing else', () => {
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

it('nearest finds typos and parts of names, and nothing for a distant word', () => {
  const names = ['crm-webhook', 'api-webhooks', 'own-ai-chat'];
  expect(nearest('crm-webhok', names)[0]).toBe('crm-webhook');
  expect(nearest('chat', names)).toEqual(['own-ai-chat']);
  expect(nearest('zzzzzzzz', names)).toEqual([]);
});
