import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { assertWatchable } from '../../bin/watch.ts';
import { withoutTraffic } from '../../harness/wire/traffic-counts.ts';
import type { ProxyAddress } from '../../harness/wire/route.ts';
import { untilAnswerChanges } from '../../run/watch/until-answer-changes.ts';
import { accepts, untilReturned } from '../../run/watch/until-returned.ts';
import { isDue, watchChoice } from '../../run/watch/watch-choice.ts';
import type { Report } from '../../specs/generated/types.ts';
import { configOf } from '../harness/settings-for-tests.ts';

type Judged = readonly (readonly [id: string, verdict: string, source?: string])[];
const report = (checks: Judged) =>
  ({ checks: checks.map(([id, verdict, source]) => ({ id, verdict, source })) }) as unknown as Report;

describe('--watch', () => {
  it.each([
    [
      'what failed',
      [
        ['a', 'fail'],
        ['b', 'blocked'],
        ['c', 'pass'],
      ],
      undefined,
      ['a'],
      false,
    ],
    ['everything, if only a whole run shows what failed', [['a', 'fail', 'observed']], undefined, [], false],
    [
      'everything, once only that is left',
      [
        ['a', 'fail'],
        ['b', 'fail', 'observed'],
      ],
      [['a', 'pass']],
      [],
      false,
    ],
    ['what failed, if it shows nothing now', [['a', 'fail']], [['a', 'not-exercised']], ['a'], false],
    [
      'all that failed, while something still fails',
      [
        ['a', 'fail'],
        ['b', 'fail'],
      ],
      [
        ['a', 'fail'],
        ['b', 'pass'],
      ],
      ['a', 'b'],
      false,
    ],
    [
      'everything, if something was not judged',
      [
        ['a', 'fail'],
        ['b', 'blocked'],
      ],
      [['a', 'pass']],
      [],
      false,
    ],
    [
      'what failed at first, when it passes',
      [
        ['a', 'fail'],
        ['b', 'pass'],
      ],
      [['a', 'pass']],
      ['a'],
      true,
    ],
    ['everything, if all passed', [['a', 'pass']], undefined, [], true],
  ] as const)('re-runs %s', (_, checks, again, only, isFixed) => {
    const first = report(checks);
    expect(watchChoice(first, again ? report(again as Judged) : first)).toEqual({ only, isFixed });
  });

  it('runs everything without waiting, once what failed passes and something was not judged', () => {
    const first = report([
      ['a', 'fail'],
      ['b', 'blocked'],
    ]);
    expect(isDue(first, report([['a', 'pass']]))).toBe(true);
    expect(isDue(first, report([['a', 'fail']]))).toBe(false);
    // The endpoint may be stopped.
    expect(isDue(first, report([['a', 'blocked']]))).toBe(false);
    expect(isDue(report([['a', 'fail']]), report([['a', 'pass']]))).toBe(false);
    const blocked = report([['a', 'blocked']]);
    expect(isDue(blocked, blocked)).toBe(false);
  });

  it('re-runs everything, if the first run was stopped', () => {
    const first = { ...report([['a', 'fail']]), selection: { stopped: 'bail' as const } };
    expect(watchChoice(first, report([['a', 'pass']]))).toEqual({ only: [], isFixed: false });
  });

  it('detects that one of its endpoints has restarted, although another one never listens', async () => {
    const answers = [true, false, true, false, false, false, false, false, true, false];
    let asked = 0;
    const places = [1, 2].map((port) => ({ hostname: '127.0.0.1', port }));
    const { signal } = new AbortController();
    await untilReturned(places, signal, () => Promise.resolve(answers[asked++] === true));
    expect(asked).toBe(answers.length);
    await expect(untilReturned(places, AbortSignal.abort())).rejects.toThrow('aborted');
  });

  it('detects through a connection whether an endpoint listens', async () => {
    const server = createServer((socket) => socket.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const place = { hostname: '127.0.0.1', port: (server.address() as AddressInfo).port };
    expect(await accepts(place)).toBe(true);
    server.close();
    await once(server, 'close');
    expect(await accepts(place)).toBe(false);
  });

  /** A report in which each of these checks failed because of its request. */
  const failing = (...kinds: string[]) =>
    ({
      target: {},
      checks: kinds.map((_, at) => ({ id: `a${at}`, surface: 'own-ai-chat', verdict: 'fail', evidence: [`ex-${at}`] })),
      exchanges: kinds.map((kind, at) => ({ id: `ex-${at}`, kind, request: { url: '' } })),
    }) as unknown as Report;

  it('detects a changed answer to a failed request, unless that answer always varies', async () => {
    const outcomes: Record<string, string[]> = {
      'ex-1': ['different', 'different', 'same'],
      'ex-2': ['not-tried', 'different', 'same', 'not-tried', 'same', 'different', 'same'],
    };
    const config = configOf({ chat: 'http://127.0.0.1:1/' });
    const { signal } = new AbortController();
    await untilAnswerChanges(failing('call', 'http', 'http'), config, signal, 1, ({ id }) =>
      Promise.resolve({ outcome: outcomes[id]?.shift() ?? '' }),
    );
    expect(outcomes).toEqual({ 'ex-1': ['same'], 'ex-2': ['same'] });
  });

  it('ends a request under way when it is no longer waited for', async () => {
    const config = configOf({ chat: 'http://127.0.0.1:1/' });
    const ending = new AbortController();
    const waiting = untilAnswerChanges(failing('http'), config, ending.signal, 1, async (...[, , , , signal]) => {
      ending.abort(new Error('over'));
      return await new Promise((_, reject) => {
        if (signal?.aborted) reject(signal.reason as Error);
      });
    });
    await expect(waiting).rejects.toThrow('aborted');
  });

  it.each([
    ['the config has limits', { limits: withoutTraffic({ messages: 9 }) }, ['http']],
    ['only calls failed', {}, ['call']],
  ] as const)('repeats no request if %s', async (_, over, kinds) => {
    const config = configOf({ chat: 'http://127.0.0.1:1/' }, over);
    const ending = new AbortController();
    const replay = vi.fn();
    const waiting = untilAnswerChanges(failing(...kinds), config, ending.signal, 1, replay);
    ending.abort(new Error('over'));
    await expect(waiting).rejects.toThrow('over');
    expect(replay).not.toHaveBeenCalled();
  });

  it('refuses an endpoint that the run starts, and flags of complete runs', () => {
    const options = { surface: [], only: [], diagnose: true };
    const config = configOf({ crm: 'http://127.0.0.1:1/' });
    assertWatchable(options, config, false);
    const refused = expect.objectContaining({ code: 'flags-conflict' }) as Error;
    expect(() => assertWatchable({ ...options, certificate: true }, config, true)).toThrow(refused);
    const start = { command: 'node server.js' } as NonNullable<typeof config.start>;
    expect(() => assertWatchable(options, { ...config, start }, true)).toThrow(refused);
  });

  it('refuses a run whose endpoint it cannot observe', () => {
    const options = { surface: [], only: [], diagnose: true };
    const config = configOf({ crm: 'http://127.0.0.1:1/' });
    const refused = (reason: string) => expect.objectContaining({ message: expect.stringContaining(reason) as string });
    expect(() => assertWatchable({ ...options, surface: ['api-client'] }, config, true)).toThrow(
      refused('has an address') as Error,
    );
    const proxy: ProxyAddress = { host: '127.0.0.1', port: 2, isSecure: false, shown: 'http://127.0.0.1:2' };
    const proxied = { ...config, routes: { crmWebhook: { headers: [], proxy } } };
    assertWatchable(options, proxied, true);
    expect(() => assertWatchable(options, proxied, false)).toThrow(refused('Through a proxy') as Error);
  });
});
