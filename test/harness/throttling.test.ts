import { describe, expect, it } from 'vitest';
import type { HarnessFault } from '../../harness/faults.ts';
import { Session } from '../../harness/session.ts';
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
  ])('and asks for a pause that no run waits for, as %s, gets one delivery', async ([, after = '']) => {
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

  it('and never lets go gets a handful of deliveries', async () => {
    await using endpoint = await rawServer((socket) =>
      socket.write(answerText('503 Service Unavailable', { 'Retry-After': '0' })),
    );
    const messages = await deliverMany(endpoint.origin);
    expect(endpoint.requests.length).toBeLessThanOrEqual(6);
    for (const message of messages) expect(message).toContain('still answered 503 after 5 pauses');
  });

  it('when it was asked by many at once already gets no further ones', async () => {
    let count = 0;
    await using endpoint = await rawServer((socket) => {
      const isFirst = ++count === 1;
      socket.write(answerText(isFirst ? '204 No Content' : '429 Too Many Requests', { 'Retry-After': '600' }));
    });
    await deliverMany(endpoint.origin);
    expect(endpoint.requests.length).toBeLessThanOrEqual(10);
  });

  it('gets its whole pause, also where a request from before is answered meanwhile', async () => {
    const arrived: number[] = [];
    await using endpoint = await rawServer((socket, _, count) => {
      arrived.push(performance.now());
      // The first answer lets many be in flight; the second request is limited, and the third answered in its pause.
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

  it('and lets requests pass after the pause loses none', async () => {
    let count = 0;
    await using endpoint = await rawServer((socket) =>
      socket.write(answerText(++count % 4 === 0 ? '429 Too Many Requests' : '204 No Content', { 'Retry-After': '0' })),
    );
    expect(new Set(await deliverMany(endpoint.origin))).toEqual(new Set(['answered']));
  });
});
