import { afterEach, expect, it } from 'vitest';
import { trafficSent, withoutTraffic } from '../../harness/wire/traffic-counts.ts';
import { TrafficLimits } from '../../harness/wire/traffic-limits.ts';
import { continueTraffic, sentBeforeVariable } from '../../run/execute/follow-parent.ts';
import { configOf } from '../harness/settings-for-tests.ts';

afterEach(() => {
  delete process.env[sentBeforeVariable];
});

it('continues the counts of the earlier attempts of a night', () => {
  const chat = 'https://ai.example.com/chat';
  const limits = withoutTraffic({ messages: 4 });
  const message = { url: chat, method: 'POST' };
  const traffic = TrafficLimits.of(configOf({ chat }, { limits }));
  continueTraffic(limits);
  expect(trafficSent(limits)).toEqual({ messages: 0, calls: 0 });
  process.env[sentBeforeVariable] = '{"messages":3,"calls":2}';
  continueTraffic(limits);
  expect(trafficSent(limits)).toEqual({ messages: 3, calls: 2 });
  expect(traffic.admit(message)).toBe(0);
  expect(() => traffic.admit(message)).toThrow('limits.messages');
});
