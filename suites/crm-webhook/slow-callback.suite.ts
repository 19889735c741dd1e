import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { CrmEvent } from '../../specs/generated/types.ts';
import { crmEventTypes } from '../../specs/crm-event-types.ts';
import { measuredTime } from '../../harness/wire/timeliness.ts';
import { untilCertain } from '../certain-time.ts';
import { toBeInTime } from '../matchers/answer-matchers.ts';
import { expect } from '../matchers/expect.ts';
import { awaitCallback, comparedCallbackMs } from './await-callback.ts';
import { noneDue } from './missing-callback.ts';
import { deliverLookup } from './timed-lookups.ts';
import { typicalAnswers } from './typical-answers.ts';

describe.concurrent('crm-webhook slow callbacks', () => {
  check(
    'crm-webhook/stays-well-while-a-callback-is-slow',
    'a lookup is answered in time while a callback waits for its answer',
    async (kit) => {
      const { crm, sample, settings, notExercised } = kit;
      const type = await typeCalledBack(kit);
      const answered = Promise.withResolvers<void>();
      try {
        const delivery = await crm.deliver(sample.crmEvent(type), {
          label: `${type}, whose callback waits for its answer`,
          answerCallbackAfter: answered.promise,
        });
        const withinMs = comparedCallbackMs(settings);
        if (!(await awaitCallback(delivery, withinMs))) {
          return notExercised(`No callback of ${type} came within ${withinMs / 1000} s.`);
        }
        const lookUp = (label: string) => deliverLookup(kit, 'IncomingCallLookup', {}, { label });
        const meanwhile = await untilCertain(
          kit,
          () => lookUp('a lookup while a callback waits for its answer'),
          (lookup) => [measuredTime(lookup)],
        );
        answered.resolve();
        if (toBeInTime(meanwhile) && toBeInTime(await lookUp('a lookup after the callback was answered'))) {
          return notExercised('A lookup after it is late as well; other checks judge that.');
        }
        expect(meanwhile).toBeInTime();
      } finally {
        answered.resolve();
      }
    },
    { alone: true },
  );
});

/** A type of event that was answered 202 and called back. */
async function typeCalledBack(kit: CheckKit): Promise<CrmEvent['eventType']> {
  const { crm, settings, notExercised } = kit;
  if (crm.delivered.length === 0) await typicalAnswers(kit);
  const later = crm.answeredLater;
  if (later.length === 0) return notExercised(noneDue);
  await Promise.race(later.map(({ callback }) => callback.atLeast(1, { withinMs: settings.quietMs })));
  const calledBack = new Set(
    later.filter(({ callback }) => callback.arrivals.length > 0).map(({ event }) => event.eventType),
  );
  return crmEventTypes.find((type) => calledBack.has(type)) ?? notExercised('No callback has come so far.');
}
