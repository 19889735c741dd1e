/** More deliveries than a run may send to an endpoint that never answers. */
import { describe } from 'vitest';
import { check } from '../../../../../harness/checks/check.ts';
import { expect } from '../../../../../suites/matchers/expect.ts';

describe.concurrent('silent', () => {
  for (let at = 1; at <= 40; at++) {
    check('crm-webhook/answers-every-event', `delivery ${at} is answered`, async ({ crm, sample }) => {
      expect(await crm.deliver(sample.crmEvent('Manual'), { label: `delivery ${at}` })).toBeAccepted();
    });
  }
});
