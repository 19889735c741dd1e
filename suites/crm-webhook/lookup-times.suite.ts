import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import { timedTogether } from '../certain-time.ts';
import { expect } from '../matchers/expect.ts';
import { deliverLookup, lookUp, lookupTimes } from './timed-lookups.ts';

/** Lookups one after the other per caller: one slow first answer (a cold cache) and two after it. */
const inARow = 3;
const atOnce = 10;

describe.concurrent('crm-webhook lookup times', () => {
  for (const [requirement, type] of [
    ['crm-webhook/lookup-within-two-seconds', 'IncomingCallLookup'],
    ['crm-webhook/new-conversation-within-two-seconds', 'NewConversation'],
  ] as const) {
    check(
      requirement,
      `${type} of the configured caller is answered in time`,
      async (kit) => {
        if (kit.settings.config.stimuli.knownCaller === undefined) {
          return kit.notExercised('No stimuli.knownCaller is configured.');
        }
        for (let at = 0; at < inARow; at++) expect(await lookUp(kit, type)).toBeInTime();
      },
      { alone: true },
    );
    check(
      requirement,
      `${type} of an unknown caller is answered in time`,
      async (kit) => {
        for (let at = 0; at < inARow; at++)
          expect(await lookUp(kit, type, { phoneNumber: unknownCaller })).toBeInTime();
      },
      { alone: true },
    );
  }

  check(
    'crm-webhook/ten-lookups-at-once-within-two-seconds',
    'ten simultaneous calls are each answered in time',
    async (kit) => {
      const lookUps = Array.from({ length: atOnce }, (_, at) => ({
        label: `IncomingCallLookup, ${at + 1} of ${atOnce} at once`,
      }));
      const answers = await timedTogether(kit, lookupTimes, () =>
        Promise.all(lookUps.map((options) => deliverLookup(kit, 'IncomingCallLookup', {}, options))),
      );
      for (const answer of answers) expect(answer).toBeInTime();
    },
    { alone: true },
  );
});
