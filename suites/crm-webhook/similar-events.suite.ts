import { isDeepStrictEqual } from 'node:util';
import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { CrmEvent } from '../../specs/generated/types.ts';
import { conclude } from '../matchers/expect.ts';
import { judgeCallersAtOnce } from './known-caller.ts';
import { hasFlaggedPart } from './outcome-difference.ts';

describe.concurrent('crm-webhook similar events', () => {
  check(
    'crm-webhook/keeps-callers-apart',
    'lookups of an unknown caller at the same moment bring no data of the configured one',
    judgeCallersAtOnce,
  );

  check(
    'crm-webhook/handles-similar-events',
    'two calls of one contact in the same second are each answered',
    async (kit) => {
      const { crm, sample } = kit;
      const event = sample.crmEvent('IncomingCallLookup', { contactData: sample.contactWithoutCrmData() });
      const first =
        earlierLookup(kit, event) ?? (await crm.deliver(event, { label: 'the first of two calls of one contact' }));
      const second = await crm.deliver(event, { label: 'the second of two calls of one contact' });
      if (!hasFlaggedPart(first)) {
        return kit.notExercised('The first of the two brought no data at once, so there is nothing to compare.');
      }
      const again = hasFlaggedPart(second)
        ? second
        : await crm.deliver(event, { label: 'a third call of this contact' });
      conclude(
        again,
        hasFlaggedPart(again)
          ? undefined
          : {
              expected: 'data for each call of a contact, as for the first one',
              received: 'none for the second and the third one',
              hint: 'They are different events: only an event with the same callbackUrl is a repetition.',
            },
      );
    },
  );
});

/** An earlier lookup of the same contact, with the same data about it, that was answered with data. */
function earlierLookup(
  { crm }: CheckKit,
  { eventType, contactData }: Omit<CrmEvent, 'callbackUrl'>,
): CrmObservation | undefined {
  return crm.delivered.find(
    (one) =>
      one.event['eventType'] === eventType &&
      isDeepStrictEqual(one.event['contactData'], contactData) &&
      hasFlaggedPart(one),
  );
}
