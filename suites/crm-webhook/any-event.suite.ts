import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import type { CrmEvent } from '../../specs/generated/types.ts';
import { toHaveStatus } from '../matchers/answer-matchers.ts';
import { extremeEvents, moderateEvents } from '../events-to-send.ts';
import { forAnyEvent } from '../for-any-event.ts';
import { sentNow } from '../sent-now.ts';
import { permittedStatuses } from './typical-answers.ts';

describe.concurrent('crm-webhook any event', () => {
  for (const [requirement, title, choose] of [
    ['crm-webhook/answers-any-valid-event', 'any event that the interface allows is answered', moderateEvents],
    [
      'crm-webhook/answers-long-and-large-values',
      'long strings and large numbers are answered like any others',
      extremeEvents,
    ],
  ] as const) {
    check(requirement, title, async (kit) => {
      const callbackDue = choose === moderateEvents && 'if-overtaken';
      await forAnyEvent<CrmEvent>(kit, {
        ...choose<CrmEvent>('crmEvent', kit.settings),
        isUnanswered: ({ eventType }) => kit.crm.isUnanswered(eventType),
        deliver: (event) => kit.crm.deliver(sentNow(event), { label: `generated ${event.eventType}`, callbackDue }),
        judge: (observation) => toHaveStatus(observation, ...permittedStatuses),
      });
    });
  }
});
