import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { requireRead } from '../answer-bodies.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { unknownCallerAnswer, bodyOf, dataPart, permittedStatuses, typicalAnswer } from './typical-answers.ts';
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
      expect(await sendNumber(kit, number)).toHaveStatus(...permittedStatuses);
    });

    check('crm-webhook/legacy-number-means-its-name', `eventType ${number} is treated as ${name}`, async (kit) => {
      const byName = flagsOf(await sendName(kit, number));
      if (byName === undefined) {
        return kit.notExercised(
          `${name} was not answered with data, so there is nothing to compare eventType ${number} with.`,
        );
      }
      const numbered = await sendNumber(kit, number);
      const byNumber = flagsOf(numbered);
      if (byNumber === undefined && !isEmptyAnswer(numbered)) {
        return kit.notExercised(
          `eventType ${number} was not answered with data at once; that it is answered is judged elsewhere.`,
        );
      }
      if (flagsOf(await sendName(kit, number)) !== byName) {
        return kit.notExercised(`${name} is not answered alike from one time to the next.`);
      }
      conclude(
        numbered,
        byNumber === byName
          ? undefined
          : {
              expected: `eventType ${number} to be answered like ${name} (${byName})`,
              received: byNumber ?? `no data (${statusOf(numbered)})`,
              hint: 'Until October 2026 eventType was a number; both forms are in use.',
              part: dataPart(numbered),
            },
      );
    });
  });

  check('crm-webhook/unknown-event-name-204', 'an event type that came later is answered 204', async (kit) => {
    const event = deviating({ ...kit.sample.crmEvent('Manual'), eventType: 'ConversationTagged' }, '/eventType');
    expect(await kit.crm.deliver(event, { label: 'an unknown eventType' })).toHaveStatus(204);
  });

  for (const number of [6, 99]) {
    check('crm-webhook/unknown-event-number-204', `the unknown eventType ${number} is answered 204`, async (kit) => {
      const event = deviating({ ...kit.sample.crmEvent('Manual'), eventType: number }, '/eventType');
      const label = `the unknown eventType ${number}`;
      expect(await kit.crm.deliver(event, { label })).toHaveStatus(204);
    });
  }
});

function sendName({ crm, sample }: CheckKit, number: number): Promise<CrmObservation> {
  return crm.deliver(sample.crmEvent(legacyEventTypes[number] ?? 'Manual'));
}

function sendNumber({ crm, sample }: CheckKit, number: number): Promise<CrmObservation> {
  const event = deviating(
    { ...sample.crmEvent(legacyEventTypes[number] ?? 'Manual'), eventType: number },
    '/eventType',
  );
  return crm.deliver(event, { label: `eventType ${number} (${legacyEventTypes[number]})` });
}

/** The parts in an answer: `contact update`, `project update`, both; `undefined` when it has none at once. */
function flagsOf(observation: CrmObservation): string | undefined {
  requireRead(200, [observation]);
  const body = bodyOf(observation) as
    { requestContactUpdate?: unknown; requestProjectUpdate?: unknown } | null | undefined;
  const flags = [
    ...(body?.requestContactUpdate === true ? ['contact update'] : []),
    ...(body?.requestProjectUpdate === true ? ['project update'] : []),
  ];
  return flags.length === 0 ? undefined : flags.join(' and ');
}

function isEmptyAnswer({ answer }: CrmObservation): boolean {
  return answer.outcome === 'answered' && (answer.status === 204 || answer.status === 200);
}

function statusOf({ answer }: CrmObservation): string {
  return answer.outcome === 'answered' ? `status ${answer.status}` : answer.outcome;
}
