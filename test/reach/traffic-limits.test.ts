import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { Session } from '../../harness/checks/session.ts';
import { trafficSent, withoutTraffic } from '../../harness/wire/traffic-counts.ts';
import { TrafficLimits } from '../../harness/wire/traffic-limits.ts';
import type { ConfiguredLimits } from '../../specs/generated/types.ts';
import { ai } from '../harness/call-server.ts';
import { answerText, rawServer } from '../harness/raw-server.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';

const chat = 'http://127.0.0.1:8080/chat';
const message = { url: chat, method: 'POST' };
const call = { url: 'ws://127.0.0.1:8080/voice', method: 'GET' };

function limitsOf(limits: ConfiguredLimits) {
  const settings = withoutTraffic(limits);
  const clock = { ms: 1_000_000 };
  const config = configOf({ chat, crm: 'http://127.0.0.1:8080/crm', phone: call.url }, { limits: settings });
  return { settings, clock, config, traffic: TrafficLimits.of(config, () => clock.ms) };
}

describe('limits', () => {
  it('count every POST to the chat and every call, and nothing else', () => {
    const { traffic, settings } = limitsOf({ messages: 10, calls: 10 });
    const others = [
      { url: chat, method: 'GET' },
      { url: 'http://127.0.0.1:8080/crm', method: 'POST' },
      { url: 'http://127.0.0.1:9090/chat', method: 'POST' },
    ];
    const paths = [chat, `${chat}/`, 'http://127.0.0.1:8080/', `${chat}?again`];
    for (const url of paths) expect(traffic.admit({ url, method: 'POST' })).toBe(0);
    for (const request of others) expect(traffic.admit(request)).toBe(0);
    expect(traffic.admit(call)).toBe(0);
    expect(trafficSent(settings)).toEqual({ messages: paths.length, calls: 1 });
  });

  it('throw limit-used once all were used, until one turns out not to have been received', () => {
    const { traffic } = limitsOf({ messages: 2, calls: 0 });
    traffic.admit(message);
    traffic.admit(message);
    const expected = expect.objectContaining({
      code: 'limit-used',
      message: 'Not sent: limits.messages of the config is 2, and 2 messages have been sent.',
    });
    expect(() => traffic.admit(message)).toThrow(expected);
    expect(() => traffic.admit(call)).toThrow('limits.calls of the config is 0');
    traffic.refund(message);
    expect(traffic.admit(message)).toBe(0);
    expect(() => traffic.admit(message)).toThrow(expected);
  });

  it('admit no more than perMinute in any minute, messages and calls together', () => {
    const { traffic, clock } = limitsOf({ perMinute: 3 });
    const sentAt: number[] = [];
    for (let at = 0; at < 12; at++) {
      const request = at % 2 === 0 ? message : call;
      const waitMs = traffic.admit(request);
      clock.ms += waitMs;
      if (waitMs > 0) expect(traffic.admit(request)).toBe(0);
      sentAt.push(clock.ms);
      clock.ms += 7_000;
    }
    for (const from of sentAt) {
      expect(sentAt.filter((time) => time >= from && time < from + 60_000).length).toBeLessThanOrEqual(3);
    }
    // No longer than necessary: three in each window of a minute and a second.
    expect(sentAt.at(-1)).toBeLessThan(1_000_000 + 4 * 61_000);
  });

  it('reserve room for several at once, or for none of them', () => {
    const { traffic, clock } = limitsOf({ perMinute: 3 });
    traffic.admit(message);
    clock.ms += 10_000;
    traffic.admit(message);
    const waitFor = (count: number) => {
      using room = traffic.reserve(call, count);
      return room.waitMs;
    };
    expect([1, 2, 3].map(waitFor)).toEqual([0, 51_000, 61_000]);
    for (const [request, kind] of [
      [call, 'calls'],
      [message, 'messages'],
    ] as const) {
      expect(() => traffic.reserve(request, 4)).toThrow(
        expect.objectContaining({
          code: 'limit-used',
          message: `Not sent: this needs 4 ${kind} at once, and limits.perMinute of the config is 3.`,
        }),
      );
    }
    // Unused room is free again.
    expect(traffic.admit(call)).toBe(0);
    expect(traffic.admit(call)).toBe(51_000);
  });

  it('refuse the reserved room to others, however late it is used', () => {
    const { traffic, clock, settings } = limitsOf({ perMinute: 2 });
    using room = traffic.reserve(call, 2);
    expect(room.waitMs).toBe(0);
    clock.ms += 100_000;
    expect(traffic.admit(message)).toBeGreaterThan(0);
    room.run(() => {
      // Room that is reserved for calls does not admit a message.
      expect(traffic.admit(message)).toBeGreaterThan(0);
      expect(traffic.admit(call)).toBe(0);
      expect(traffic.admit(call)).toBe(0);
      expect(traffic.admit(call)).toBeGreaterThan(0);
      // A rejected call is dialled again in the same room.
      traffic.refund(call);
      expect(traffic.admit(message)).toBeGreaterThan(0);
      expect(traffic.admit(call)).toBe(0);
    });
    expect(trafficSent(settings)).toEqual({ messages: 0, calls: 2 });
    clock.ms += 61_000;
    expect(traffic.admit(message)).toBe(0);
  });

  it('return the time of an unsent request, but not that of another one', () => {
    const { traffic, clock } = limitsOf({ perMinute: 2 });
    traffic.admit(message);
    traffic.refund(message);
    expect(traffic.admit(message)).toBe(0);
    clock.ms += 10_000;
    traffic.admit(message);
    expect(traffic.admit(message)).toBeGreaterThan(0);
    traffic.refund(message);
    expect(traffic.admit(message)).toBe(0);
    expect(traffic.admit(message)).toBeGreaterThan(51_000);
  });

  it('are shared by all that have the same config, also by a copy in another thread', async () => {
    const { traffic, config, settings } = limitsOf({ messages: 3 });
    const source = new URL('../../harness/wire/traffic-limits.ts', import.meta.url).href;
    const worker = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
      import(workerData.source).then(({ TrafficLimits }) => {
        const traffic = TrafficLimits.of(workerData.config);
        parentPort.postMessage([0, 1].map(() => traffic.admit(workerData.message)));
      });`,
      { eval: true, execArgv: [], workerData: { source, config, message } },
    );
    try {
      expect(await once(worker, 'message')).toEqual([[0, 0]]);
    } finally {
      await worker.terminate();
    }
    expect(trafficSent(settings).messages).toBe(2);
    expect(traffic.admit(message)).toBe(0);
    expect(() => traffic.admit(message)).toThrow('limits.messages');
  });

  it('limit nothing if they are not configured', () => {
    const traffic = TrafficLimits.of(configOf({ chat }));
    expect(traffic.counts(message)).toBe(false);
    for (let at = 0; at < 1_000; at++) expect(traffic.admit(message)).toBe(0);
  });
});

describe('a session with limits', () => {
  it('delivers no more messages, however many are delivered at once, and other events without limit', async () => {
    await using endpoint = await rawServer((socket) => socket.write(answerText('204 No Content')));
    const limits = withoutTraffic({ messages: 3 });
    const addresses = { chat: `${endpoint.origin}/chat`, crm: `${endpoint.origin}/crm` };
    await using session = await Session.open(settingsOf(configOf(addresses, { limits })));
    const messages = Array.from({ length: 8 }, () =>
      session.chat.deliver(session.chat.open(session.sample.messageReceived()), { label: 'a message' }),
    );
    const ended = await Promise.allSettled(messages);
    const cut = ended.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(cut).toHaveLength(5);
    for (const fault of cut) expect(fault).toMatchObject({ code: 'limit-used' });
    for (let at = 0; at < 5; at++) await session.crm.deliver(session.sample.crmEvent('Manual'));
    const received = (path: string) => endpoint.requests.filter(({ head }) => head.startsWith(`POST ${path} `)).length;
    expect([received('/chat'), received('/crm')]).toEqual([3, 5]);
    expect(trafficSent(limits).messages).toBe(3);
  });

  it('does not count messages without a connection', async () => {
    const endpoint = await rawServer(() => undefined);
    await endpoint[Symbol.asyncDispose]();
    const limits = withoutTraffic({ messages: 3 });
    await using session = await Session.open(settingsOf(configOf({ chat: endpoint.origin }, { limits })));
    const delivery = session.chat.deliver(session.chat.open(session.sample.messageReceived()), { label: 'a message' });
    await expect(delivery).rejects.toMatchObject({ code: 'target-unreachable' });
    expect(trafficSent(limits).messages).toBe(0);
  });

  it('makes no more calls, and counts no rejected upgrade', async () => {
    await using voice = await ai(() => undefined);
    const limits = withoutTraffic({ calls: 2 });
    await using session = await Session.open(settingsOf(configOf({ phone: voice.url }, { limits })));
    await using busy = await rawServer((socket) => socket.end(answerText('401 Unauthorized')));
    const busyUrl = busy.origin.replace('http', 'ws');
    await using rejected = await Session.open(settingsOf(configOf({ phone: busyUrl }, { limits })));
    for (let at = 0; at < 4; at++) {
      expect((await rejected.phone.ring('a call')).answer).toMatchObject({ outcome: 'answered', status: 401 });
    }
    expect(trafficSent(limits).calls).toBe(0);
    await session.phone.ring('a call');
    await session.phone.ring('a call');
    await expect(session.phone.ring('a call')).rejects.toMatchObject({ code: 'limit-used' });
    expect(voice.calls).toHaveLength(2);
  });

  it('keeps the room of a second call from messages while the first is open', async () => {
    await using voice = await ai(({ type }, say) => {
      if (type === 'prompt') say({ type: 'text', text: 'Yes.', last: true });
    });
    const limits = withoutTraffic({ perMinute: 5 });
    await using session = await Session.open(settingsOf(configOf({ chat, phone: voice.url }, { limits })));
    // The first call of a run measures how this AI begins.
    await session.phone.hold({ label: 'a call' }, (held) => held.ask('Hello?'));
    const free = 5 - voice.calls.length;
    expect(free).toBeGreaterThan(1);
    await session.phone.holdSeveral(free, async (dial) => {
      await dial({ label: 'the first' });
      expect(session.limits.admit(message)).toBeGreaterThan(0);
      for (let at = 1; at < free; at++) await dial({ label: 'another' });
    });
    expect(voice.calls).toHaveLength(5);
  });

  it('does not wait to send a message that is known to get no answer', async () => {
    await using endpoint = await rawServer(() => undefined);
    const limits = withoutTraffic({ perMinute: 3 });
    const settings = settingsOf(configOf({ chat: endpoint.origin }, { limits }));
    await using session = await Session.open(settings);
    const say = () => {
      const event = session.sample.messageReceived();
      return session.chat.post(session.chat.sign(event), { label: 'a message', timeoutMs: 50 });
    };
    for (let at = 0; at < 3; at++) await say();
    expect(endpoint.requests).toHaveLength(3);
    expect(await say()).toMatchObject({ answer: { outcome: 'no-answer' }, knownSilences: 3 });
    expect(endpoint.requests).toHaveLength(3);
    expect(trafficSent(limits).messages).toBe(3);
  });
});
