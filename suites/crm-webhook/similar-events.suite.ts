import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { utcTimestamp } from '../../harness/checks/samples.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { lookupEventTypes } from '../../specs/crm-event-types.ts';
import { conclude } from '../matchers/expect.ts';
import { judgeCallersAtOnce, judgeOwnData } from './callers-apart.ts';
import { hasFlaggedPart } from './outcome-difference.ts';
import { judgeSummariesApart } from './summaries-apart.ts';

/** A pair whose second call brings no data is sent once more. */
const attempts = 2;
/** Milliseconds between two calls, and before now, so that lookups of other checks have other times. */
const minuteMs = 60_000;

describe.concurrent('crm-webhook similar events', () => {
  check(
    'crm-webhook/keeps-callers-apart',
    'lookups of an unknown caller at the same moment bring no data of the configured one',
    judgeCallersAtOnce,
  );

  check(
    'crm-webhook/answers-each-caller-with-its-own-data',
    'a lookup of an unknown caller brings no data of the configured one',
    judgeOwnData,
  );

  for (const type of lookupEventTypes) {
    check(
      'crm-webhook/answers-each-caller-with-its-own-data',
      `${type} of other callers brings no summary of an earlier event`,
      (kit) => judgeSummariesApart(kit, type),
    );
  }

  check(
    'crm-webhook/handles-similar-events',
    'two calls of one contact in the same second are each answered',
    async (kit) => {
      const now = Date.now();
      const call = (label: string, minutesAgo: number) =>
        lookUpAt(kit, label, utcTimestamp(now - minutesAgo * minuteMs));
      if (!hasFlaggedPart(await call('a call of one contact', 1))) {
        return kit.notExercised('A call of the contact brought no data at once, so there is nothing to compare.');
      }
      for (let attempt = 1; ; attempt++) {
        const first = await call('the first of two calls in the same second', attempt + 1);
        const second = await call('the second of two calls in the same second', attempt + 1);
        if (!hasFlaggedPart(first)) {
          return kit.notExercised('A contact whose data were supplied before is answered without data, as permitted.');
        }
        if (hasFlaggedPart(second)) return conclude(second, undefined);
        if (attempt < attempts) continue;
        if (!hasFlaggedPart(await call('a call in another second', attempt + 2))) {
          return kit.notExercised('Calls of this contact no longer bring data.');
        }
        return conclude(second, {
          expected: 'data for each of two calls of a contact in the same second, as for calls in different seconds',
          received: `none for the second one, ${attempts} times out of ${attempts}`,
          hint: 'They are different events: only an event with the same callbackUrl is a repetition.',
        });
      }
    },
  );
});

/** Delivers a lookup of the usual contact with this time. */
async function lookUpAt({ crm, sample }: CheckKit, label: string, timestampUtc: string): Promise<CrmObservation> {
  return await crm.deliver(sample.crmEvent('IncomingCallLookup', { timestampUtc }), { label });
}
