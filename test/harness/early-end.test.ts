import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { assertOpen } from '../../harness/checks/entrance.ts';
import { TimeBudget } from '../../harness/checks/time-budget.ts';
import type { Answer } from '../../harness/wire/observation.ts';
import { commonRefusal } from '../../suites/common-refusal.ts';
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

/** Milliseconds that no answer of a test takes, even on a busy machine. */
const preflightMs = 600_000;
const patient = { settings: { preflightMs }, stalledMsSince: () => 0 };

function requests(...answers: Answer[]): { sent: () => number; all: (() => Promise<{ answer: Answer }>)[] } {
  let sent = 0;
  return { sent: () => sent, all: answers.map((answer) => () => (sent++, Promise.resolve({ answer }))) };
}

describe('requests that an endpoint refuses in the same way', () => {
  it.each([401, 403, 404, 405, 410])('are recognised by the status %i of all of them', async (status) => {
    const { all } = requests(answered(status), answered(status), answered(status));
    expect(await commonRefusal(patient, all)).toBe(status);
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
    expect(await commonRefusal(patient, all.slice(0, 3))).toBeUndefined();
    expect(sent()).toBe(count);
  });

  it('are not if one got no answer', async () => {
    expect(await commonRefusal(patient, requests({ outcome: 'no-answer', afterMs: 10 }).all)).toBeUndefined();
  });

  it('are not if an answer is late, but our own delay does not count', async () => {
    vi.useFakeTimers();
    try {
      const slow = () =>
        new Promise<{ answer: Answer }>((resolve) => setTimeout(() => resolve({ answer: answered(401) }), 1_500));
      const { sent, all } = requests(answered(401));
      const settings = { preflightMs: 1_000 };
      const late = commonRefusal({ settings, stalledMsSince: () => 0 }, [slow, ...all]);
      await vi.runAllTimersAsync();
      expect(await late).toBeUndefined();
      expect(sent()).toBe(0);
      const delayed = commonRefusal({ settings, stalledMsSince: () => 600 }, [slow, ...all]);
      await vi.runAllTimersAsync();
      expect(await delayed).toBe(401);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the first request to a surface', () => {
  it('is sent once in a run, and blocks all checks if it fails', async () => {
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

  it('stays open if the endpoint cannot be reached', async () => {
    await assertOpen({}, 'own-ai-chat', () => Promise.reject(new Error('no connection')));
  });
});

describe('a stopped run', () => {
  it('gives up pending work, and starts and sends nothing more', async () => {
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
  type Surface = 'api-webhooks' | 'crm-webhook';

  async function runAt(url: string, over: Parameters<typeof settingsOf>[1], surface: Surface) {
    const config = configOf({ [surface === 'crm-webhook' ? 'crm' : 'hooks']: url });
    const { checks } = await runEngine({ settings: settingsOf(config, over), surfaces: [surface] });
    const verdictOf = (requirement: string) => checks.find((check) => check.requirement === requirement)?.verdict;
    return { checks, verdictOf };
  }

  /** Runs the checks of a surface against an endpoint with this answer. */
  async function run(
    status: (request: SmallRequest) => number,
    over: Parameters<typeof settingsOf>[1],
    surface: Surface = 'api-webhooks',
  ) {
    await using endpoint = await smallEndpoint((request) => ({ status: status(request) }));
    return { ...(await runAt(endpoint.url, over, surface)), sent: endpoint.requests.length };
  }

  it.each([
    ['api-webhooks', 'accepts-valid-signature', 'refuses-missing-signature'],
    ['crm-webhook', 'accepts-the-token', 'refuses-missing-token'],
  ] as const)(
    'sends three deliveries to a %s that refuses everything, and judges %s',
    async (surface, judged, other) => {
      // A failure of another requirement does not stop the property.
      const { checks, sent } = await run(() => 401, { preflightMs, bail: [`${surface}/${other}`] }, surface);
      expect(checks.filter(({ verdict }) => verdict === 'fail').map(({ requirement }) => requirement)).toEqual([
        `${surface}/${judged}`,
      ]);
      expect(sent).toBe(3);
      const others = checks.filter(({ verdict }) => verdict !== 'fail');
      expect(new Set(others.map(({ verdict, code }) => `${verdict} ${code}`))).toEqual(new Set(['blocked not-tried']));
    },
  );

  it('judges the delivery that stopped the endpoint for good, although it came before the checks', async () => {
    const server = createServer((request) => {
      server.close();
      request.socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const { verdictOf } = await runAt(url, { preflightMs }, 'api-webhooks');
    expect(server.listening).toBe(false);
    expect(verdictOf('api-webhooks/accepts-valid-signature')).toBe('fail');
  });

  it('with bail, stops after the first failure of one of these requirements', async () => {
    const { checks, verdictOf } = await run(() => 500, { bail: ['api-webhooks/accepts-every-event-type'] });
    expect(verdictOf('api-webhooks/accepts-every-event-type')).toBe('fail');
    expect(checks.filter(({ requirement }) => requirement === 'api-webhooks/accepts-valid-signature')).toMatchObject([
      { code: 'run-stopped' },
    ]);
  });
});
