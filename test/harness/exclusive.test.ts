import { describe, expect, it } from 'vitest';
import { CheckRecord, withRecord } from '../../harness/checks/check-record.ts';
import { runExclusively, type Exclusivity } from '../../harness/checks/exclusive.ts';
import { HarnessFault, NotExercised } from '../../harness/checks/faults.ts';
import { FindingError } from '../../harness/checks/finding.ts';
import type { Session } from '../../harness/checks/session.ts';
import { expect as expectAnswer } from '../../suites/matchers/expect.ts';
import { answered, exchange } from '../suites/made-observations.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

const chatUrl = 'http://127.0.0.1:9/chat';
const late = new FindingError({ expected: 'an answer within 2000 ms', received: 'one after 2100 ms' });

const stop = new FindingError({ expected: 'an answer', received: 'a stop', stopped: true });

/** An answer after so many milliseconds, with a limit of two seconds. */
const answeredAfter = (totalMs: number) =>
  exchange(answered(200), { limitMs: 2_000, times: { connectMs: 1, firstByteMs: totalMs, totalMs, lagMs: 0 } });

/** A session that notes what has no traffic meanwhile. */
function notingSession() {
  const log: string[] = [];
  const noting = async <T>(what: string, run: () => Promise<T>) => {
    log.push(what);
    return await run();
  };
  const session = {
    settings: settingsOf(configOf({ chat: chatUrl })),
    alone: <T>(run: () => Promise<T>) => noting('no address', run),
    aloneAt: <T>(url: string, run: () => Promise<T>) => noting(url, run),
  } as unknown as Session;
  return { session, log };
}

/** Runs a check of the chat that ends in this way the first time, and passes afterwards. */
async function runOnce(
  alone: Exclusivity,
  first?: Error,
  { surface = 'own-ai-chat', restarting = undefined as Session['restarting'] } = {},
) {
  const { session, log } = notingSession();
  Object.assign(session, { restarting });
  const record = new CheckRecord();
  record.samples.push({ name: 'earlier', limit: 1, ms: 1 });
  let times = 0;
  const result = runExclusively(session, { record, surface, alone }, () => {
    expect(record).toMatchObject({ alone: true, othersHaveTraffic: log.at(-1) === chatUrl });
    times++;
    record.judged++;
    record.samples.push({ name: `${times}`, limit: 1, ms: 1 });
    if (times > 1 || !first) return Promise.resolve(times);
    if (first instanceof FindingError) record.finding = first.finding;
    return Promise.reject(first);
  });
  const ended = await result.catch((error: unknown) => error);
  expect(record.alone).toBe(false);
  return { ended, log, record };
}

describe('a check without other traffic', () => {
  it.each<[Exclusivity, string[]]>([
    [true, ['no address']],
    ['surface', [chatUrl]],
    ['surface-first', [chatUrl]],
  ])('runs once if it passes: %s', async (alone, expected) => {
    const { ended, log } = await runOnce(alone);
    expect(ended).toBe(1);
    expect(log).toEqual(expected);
  });

  it.each(['surface', 'surface-first'] as const)(
    'has no address to itself if its surface has none: %s',
    async (alone) => {
      expect((await runOnce(alone, undefined, { surface: 'deep-links' })).log).toEqual(['no address']);
    },
  );

  it('fails for good where other surfaces cannot be the reason', async () => {
    for (const alone of [true, 'surface'] as const) {
      const { ended, record } = await runOnce(alone, late);
      expect(ended).toBe(late);
      expect(record.finding).toBe(late.finding);
    }
  });

  it.each([
    ['is late', late],
    ['cannot be timed for our own delay', new HarnessFault('own-delay', { ms: 1990, limitMs: 2000, lagMs: 30 })],
    ['shows nothing, perhaps for our traffic', new NotExercised('2 of 5 were refused.', { mayBeOfTraffic: true })],
  ])('is repeated with no traffic at all if it %s, and forgets the time before', async (_, error) => {
    const { ended, log, record } = await runOnce('surface-first', error);
    expect(ended).toBe(2);
    expect(log).toEqual([chatUrl, 'no address']);
    expect(record.confirms).toBe(false);
    expect(record.finding).toBeUndefined();
    expect(record.judged).toBe(1);
    expect(record.samples.map(({ name }) => name)).toEqual(['earlier', '2']);
  });

  it.each([
    ['shows nothing', new NotExercised('The endpoint closes the connection.')],
    ['finds that the endpoint stopped', stop],
    ['has no time left', new HarnessFault('budget-used', { seconds: 1, suggested: 2 })],
  ])('is not repeated if it %s', async (_, error) => {
    const { ended, log } = await runOnce('surface-first', error);
    expect(ended).toBe(error);
    expect(log).toEqual([chatUrl]);
  });

  it.each(['surface', 'surface-first'] as const)(
    'is repeated if the endpoint stopped and is started again, perhaps for another surface: %s',
    async (alone) => {
      const { ended, log } = await runOnce(alone, stop, { restarting: {} as Session['restarting'] });
      expect(ended).toBe(2);
      expect(log).toEqual([chatUrl, 'no address']);
    },
  );

  it('is repeated after a failed matcher, and forgets what the first attempt judged', async () => {
    const { session, log } = notingSession();
    const record = new CheckRecord();
    const answers = [answeredAfter(2_500), answeredAfter(100)];
    await withRecord(record, () =>
      runExclusively(session, { record, surface: 'own-ai-chat', alone: 'surface-first' }, () => {
        expectAnswer(answers.shift() ?? answeredAfter(2_500)).toBeInTime();
        return Promise.resolve();
      }),
    );
    expect(log).toEqual([chatUrl, 'no address']);
    expect(record.judged).toBe(1);
    expect(record.evidence).toHaveLength(1);
  });

  it('keeps no time over the limit among other traffic', async () => {
    const { session } = notingSession();
    const record = new CheckRecord();
    await runExclusively(session, { record, surface: 'own-ai-chat', alone: 'surface-first' }, () => {
      record.samples.push({ name: 'late', limit: 1, ms: 2 }, { name: 'in time', limit: 2, ms: 2 });
      return Promise.resolve();
    });
    expect(record.samples.map(({ name }) => name)).toEqual(['in time']);
  });
});
