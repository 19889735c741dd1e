import { describe, expect, it } from 'vitest';
import { pickLogs } from '../../run/execute/pick-logs.ts';
import type { CheckResult, Exchange, LogLine } from '../../specs/generated/types.ts';

const start = Date.parse('2026-11-21T10:00:00.000Z');
const at = (ms: number) => new Date(start + ms).toISOString();
const line = (ms: number, text = `at ${ms}`): LogLine => ({ at: at(ms), stream: 'stdout', text });
const exchange = (id: string, ms: number, totalMs: number): Exchange =>
  ({ id, startedAt: at(ms), timing: { connectMs: null, firstByteMs: totalMs, totalMs } }) as Exchange;
const check = (verdict: CheckResult['verdict'], ...evidence: string[]): CheckResult =>
  ({ id: 'x', verdict, evidence }) as unknown as CheckResult;

describe('log lines of a report', () => {
  it('are complete and in order while there is room', () => {
    const lines = Array.from({ length: 2_000 }, (_, n) => line(n));
    expect(pickLogs(lines, { checks: [], exchanges: [] })).toEqual({ logs: lines, logsOmitted: 0 });
  });

  it('are those about failures, then those of the start, when there are too many', () => {
    const lines = Array.from({ length: 6_000 }, (_, n) => line(n * 10));
    const { logs, logsOmitted } = pickLogs(lines, {
      checks: [check('fail', 'ex-1', 'ex-2'), check('blocked', 'ex-3'), check('pass', 'ex-4')],
      exchanges: [exchange('ex-2', 40_000, 500), exchange('ex-3', 50_000, 5), exchange('ex-4', 59_000, 10)],
    });
    expect(logs).toHaveLength(2_000);
    expect(logsOmitted).toBe(4_000);
    const texts = new Set(logs.map(({ text }) => text));
    for (const ms of [0, 490, 39_800, 40_000, 40_500, 40_700, 50_000]) expect(texts, `at ${ms}`).toContain(`at ${ms}`);
    expect(texts).not.toContain('at 59000');
    expect(logs.map((one) => one.at)).toEqual(logs.map((one) => one.at).toSorted());
  });

  it('are about a call for its whole duration', () => {
    const lines = [...Array.from({ length: 3_000 }, (_, n) => line(n)), line(29_900, 'during the call')];
    const call = { ...exchange('call-1', 5_000, 20), call: { end: { atMs: 25_000 } } } as Exchange;
    const { logs } = pickLogs(lines, { checks: [check('fail', 'call-1')], exchanges: [call] });
    expect(logs.at(-1)?.text).toBe('during the call');
  });

  it('have a common bound, and those about failures come first there, too', () => {
    const lines = Array.from({ length: 1_000 }, (_, n) => line(n * 1_000, `${n} `.padEnd(2_000, '.')));
    const { logs, logsOmitted } = pickLogs(lines, {
      checks: [check('fail', 'ex-1')],
      exchanges: [exchange('ex-1', 999_000, 1)],
    });
    expect(logs).toHaveLength(200);
    expect(logsOmitted).toBe(800);
    expect(logs.at(-1)?.text).toMatch(/^999 /);
  });
});
