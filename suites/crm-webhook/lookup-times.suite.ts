import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/check.ts';
import { currentRecord } from '../../harness/check-record.ts';
import type { CrmDeliveryOptions, CrmObservation } from '../../harness/crm-webhook.ts';
import { unknownCaller } from '../../harness/samples.ts';
import { limits } from '../../specs/limits.ts';
import { expect } from '../matchers/expect.ts';

type Lookup = 'IncomingCallLookup' | 'NewConversation';

/** Milliseconds beyond the limit that we go on listening, so that the report can say how late an answer was. */
const beyondLimitMs = 3_000;
/** Look-ups one after the other per caller: one slow first answer (a cold cache) and two after it. */
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
    'crm-webhook/lookup-on-fresh-connection-within-two-seconds',
    'a look-up on a new connection is answered in time',
    async (kit) => {
      expect(await lookUp(kit, 'IncomingCallLookup', {}, { fresh: true })).toBeInTime();
    },
    { alone: true },
  );

  check(
    'crm-webhook/ten-lookups-at-once-within-two-seconds',
    'ten calls that come in at once are each answered in time',
    async (kit) => {
      const lookUps = Array.from({ length: atOnce }, (_, at) =>
        lookUp(kit, 'IncomingCallLookup', {}, { label: `IncomingCallLookup, ${at + 1} of ${atOnce} at once` }),
      );
      for (const answer of await Promise.all(lookUps)) expect(answer).toBeInTime();
    },
    { alone: true },
  );
});

async function lookUp(
  { crm, sample }: CheckKit,
  type: Lookup,
  contact: { phoneNumber?: string } = {},
  options: CrmDeliveryOptions = {},
): Promise<CrmObservation> {
  const observation = await crm.deliver(sample.crmEvent(type, { contactData: sample.contactData(contact) }), {
    timed: true,
    limitMs: limits.crmLookupAnswerMs,
    patienceMs: limits.crmLookupAnswerMs + beyondLimitMs,
    ...options,
  });
  const { totalMs } = observation.times;
  if (totalMs !== null) {
    currentRecord()?.samples.push({ name: 'crm-webhook/lookup', limit: limits.crmLookupAnswerMs, ms: totalMs });
  }
  return observation;
}
