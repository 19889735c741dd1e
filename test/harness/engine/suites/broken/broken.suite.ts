/** A suite that cannot be loaded. */
import { check } from '../../../../../harness/checks/check.ts';
import { expect } from '../../../../../suites/matchers/expect.ts';

check('crm-webhook/answers-every-event', 'is registered before the fault', ({ session }) => {
  expect(session).toBeDefined();
  return Promise.resolve();
});

throw new Error('This suite is faulty.');
