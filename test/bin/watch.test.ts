import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { assertWatchable } from '../../bin/watch.ts';
import { untilReturned } from '../../run/watch/until-returned.ts';
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
    const first = report(checks as Judged);
    expect(watchChoice(first, again ? report(again as Judged) : first)).toEqual({ only, isFixed });
  });

  it('notices that an endpoint has gone and come back, and not before', async () => {
    const server = createServer((socket) => socket.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    let isBack = false;
    const stop = new AbortController();
    const connected = once(server, 'connection');
    const returned = untilReturned([{ hostname: '127.0.0.1', port }], stop.signal).then(() => (isBack = true));
    await connected;
    server.close();
    await once(server, 'close');
    // Longer than the time between two connections.
    await delay(500);
    expect(isBack).toBe(false);
    server.listen(port, '127.0.0.1');
    await returned;
    server.close();
    stop.abort();
    await expect(untilReturned([{ hostname: '127.0.0.1', port }], stop.signal)).rejects.toThrow();
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
