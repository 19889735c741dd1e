import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import type { CheckKit } from '../../harness/checks/check.ts';
import { Session } from '../../harness/checks/session.ts';
import type { PhoneDriver } from '../../harness/wire/phone-driver.ts';
import { longCalls } from '../../suites/own-ai-phone/long-calls.ts';
import {
  closedByService,
  endedInAnswer,
  interrupted,
  interruptedAgain,
  longAnswer,
  longGreeting,
  promptedInAnswer,
  quietCall,
} from '../../suites/own-ai-phone/slow-calls.ts';
import { plainCall } from '../../suites/own-ai-phone/talk.ts';
import { takeover } from '../../suites/own-ai-phone/takeovers.ts';
import { typicalCalls } from '../../suites/own-ai-phone/typical-calls.ts';
import { answering } from '../harness/call-server.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';

/** A phone, and the calls that were begun by a call which occupied lanes meanwhile: `outer > inner`. */
function watchingForCallsInCalls(phone: PhoneDriver): { watched: PhoneDriver; nested: string[] } {
  const around = new AsyncLocalStorage<string>();
  const nested: string[] = [];
  const hold: PhoneDriver['hold'] = (options, body) => {
    const outer = around.getStore();
    if (outer !== undefined) nested.push(`${outer} > ${options.label}`);
    return around.run(options.label, () => phone.hold(options, body));
  };
  const watched = new Proxy(phone, {
    get: (_, key) => {
      if (key === 'hold') return hold;
      const value: unknown = Reflect.get(phone, key, phone);
      return typeof value === 'function' ? value.bind(phone) : value;
    },
  });
  return { watched, nested };
}

describe.concurrent('a call that nothing has preceded', () => {
  it.for<[what: string, make: (kit: CheckKit) => Promise<unknown>]>([
    ['longGreeting', longGreeting],
    ['closedByService', closedByService],
    ['takeover', (kit) => takeover(kit, 'no-answer')],
    ['longCalls', longCalls],
    ['longAnswer', longAnswer],
    ['interrupted', (kit) => interrupted(kit, 'at its first piece')],
    ['interruptedAgain', interruptedAgain],
    ['endedInAnswer', endedInAnswer],
    ['promptedInAnswer', promptedInAnswer],
    ['quietCall', quietCall],
    ['typicalCalls', typicalCalls],
  ])(
    'begins no other call while it occupies lanes, since two such calls would wait for each other: %s',
    async ([, make]) => {
      await using endpoint = await answering({ type: 'text', text: 'Yes.', last: true });
      await using session = await Session.open(settingsOf(configOf({ phone: endpoint.url })));
      const { sample, settings, ids } = session;
      const { watched: phone, nested } = watchingForCallsInCalls(session.phone);
      await make({ session, phone, sample, settings, ids } as unknown as CheckKit);
      expect(session.phone.calls.length).toBeGreaterThan(0);
      expect(nested).toEqual([]);
    },
  );
});

describe('a call with a long silence', () => {
  it.each([
    [3_000, 5_500],
    [30_000, 31_500],
  ])('is silent for longer than a run watches for repetitions: %i ms', async (retryWatchMs, silentMs) => {
    await using endpoint = await answering({ type: 'text', text: 'Yes.', last: true });
    await using session = await Session.open(settingsOf(configOf({ phone: endpoint.url })));
    const { phone, sample, settings } = session;
    await plainCall({ session, phone, sample, settings } as unknown as CheckKit);
    const passed: number[] = [];
    const hold: PhoneDriver['hold'] = (options, talk) =>
      phone.hold(options, (call) => {
        call.pass = (ms) => Promise.resolve(void passed.push(ms));
        return talk(call);
      });
    const kit = { session, phone: { hold }, sample, settings: { ...settings, retryWatchMs } };
    await quietCall(kit as unknown as CheckKit);
    expect(passed).toEqual([silentMs]);
  });
});
