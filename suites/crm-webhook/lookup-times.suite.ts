import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import { judgeAcceptanceAtOnce, judgeTimesAtOnce } from '../judge-acceptance-at-once.ts';
import { expect } from '../matchers/expect.ts';
import { deliverLookup, lookUp, lookupsAtOnce } from './timed-lookups.ts';

/** Lookups one after the other per caller: one slow first answer (a cold cache) and two after it. */
const inARow = 3;

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
      judgeTimesAtOnce(kit, await lookupsAtOnce(kit));
    },
    { alone: true },
  );

  check(
    'crm-webhook/accepts-lookups-at-once',
    'lookups for ten simultaneous calls are each accepted',
    async (kit) => {
      // Missing answers are judged with the time.
      const sendAlone = () => deliverLookup(kit, 'IncomingCallLookup', {}, { label: 'one lookup alone' });
      await judgeAcceptanceAtOnce(kit, await lookupsAtOnce(kit), sendAlone);
    },
    { alone: true },
  );
});
