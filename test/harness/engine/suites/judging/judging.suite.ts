/** One check for each way in which a check can end. */
import { describe } from 'vitest';
import { check } from '../../../../../harness/checks/check.ts';
import { FindingError } from '../../../../../harness/checks/finding.ts';
import { HarnessFault } from '../../../../../harness/checks/faults.ts';
import { deviating } from '../../../../../harness/wire/documented-traffic.ts';
import { conclude, expect } from '../../../../../suites/matchers/expect.ts';

const one = 'crm-webhook/answers-every-event';

describe.concurrent('judging', () => {
  check(
    'crm-webhook/answers-any-valid-event',
    'has the endpoint alone before others',
    async ({ crm, sample }) => {
      const event = deviating(sample.crmEvent('Manual', { timestampUtc: 'alone' }), '/timestampUtc');
      expect(await crm.deliver(event)).toBeAccepted();
    },
    { alone: true },
  );

  check(one, 'holds', async ({ crm, sample }) => {
    expect(await crm.deliver(sample.crmEvent('Manual'))).toHaveStatus(200);
  });

  check(one, 'judges nothing', () => Promise.resolve());

  check(one, 'delivers and judges nothing', async ({ crm, sample }) => {
    await crm.deliver(sample.crmEvent('Manual'));
  });

  check(one, 'fails', async ({ crm, sample }) => {
    expect(await crm.deliver(sample.crmEvent('Manual'), { label: 'the one that decides' })).toHaveStatus(204);
  });

  check(one, 'is concluded not to hold', async ({ crm, sample }) => {
    conclude(await crm.deliver(sample.crmEvent('Manual')), { expected: 'more', received: 'less', hint: 'Give more.' });
  });

  check(one, 'throws a finding', () => {
    throw new FindingError({ expected: 'one', received: 'two' });
  });

  check(one, 'is not exercised', ({ notExercised }) => notExercised('There was nothing to judge.'));

  check(one, 'is not exercised after a judgement', async ({ crm, sample, notExercised }) => {
    expect(await crm.deliver(sample.crmEvent('Manual'))).toBeAccepted();
    notExercised('The rest gave nothing to judge.');
  });

  check(one, 'throws a TypeError', () => {
    throw new TypeError('x is not a function');
  });

  check(one, 'throws a string', () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw 'a string';
  });

  check(one, 'sends what is not documented', async ({ crm, sample }) => {
    const event = deviating(sample.crmEvent('Manual', { timestampUtc: 'now' }), '/eventType');
    expect(await crm.deliver(event)).toBeAccepted();
  });

  check(one, 'meets a fault of the harness', () => {
    throw new HarnessFault('still-open:request', { reason: 'It may still come.' });
  });

  check('crm-webhook/flags-are-boolean', 'repeats the token', async ({ crm, sample }) => {
    const observation = await crm.deliver(sample.crmEvent('Manual'), { label: `with ${crm.token}` });
    conclude(observation, { expected: 'no token', received: `the token ${crm.token.toUpperCase()}`, hint: crm.token });
  });

  check(
    'crm-webhook/answers-any-valid-event',
    'has the endpoint alone',
    async ({ crm, sample }) => {
      const event = deviating(sample.crmEvent('Manual', { timestampUtc: 'alone' }), '/timestampUtc');
      expect(await crm.deliver(event)).toBeAccepted();
    },
    { alone: true },
  );
});
