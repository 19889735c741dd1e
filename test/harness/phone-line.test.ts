import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TimeBudget } from '../../harness/checks/time-budget.ts';
import { NotWanted, whileWanted } from '../../harness/checks/wanted.ts';
import { TrafficGate } from '../../harness/wire/traffic-gate.ts';
import { LagMeter } from '../../harness/wire/lag-meter.ts';
import { Pace } from '../../harness/wire/pace.ts';
import { PhoneLine, type CallLanes } from '../../harness/wire/phone-line.ts';
import { Reach } from '../../harness/wire/reach.ts';
import { Routes } from '../../harness/wire/routes.ts';
import { TrafficLimits } from '../../harness/wire/traffic-limits.ts';
import { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { Brand } from '../../specs/brand.ts';
import { listening } from '../server-fixture.ts';
import { callUrl, switchingProtocolsHead } from './call-server.ts';
import { answerText, rawServer } from './raw-server.ts';
import { credentials } from './settings-for-tests.ts';

let lag: LagMeter;
beforeEach(() => {
  lag = new LagMeter();
});
afterEach(() => lag[Symbol.dispose]());

function lineTo(
  url: string,
  pace = new Pace(),
): {
  line: PhoneLine;
  gate: TrafficGate;
  reach: Reach;
  dial: () => ReturnType<PhoneLine['dial']>;
} {
  const reach = new Reach();
  const brand = Brand.named();
  const budget = new TimeBudget({ budgetMs: undefined, surfaces: [] });
  const gate = new TrafficGate();
  const traffic = {
    gate,
    lag,
    pace,
    reach,
    routes: Routes.none(),
    limits: TrafficLimits.none(),
    budget,
    brand,
  };
  const line = new PhoneLine({ url: () => url, ...traffic });
  const upgrade = SignedDelivery.upgrade('c', [['X-Svc-Call-Id', 'c']], credentials.agentSecret);
  return {
    line,
    gate,
    reach,
    dial: () => line.dial((now) => upgrade.request(url, now), { label: 'a call', callId: 'c' }),
  };
}

describe('a call', () => {
  it('that finds the endpoint busy with another one is dialled again after the pause that it asks for', async () => {
    const asked: number[] = [];
    await using server = await rawServer((socket, request) => {
      asked.push(performance.now());
      const isBusy = asked.length === 2 || asked.length === 3;
      socket.write(
        isBusy ? answerText('429 Too Many Requests', { 'Retry-After': '1' }) : switchingProtocolsHead(request),
      );
    });
    const { dial } = lineTo(callUrl(server));
    const first = await dial();
    const second = await dial();
    expect(second.observation.answer).toMatchObject({ outcome: 'answered', status: 101 });
    const [, refused = NaN, again = NaN, last = NaN] = asked;
    expect(Math.min(again - refused, last - again)).toBeGreaterThan(995);
    await Promise.all([first.vanish('end'), second.vanish('end')]);
  });

  it('that is repeated alone waits for a request that is still unanswered', async () => {
    const { line, gate } = lineTo('ws://127.0.0.1:1/voice');
    const unanswered = await gate.shared();
    unanswered.rest();
    let begun = 0;
    const call = (lanes: CallLanes) => line.inLanes(lanes, () => Promise.resolve(++begun));
    await call(1);
    const alone = call('all');
    await new Promise((wake) => setImmediate(wake));
    expect(begun).toBe(1);
    unanswered[Symbol.dispose]();
    expect(await alone).toBe(2);
  });

  it('that is no longer wanted when it is its turn is not made', async () => {
    const { line, gate } = lineTo('ws://127.0.0.1:1/voice');
    const before = await gate.alone();
    let isWanted = true;
    const waiting = whileWanted(
      () => isWanted,
      () => line.inLanes(1, () => Promise.resolve('made')),
    ).catch((error: unknown) => error);
    await new Promise((wake) => setImmediate(wake));
    isWanted = false;
    before[Symbol.dispose]();
    expect(await waiting).toBeInstanceOf(NotWanted);
    expect(await line.inLanes('all', () => Promise.resolve('made'))).toBe('made');
  });

  it.each([
    ['four deliveries share a lane', 0.25, 32],
    ['two share one', 0.5, 16],
    ['each needs a lane', 1, 16],
    ['each needs two', 2, 8],
  ])('overlaps with as many others as a slow AI handles: %s', async (_, lanes, atOnce) => {
    const [url, pace] = ['ws://127.0.0.1:1/voice', new Pace()];
    Object.defineProperty(pace.of(url), 'ownLanes', { value: lanes });
    const { line } = lineTo(url, pace);
    const { promise: over, resolve: end } = Promise.withResolvers<undefined>();
    let begun = 0;
    const calls = Array.from({ length: 40 }, () => line.inLanes(1, () => (begun++, over)));
    await new Promise((wake) => setImmediate(wake));
    expect(begun).toBe(atOnce);
    end(undefined);
    await Promise.all(calls);
  });

  it('to an endpoint that was reached and cannot be reached again says nothing about its conduct', async () => {
    // Accepts connections but ends every handshake.
    await using server = await listening(createServer((socket) => socket.once('data', () => socket.destroy())));
    const url = `wss://${server.host}/voice`;
    const { reach, dial } = lineTo(url);
    using sending = reach.sending(url, 'an earlier call');
    await reach.ended(url, { outcome: 'no-answer', afterMs: 1 }, { sending, label: 'an earlier call' });
    await expect(dial()).rejects.toMatchObject({
      code: 'target-unreachable',
      message: expect.stringContaining(
        'accepted connections before, but 6 connection attempts in a row failed',
      ) as string,
    });
  });
});
