import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { assertWatchable } from '../../bin/watch.ts';
import { accepts, untilReturned } from '../../run/watch/until-returned.ts';
import { watchChoice } from '../../run/watch/watch-choice.ts';
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
    ['nothing that only a whole run shows', [['a', 'fail', 'observed']], undefined, [], true],
    [
      'what still fails',
      [
        ['a', 'fail'],
        ['b', 'fail'],
      ],
      [
        ['a', 'fail'],
        ['b', 'pass'],
      ],
      ['a'],
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

  it('notices that one of its endpoints has gone and all are back, and not before', async () => {
    const answers = [true, true, true, false, false, false, true, false, true, true];
    let asked = 0;
    const places = [1, 2].map((port) => ({ hostname: '127.0.0.1', port }));
    const { signal } = new AbortController();
    await untilReturned(places, signal, () => Promise.resolve(answers[asked++] === true));
    expect(asked).toBe(answers.length);
    await expect(untilReturned(places, AbortSignal.abort())).rejects.toThrow('aborted');
  });

  it('detects by a connection whether an endpoint is there', async () => {
    const server = createServer((socket) => socket.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const place = { hostname: '127.0.0.1', port: (server.address() as AddressInfo).port };
    expect(await accepts(place)).toBe(true);
    server.close();
    await once(server, 'close');
    expect(await accepts(place)).toBe(false);
  });

  it('refuses an endpoint that the run starts, and flags of complete runs', () => {
    const options = { surface: [], only: [], diagnose: true };
    const config = configOf({ crm: 'http://127.0.0.1:1/' });
    assertWatchable(options, config);
    const refused = expect.objectContaining({ code: 'flags-conflict' }) as Error;
    expect(() => assertWatchable({ ...options, certificate: true }, config)).toThrow(refused);
    const start = { command: 'node server.js' } as NonNullable<typeof config.start>;
    expect(() => assertWatchable(options, { ...config, start })).toThrow(refused);
  });
});
