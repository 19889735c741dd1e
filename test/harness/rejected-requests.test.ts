import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Reach } from '../../harness/wire/reach.ts';
import { listening } from '../server-fixture.ts';

const answer = 'our answer 409 to its reply';
/** Longer than the time in which an answer is watched. */
const watchedMs = 700;

async function listeningEndpoint() {
  const server = createServer();
  const listener = await listening(server);
  return {
    server,
    url: `http://${listener.host}/chat`,
    reach: new Reach(),
    end: () => listener[Symbol.asyncDispose](),
    async [Symbol.asyncDispose]() {
      if (server.listening) await listener[Symbol.asyncDispose]();
    },
  };
}

describe('an answer that rejects a request of the endpoint', () => {
  it('is what the endpoint stopped after, if it ends with nothing else in flight', async () => {
    await using endpoint = await listeningEndpoint();
    const { url, reach, end } = endpoint;
    reach.rejected(url, answer);
    await end();
    await vi.waitFor(() => expect(reach.stopAfter(answer)).toEqual({ suspects: [answer] }), watchedMs);
  });

  it('is not, if the endpoint only closes its connections', async () => {
    await using endpoint = await listeningEndpoint();
    const { url, reach } = endpoint;
    reach.rejected(url, answer);
    await delay(50);
    endpoint.server.closeAllConnections();
    await delay(watchedMs);
    expect(reach.stopAfter(answer)).toBeUndefined();
  });

  it('is one of the suspects, in the order of sending, if deliveries were in flight', async () => {
    await using endpoint = await listeningEndpoint();
    const { url, reach, end } = endpoint;
    using before = reach.sending(url, 'a delivery before');
    await delay(2);
    reach.rejected(url, answer);
    await delay(2);
    using after = reach.sending(url, 'a delivery after');
    await end();
    const stops = await Promise.all([before.closed(true), after.closed(true)]);
    const stop = { suspects: ['a delivery before', answer, 'a delivery after'] };
    expect(stops).toEqual([stop, stop]);
    expect(reach.stopAfter(answer)).toEqual(stop);
  });

  it.each([
    [499, true],
    [501, false],
  ])('remains a suspect after an answered delivery that began %i ms later: %s', async (laterMs, isSuspect) => {
    await using endpoint = await listeningEndpoint();
    const { url, reach, end } = endpoint;
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    reach.rejected(url, answer);
    clock.mockReturnValue(laterMs);
    reach.sending(url, 'a delivery later')[Symbol.dispose]();
    clock.mockRestore();
    await delay(watchedMs);
    using last = reach.sending(url, 'the last delivery');
    await end();
    const stop = await last.closed(true);
    expect(stop?.suspects).toEqual(isSuspect ? [answer, 'the last delivery'] : ['the last delivery']);
  });
});
