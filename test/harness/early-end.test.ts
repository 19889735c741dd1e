import { describe, expect, it, vi } from 'vitest';
import { assertOpen } from '../../harness/checks/entrance.ts';
import { TimeBudget } from '../../harness/checks/time-budget.ts';
import type { Answer } from '../../harness/wire/observation.ts';
import { refusedAlike } from '../../suites/refused-alike.ts';
import { smallEndpoint, type SmallRequest } from '../bin/small-endpoint.ts';
import { runEngine } from './engine/run-engine.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

const answered = (status: number): Answer => ({
  outcome: 'answered',
  status,
  headers: [],
  body: new Uint8Array(),
  bodyBytes: 0,
  truncated: false,
});

function requests(...answers: Answer[]): { sent: () => number; all: (() => Promise<{ answer: Answer }>)[] } {
  let sent = 0;
  return { sent: () => sent, all: answers.map((answer) => () => (sent++, Promise.resolve({ answer }))) };
}

describe('requests that an endpoint refuses alike', () => {
  it.each([401, 403, 404, 405, 410])('are recognised by the status %i of all of them', async (status) => {
    expect(await refusedAlike(requests(answered(status), answered(status), answered(status)).all)).toBe(status);
  });

  it.each([
    ['the first is accepted', [204], 1],
    ['the second is accepted', [401, 204], 2],
    ['the forged one is refused in another way', [403, 403, 401], 3],
    ['the content of an event may be the reason', [400], 1],
    ['the rate is limited', [429], 1],
    ['the endpoint fails', [500], 1],
  ])('are not if %s, and no further one is sent', async (_, statuses, count) => {
    const { sent, all } = requests(...statuses.map(answered), answered(401), answered(401));
    expect(await refusedAlike(all.slice(0, 3))).toBeUndefined();
    expect(sent()).toBe(count);
  });

  it('are not if one got no answer', async () => {
    expect(await refusedAlike(requests({ outcome: 'no-answer', afterMs: 10 }).all)).toBeUndefined();
  });
});

describe('the entrance of a surface', () => {
  it('is tried once in a run, and closes it to all checks', async () => {
    const session = {};
    let tries = 0;
    const refuse = () => Promise.resolve((tries++, 401));
    for (let check = 0; check < 2; check++) {
      await expect(assertOpen(session, 'own-ai-chat', refuse)).rejects.toMatchObject({ code: 'not-tried' });
    }
    expect(tries).toBe(1);
    await assertOpen(session, 'crm-webhook', () => Promise.resolve(undefined));
    await assertOpen({}, 'own-ai-chat', () => Promise.resolve(undefined));
  });

  it('stays open if the endpoint cannot be reached, or does not answer soon', async () => {
    await assertOpen({}, 'own-ai-chat', () => Promise.reject(new Error('no connection')));
    vi.useFakeTimers();
    try {
      const opened = assertOpen({}, 'own-ai-chat', () => Promise.withResolvers<number>().promise);
      await vi.runAllTimersAsync();
      await opened;
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('a stopped run', () => {
  it('gives up what is under way, and starts and sends nothing more', async () => {
    const budget = new TimeBudget({ budgetMs: undefined, surfaces: ['crm-webhook'] });
    budget.assertLeft(undefined);
    const waiting = budget.unlessEnded(() => Promise.withResolvers<string>().promise);
    budget.stop();
    const stopped = { code: 'run-stopped' };
    await expect(waiting).rejects.toMatchObject(stopped);
    await expect(budget.unlessEnded(() => Promise.resolve('more'))).rejects.toMatchObject(stopped);
    expect(() => budget.assertLeft(undefined)).toThrow(expect.objectContaining(stopped) as Error);
  });
});

describe('a run of the suites', () => {
  /** Runs the checks of the API webhooks against an endpoint with this answer. */
  async function run(status: (request: SmallRequest) => number, over: Parameters<typeof settingsOf>[1]) {
    await using endpoint = await smallEndpoint((request) => ({ status: status(request) }));
    const config = configOf({ hooks: endpoint.url });
    const { checks } = await runEngine({ settings: settingsOf(config, over), surfaces: ['api-webhooks'] });
    const verdictOf = (requirement: string) => checks.find((check) => check.requirement === requirement)?.verdict;
    return { checks, verdictOf, sent: endpoint.requests.length };
  }

  it('sends three deliveries to an endpoint that refuses everything, and judges that a valid one is refused', async () => {
    // A failure of another requirement stops nothing.
    const bail = ['api-webhooks/refuses-missing-signature'];
    const { checks, sent } = await run(() => 401, { preflight: true, bail });
    expect(checks.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement)).toEqual([
      'api-webhooks/accepts-valid-signature',
    ]);
    expect(sent).toBe(3);
    const others = checks.filter(({ verdict }) => verdict !== 'fail');
    expect(new Set(others.map(({ verdict, code }) => `${verdict} ${code}`))).toEqual(new Set(['blocked not-tried']));
  });

  it('with bail, stops after the first failure of one of these requirements', async () => {
    const { checks, verdictOf } = await run(() => 500, { bail: ['api-webhooks/accepts-every-event-type'] });
    expect(verdictOf('api-webhooks/accepts-every-event-type')).toBe('fail');
    expect(checks.filter(({ requirement }) => requirement === 'api-webhooks/accepts-valid-signature')).toMatchObject([
      { code: 'run-stopped' },
    ]);
  });
});
