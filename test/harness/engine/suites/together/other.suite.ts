/** One of two suites that wait for each other. */
import { describe } from 'vitest';
import { check } from '../../../../../harness/checks/check.ts';
import { conclude } from '../../../../../suites/matchers/expect.ts';
import { meet } from '../../meet.ts';

describe.concurrent('other', () => {
  check('crm-webhook/answers-every-event', 'other suite meets the other', async ({ crm, sample }) => {
    await meet();
    conclude(await crm.deliver(sample.crmEvent('Manual'), { label: 'an event' }), undefined);
  });
});
