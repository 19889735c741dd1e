import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { toBeAccepted } from '../matchers/answer-matchers.ts';
import { expect } from '../matchers/expect.ts';
import { redeliverAtOnce, redeliverLater } from './redeliveries.ts';
import { sampleEvent } from './sample-event.ts';

describe.concurrent('api-webhooks redelivery', () => {
  check('api-webhooks/accepts-redelivery', 'a delivery that comes again is accepted again', async (kit) => {
    for (const answer of (await redeliverLater(kit)).answers) expect(answer).toBeAccepted();
  });

  check('api-webhooks/accepts-redelivery-at-once', 'a delivery that comes twice at once is accepted', async (kit) => {
    for (const answer of (await redeliverAtOnce(kit)).answers) expect(answer).toBeAccepted();
  });

  check('api-webhooks/answers-200', 'a delivery that comes again is answered 200', async (kit) => {
    const delivery = kit.hooks.sign(sampleEvent(kit));
    await kit.hooks.post(delivery, { label: 'a delivery, to come again' });
    const again = await kit.hooks.post(delivery, { label: 'the same X-Svc-Delivery-Id again' });
    if (toBeAccepted(again)) return kit.notExercised('The repeated delivery was not accepted.');
    expect(again).toHaveStatus(200);
  });
});
