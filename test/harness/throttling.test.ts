import { describe, expect, it } from 'vitest';
import type { HarnessFault } from '../../harness/checks/faults.ts';
import type { Answer } from '../../harness/wire/observation.ts';
import { Session } from '../../harness/checks/session.ts';
import { Throttling } from '../../harness/wire/throttling.ts';
import { answerText, rawServer } from './raw-server.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

/** Deliveries that a run sends at once. */
const many = 20;

async function deliverMany(origin: string): Promise<string[]> {
  await using session = await Session.open(settingsOf(configOf({ crm: origin })));
  const outcomes = await Promise.allSettled(
    Array.from({ length: many }, () => session.crm.deliver(session.sample.crmEvent('Manual'))),
  );
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value.answer.outcome;
    expect(outcome.reason).toMatchObject({ code: 'target-throttles' });
    return (outcome.reason as HarnessFault).message;
  });
}

describe('an address that limits requests', () => {
  it.for([
    ['seconds', '3600'],
    ['a date', new Date(Date.now() + 3_600_000).toUTCString()],
  ])('and requests a pause that is too long for a run, as %s, gets one delivery', async ([, after = '']) => {
    await using endpoint = await rawServer((socket) =>
      socket.write(answerText('429 Too Many Requests', { 'Retry-After': after })),
    );
    const messages = await deliverMany(endpoint.origin);
    expect(endpoint.requests).toHaveLength(1);
    for (const message of messages) {
      expect(message).toMatch(/answered 429 and asked for a pause of 3(?:600|59\d) s \(Retry-After\)/);
      expect(message).toContain('Raise the request limit for the test address');
    }
  });

  it('and never stops gets a few deliveries', async () => {
    await using endpoint = await rawServer((socket) =>
      socket.write(answerText('503 Service Unavailable', { 'Retry-After': '0' })),
    );
    const messages = await deliverMany(endpoint.origin);
    expect(endpoint.requests.length).toBeLessThanOrEqual(6);
    for (const message of messages) expect(message).toContain('still answered 503 after 5 pauses');
  });

  it('without Retry-After gets a minute of pauses, each twice as long as the one before', () => {
    const throttling = new Throttling();
    const limited: Answer = {
      outcome: 'answered',
      status: 429,
      headers: [],
      body: new Uint8Array(),
      bodyBytes: 0,
      truncated: false,
    };
    const url = 'http://127.0.0.1/hooks';
    // Sent after each pause.
    const book = () => throttling.book(url, limited, Number.POSITIVE_INFINITY);
    const pauses = Array.from({ length: 6 }, () => {
      expect(book()).toBe(true);
      return Math.round(throttling.remainingMs(url) / 1000);
    });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 29]);
    expect(book).toThrow('still answered 429 after 6 pauses, 60 s in total');
  });

  it('only for refused deliveries still gets those that it should accept', async () => {
    await using endpoint = await rawServer((socket, request) => {
      const isForged = request.head.includes('Bearer forged');
      socket.write(answerText(isForged ? '429 Too Many Requests' : '204 No Content', { 'Retry-After': '900' }));
    });
    await using session = await Session.open(settingsOf(configOf({ crm: endpoint.origin })));
    const send = (token: string, toBeRefused: boolean) =>
      session.send(
        () => ({
          method: 'POST',
          url: endpoint.origin,
          headers: [['Authorization', `Bearer ${token}`]],
          body: new Uint8Array(),
        }),
        { label: 'an event', timeoutMs: 1_000, toBeRefused },
      );
    await expect(send('forged', true)).rejects.toMatchObject({ code: 'target-throttles' });
    expect((await send('valid', false)).answer).toMatchObject({ outcome: 'answered', status: 204 });
  });

  it('during many concurrent requests gets no further ones', async () => {
    let count = 0;
    await using endpoint = await rawServer((socket) => {
      const isFirst = ++count === 1;
      socket.write(answerText(isFirst ? '204 No Content' : '429 Too Many Requests', { 'Retry-After': '600' }));
    });
    await deliverMany(endpoint.origin);
    expect(endpoint.requests.length).toBeLessThanOrEqual(10);
  });

  it('gets its whole pause, also if an earlier request is answered meanwhile', async () => {
    const arrived: number[] = [];
    await using endpoint = await rawServer((socket, _, count) => {
      arrived.push(performance.now());
      // The first answer permits many requests in flight; the second request is limited, and the third is answered
      // during that pause.
      if (count === 2) socket.write(answerText('429 Too Many Requests', { 'Retry-After': '1' }));
      else if (count === 3) setTimeout(() => socket.write(answerText('204 No Content')), 300);
      else socket.write(answerText('204 No Content'));
    });
    await using session = await Session.open(settingsOf(configOf({ crm: endpoint.origin })));
    const send = () => session.crm.deliver(session.sample.crmEvent('Manual'));
    await send();
    const [limited, slow] = [send(), send()];
    await slow;
    await Promise.all([send(), limited]);
    expect((arrived[3] ?? 0) - (arrived[1] ?? 0)).toBeGreaterThan(995);
  });

  it('and accepts requests after the pause misses none', async () => {
    let count = 0;
    await using endpoint = await rawServer((socket) =>
      socket.write(answerText(++count % 4 === 0 ? '429 Too Many Requests' : '204 No Content', { 'Retry-After': '0' })),
    );
    expect(new Set(await deliverMany(endpoint.origin))).toEqual(new Set(['answered']));
  });
});
