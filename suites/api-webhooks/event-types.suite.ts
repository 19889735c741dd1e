import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { subscribedTypes } from '../../harness/config/subscribed-types.ts';
import { appointmentEventTypes } from '../../specs/appointment-event-types.ts';
import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import { toBeAccepted } from '../matchers/answer-matchers.ts';
import { expect } from '../matchers/expect.ts';
import { plainAnswer } from './sample-event.ts';

describe.concurrent('api-webhooks event types', () => {
  for (const type of appointmentEventTypes) {
    check('api-webhooks/accepts-every-event-type', `${type} is accepted`, async (kit) => {
      requireSubscribed(kit, type);
      expect(await plainAnswer(kit, type)).toBeAccepted();
    });
    check('api-webhooks/answers-200', `${type} is answered 200`, async (kit) => {
      requireSubscribed(kit, type);
      const observation = await plainAnswer(kit, type);
      // Whether it is accepted at all is a separate requirement.
      if (toBeAccepted(observation)) return kit.notExercised(`${type} was not accepted.`);
      expect(observation).toHaveStatus(200);
    });
  }
});

function requireSubscribed({ settings, notExercised }: CheckKit, type: ApiWebhookEvent['type']): void {
  if (subscribedTypes(settings.config).includes(type)) return;
  notExercised(`apiWebhooks.events does not list ${type}, so it is not sent.`);
}
