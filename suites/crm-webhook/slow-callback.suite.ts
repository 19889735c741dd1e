import { setTimeout as delay } from 'node:timers/promises';
import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { NotExercised } from '../../harness/checks/faults.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { measuredTime } from '../../harness/wire/timeliness.ts';
import { untilCertain } from '../certain-time.ts';
import { toBeInTime } from '../matchers/answer-matchers.ts';
import { expect } from '../matchers/expect.ts';
import { comparedCallbackMs } from './await-callback.ts';
import { typeCalledBack } from './redeliveries.ts';
import { deliverLookup } from './timed-lookups.ts';

/** Milliseconds after a callback in which the answer to its event may still arrive. */
const answerGraceMs = 250;

describe.concurrent('crm-webhook slow callbacks', () => {
  check(
    'crm-webhook/stays-well-while-a-callback-is-slow',
    'a lookup is answered in time while a callback waits for its answer',
    async (kit) => {
      const { crm, sample, settings, inbox, notExercised } = kit;
      const type = (await typeCalledBack(kit)) ?? notExercised('No event was answered 202 and called back so far.');
      const answered = Promise.withResolvers<void>();
      const label = `${type}, whose callback waits for its answer`;
      const callback = inbox.callbackBox(`callback of: ${label}`, () => ({ status: 200, after: answered.promise }));
      crm.repeatable.add(callback);
      try {
        const delivered = crm.deliver(sample.crmEvent(type), { label, callback });
        // It may fail before anything waits for it.
        delivered.catch(() => undefined);
        const withinMs = comparedCallbackMs(settings);
        await callback.atLeast(1, { withinMs });
        const isAnswered = await Promise.race([delivered.then(isAnsweredLater), delay(answerGraceMs, false)]);
        if (!isAnswered || callback.arrivals.length === 0) {
          answered.resolve();
          await delivered;
          throw new NotExercised(`No callback of ${type} came after a 202, within ${withinMs / 1000} s.`, {
            mayBeOfTraffic: true,
          });
        }
        const lookUp = (what: string) => deliverLookup(kit, 'IncomingCallLookup', {}, { label: what });
        const meanwhile = await untilCertain(
          kit,
          () => lookUp('a lookup while a callback waits for its answer'),
          (lookup) => [measuredTime(lookup)],
        );
        answered.resolve();
        if (toBeInTime(meanwhile) && toBeInTime(await lookUp('a lookup after the callback was answered'))) {
          throw new NotExercised('A lookup after it is late as well; other checks judge that.', {
            mayBeOfTraffic: true,
          });
        }
        expect(meanwhile).toBeInTime();
      } finally {
        answered.resolve();
      }
    },
    { alone: 'surface-first' },
  );
});

function isAnsweredLater({ answer }: CrmObservation): boolean {
  return answer.outcome === 'answered' && answer.status === 202;
}
