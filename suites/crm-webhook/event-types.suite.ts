import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import { expect } from '../matchers/expect.ts';
import { judgeLegacyNumber, sendLegacyNumber } from './legacy-numbers.ts';
import { permittedStatuses, typicalAnswer, unknownCallerAnswer } from './typical-answers.ts';
import { crmEventTypes, legacyEventTypes, lookupEventTypes } from '../../specs/crm-event-types.ts';

describe.concurrent('crm-webhook event types', () => {
  for (const type of crmEventTypes) {
    check('crm-webhook/answers-every-event', `${type} is answered 200, 202 or 204`, async (kit) => {
      expect(await typicalAnswer(kit, type)).toHaveStatus(...permittedStatuses);
    });
  }

  for (const type of lookupEventTypes) {
    check(
      'crm-webhook/answers-every-event',
      `${type} of an unknown caller is answered 200, 202 or 204`,
      async (kit) => {
        expect(await unknownCallerAnswer(kit, type)).toHaveStatus(...permittedStatuses);
      },
    );
  }

  legacyEventTypes.forEach((name, number) => {
    check('crm-webhook/accepts-legacy-numbers', `eventType ${number} is answered as ${name} may be`, async (kit) => {
      expect(await sendLegacyNumber(kit, number, name)).toHaveStatus(...permittedStatuses);
    });

    check('crm-webhook/legacy-number-means-its-name', `eventType ${number} is treated as ${name}`, (kit) =>
      judgeLegacyNumber(kit, number, name),
    );
  });

  check('crm-webhook/unknown-event-name-204', 'an event type that came later is answered 204', async (kit) => {
    const event = deviating({ ...kit.sample.crmEvent('Manual'), eventType: 'ConversationTagged' }, '/eventType');
    expect(await kit.crm.deliver(event, { label: 'an unknown eventType' })).toHaveStatus(204);
  });

  check(
    'crm-webhook/unknown-event-name-204',
    'an event type of appointments that came later is answered 204',
    async (kit) => {
      const known = kit.sample.crmEvent('AppointmentFinished');
      const event = deviating({ ...known, eventType: 'AppointmentNoShow' }, '/eventType');
      expect(await kit.crm.deliver(event, { label: 'an unknown eventType with appointmentData' })).toHaveStatus(204);
    },
  );

  for (const number of [6, 99]) {
    check('crm-webhook/unknown-event-number-204', `the unknown eventType ${number} is answered 204`, async (kit) => {
      const event = deviating({ ...kit.sample.crmEvent('Manual'), eventType: number }, '/eventType');
      const label = `the unknown eventType ${number}`;
      expect(await kit.crm.deliver(event, { label })).toHaveStatus(204);
    });
  }
});
