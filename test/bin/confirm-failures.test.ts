import { describe, expect, it } from 'vitest';
import { confirmFailures, type ConfirmOptions } from '../../run/execute/confirm-failures.ts';
import { collectRun } from '../../run/collect/collect-run.ts';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Level, Verdict } from '../../specs/generated/types.ts';

type Round = Readonly<Record<string, Verdict>>;

function finished(name: string, verdict: Verdict, level: Level = 'must'): FinishedCheck {
  const requirement = name.includes('/') ? name : `own-ai-chat/${name}`;
  return {
    id: `${requirement}#x`,
    requirement,
    title: 'x',
    level,
    verdict,
    durationMs: 1,
    ...(verdict === 'fail' && {
      message: 'expected 401, received 200',
      finding: { expected: '401', received: '200' },
    }),
    evidence: [],
    samples: [],
  };
}

/** Answers each rerun with the next round, of failed checks alone or of whole surfaces. */
function replies(rounds: { alone?: Round[]; whole?: Round[] }) {
  const asked: { only: string[]; surfaces: string[] }[] = [];
  const rerun: ConfirmOptions['rerun'] = (only, surfaces) => {
    asked.push({ only, surfaces });
    const round = (only.length > 0 ? rounds.alone : rounds.whole)?.shift();
    if (!round) throw new Error(`expected no run of ${JSON.stringify({ only, surfaces })}`);
    return Promise.resolve(Object.entries(round).map(([name, verdict]) => finished(name, verdict)));
  };
  return { asked, rerun };
}

describe('confirmFailures', () => {
  it('repeats nothing where nothing failed', async () => {
    const checks = [finished('a', 'pass'), finished('b', 'blocked')];
    const { asked, rerun } = replies({});
    expect(await confirmFailures(checks, { times: 3, rerun })).toEqual(checks);
    expect(asked).toEqual([]);
  });

  it('repeats what failed, alone and nothing else, and counts the first time', async () => {
    const { asked, rerun } = replies({ alone: [{ a: 'fail' }, { a: 'pass' }, { a: 'fail' }] });
    const checks = [finished('a', 'fail'), finished('b', 'pass')];
    const confirmed = await confirmFailures(checks, { times: 3, rerun });
    expect(asked).toEqual(Array(3).fill({ only: ['own-ai-chat/a#x'], surfaces: ['own-ai-chat'] }));
    expect(confirmed).toEqual([{ ...checks[0], repeats: { failed: 3, of: 4 } }, checks[1]]);
  });

  it('drops a MUST failure that does not recur, alone or with its surface', async () => {
    const { asked, rerun } = replies({ alone: [{ a: 'pass' }], whole: [{ a: 'pass' }, { a: 'pass' }, { a: 'pass' }] });
    const [confirmed] = await confirmFailures([finished('a', 'fail')], { times: 3, rerun });
    expect(asked.map(({ only }) => only.length)).toEqual([1, 0, 0, 0]);
    expect(confirmed).toMatchObject({
      verdict: 'blocked',
      code: 'not-reproducible',
      message: 'It failed once and then passed 3 times: expected 401, received 200',
      repeats: { failed: 1, of: 4 },
    });
  });

  it('keeps a failure that recurs only with its whole surface, and alone passed or had nothing to judge', async () => {
    const both: Round = { 'crm-webhook/a': 'fail', b: 'fail', c: 'pass' };
    const { asked, rerun } = replies({
      alone: [{ 'crm-webhook/a': 'not-exercised', b: 'pass', c: 'fail' }, { c: 'fail' }],
      whole: [both, both],
    });
    const checks = [finished('crm-webhook/a', 'fail'), finished('b', 'fail'), finished('c', 'fail')];
    const confirmed = await confirmFailures(checks, { times: 2, rerun });
    expect(asked).toEqual([
      { only: checks.map(({ id }) => id), surfaces: ['crm-webhook', 'own-ai-chat'] },
      { only: [], surfaces: ['crm-webhook', 'own-ai-chat'] },
      { only: ['own-ai-chat/c#x'], surfaces: ['own-ai-chat'] },
      { only: [], surfaces: ['crm-webhook', 'own-ai-chat'] },
    ]);
    // A check that failed alone is counted, although it passed together with the others.
    expect(confirmed.map(({ verdict, repeats }) => [verdict, repeats])).toEqual(
      Array(3).fill(['fail', { failed: 3, of: 3 }]),
    );
  });

  it('keeps a failure that could not be judged again', async () => {
    const { rerun } = replies({
      alone: [{ a: 'blocked', b: 'not-exercised' }],
      whole: [{ a: 'blocked' }, { a: 'blocked', b: 'not-exercised' }],
    });
    const checks = [finished('a', 'fail'), finished('b', 'fail')];
    const confirmed = await confirmFailures(checks, { times: 2, rerun });
    expect(confirmed).toEqual(checks.map((check) => ({ ...check, repeats: { failed: 1, of: 1 } })));
  });

  it('counts only repeats that could be judged', async () => {
    const { rerun } = replies({ alone: [{ a: 'fail' }, { a: 'blocked' }, {}] });
    const [confirmed] = await confirmFailures([finished('a', 'fail')], { times: 3, rerun });
    expect(confirmed).toMatchObject({ verdict: 'fail', repeats: { failed: 2, of: 2 } });
  });

  it('does not make a run worse because of a warning or an excused failure that does not recur', async () => {
    const round: Round = { a: 'pass', b: 'pass' };
    const checks = [finished('a', 'fail', 'should'), finished('b', 'fail')];
    const plain = await confirmFailures(checks, { times: 1, ...replies({ alone: [round], whole: [round] }) });
    expect(plain.map(({ verdict, repeats }) => [verdict, repeats])).toEqual([
      ['fail', { failed: 1, of: 2 }],
      ['blocked', { failed: 1, of: 2 }],
    ]);
    const excused = await confirmFailures(checks, {
      times: 1,
      ...replies({ alone: [round], whole: [round] }),
      isDecisive: ({ level }) => level === 'should',
    });
    expect(excused.map(({ verdict }) => verdict)).toEqual(['blocked', 'fail']);
  });

  it('keeps the first run when a repeat cannot be run', async () => {
    const notes: string[] = [];
    const checks = [finished('a', 'fail')];
    const confirmed = await confirmFailures(checks, {
      times: 2,
      rerun: () => Promise.reject(new HarnessFault('engine-failed:error', { reason: 'no port' })),
      note: (line) => notes.push(line),
    });
    expect(confirmed).toEqual([{ ...checks[0], repeats: { failed: 1, of: 1 } }]);
    expect(notes).toEqual(['Re-running 1 failed check, round 1 of 2.', expect.stringContaining('no port')]);
  });

  it('keeps the result of the check alone if the run of its whole surface breaks', async () => {
    const checks = [finished('a', 'fail'), finished('b', 'fail')];
    const confirmed = await confirmFailures(checks, {
      times: 2,
      rerun: (only) =>
        only.length > 0
          ? Promise.resolve([finished('a', 'fail'), finished('b', 'pass')])
          : Promise.reject(new HarnessFault('engine-failed:error', { reason: 'no port' })),
    });
    expect(confirmed.map(({ verdict, repeats }) => [verdict, repeats])).toEqual([
      ['fail', { failed: 2, of: 2 }],
      ['fail', { failed: 1, of: 1 }],
    ]);
  });

  it('does not hide an internal error', async () => {
    const rerun = () => Promise.reject(new TypeError('a mistake'));
    await expect(confirmFailures([finished('a', 'fail')], { times: 1, rerun })).rejects.toThrow('a mistake');
  });

  it('reaches the report with counts, the first failure and the command that repeats it', async () => {
    const round: Round = { 'own-ai-chat/answers-ping': 'pass' };
    const checks = [finished('own-ai-chat/answers-ping', 'fail')];
    const confirmed = await confirmFailures(checks, { times: 1, ...replies({ alone: [round], whole: [round] }) });
    expect(collectRun(confirmed, ({ id }) => `again ${id}`).checks).toMatchObject([
      {
        verdict: 'blocked',
        code: 'not-reproducible',
        repeats: { failed: 1, of: 2 },
        expected: '401',
        message: 'It failed once and then passed when it was repeated: expected 401, received 200',
        reproduce: 'again own-ai-chat/answers-ping#x',
      },
    ]);
  });
});
