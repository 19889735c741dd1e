import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { CrmDeliveryOptions, CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import { limits } from '../../specs/limits.ts';
import { timed, timedTogether } from '../certain-time.ts';
import { expect } from '../matchers/expect.ts';
import type { LookupEventType } from '../../specs/crm-event-types.ts';

/** Milliseconds beyond the limit for which an answer is awaited, to report how late it is. */
const beyondLimitMs = 3_000;
/** Lookups one after the other per caller: one slow first answer (a cold cache) and two after it. */
const inARow = 3;
const atOnce = 10;
/** Name of the times in the report. */
const lookups = 'crm-webhook/lookup';

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
    'a lookup on a new connection is answered in time',
    async (kit) => {
      expect(await lookUp(kit, 'IncomingCallLookup', {}, { fresh: true })).toBeInTime();
    },
    { alone: true },
  );

  check(
    'crm-webhook/ten-lookups-at-once-within-two-seconds',
    'ten simultaneous calls are each answered in time',
    async (kit) => {
      const lookUps = Array.from({ length: atOnce }, (_, at) => ({
        label: `IncomingCallLookup, ${at + 1} of ${atOnce} at once`,
      }));
      const answers = await timedTogether(kit, lookups, () =>
        Promise.all(lookUps.map((options) => deliver(kit, 'IncomingCallLookup', {}, options))),
      );
      for (const answer of answers) expect(answer).toBeInTime();
    },
    { alone: true },
  );
});

function lookUp(
  kit: CheckKit,
  type: LookupEventType,
  contact: { phoneNumber?: string } = {},
  options: CrmDeliveryOptions = {},
): Promise<CrmObservation> {
  return timed(kit, lookups, () => deliver(kit, type, contact, options));
}

async function deliver(
  { crm, sample }: CheckKit,
  type: LookupEventType,
  contact: { phoneNumber?: string },
  options: CrmDeliveryOptions,
): Promise<CrmObservation> {
  return await crm.deliver(sample.crmEvent(type, { contactData: sample.contactData(contact) }), {
    timed: true,
    limitMs: limits.crmLookupAnswerMs,
    timeoutMs: limits.crmLookupAnswerMs + beyondLimitMs,
    ...options,
  });
}
