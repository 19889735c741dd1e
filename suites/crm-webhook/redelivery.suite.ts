import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { requireRead } from '../answer-bodies.ts';
import { requireControl } from '../require-control.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { redeliverAtOnce, redeliveredTypes, redeliverLater } from './redeliveries.ts';
import { hasFlaggedPart, outcomeDifference, simultaneousDifference } from './outcome-difference.ts';
import { permittedStatuses } from './typical-answers.ts';

const noData = 'No answer to the event had data, so there are no outcomes to compare.';

describe.concurrent('crm-webhook redelivery', () => {
  for (const type of redeliveredTypes) {
    check(
      'crm-webhook/redelivery-has-the-same-outcome',
      `${type} delivered again has the same outcome`,
      async (kit) => {
        const [first, second] = await redeliverLater(kit, type);
        requireControl(first, 'the event when it comes first');
        expect(second).toHaveStatus(...permittedStatuses);
        requireRead(200, [first, second]);
        if (!hasFlaggedPart(first)) return kit.notExercised(noData);
        conclude(second, outcomeDifference(first, second));
      },
    );

    check(
      'crm-webhook/redelivery-at-once-has-the-same-outcome',
      `${type} delivered twice at once has one outcome`,
      async (kit) => {
        const [one, other] = await redeliverAtOnce(kit, type);
        expect(one).toHaveStatus(...permittedStatuses);
        expect(other).toHaveStatus(...permittedStatuses);
        requireRead(200, [one, other]);
        if (!hasFlaggedPart(one) && !hasFlaggedPart(other)) return kit.notExercised(noData);
        conclude(other, simultaneousDifference(one, other));
      },
    );
  }
});
