import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import type { MessageReceived } from '../../specs/generated/types.ts';
import { toBeAccepted } from '../matchers/answer-matchers.ts';
import { extremeEvents, moderateEvents } from '../events-to-send.ts';
import { forAnyEvent } from '../for-any-event.ts';
import { deliverGenerated } from './generated-messages.ts';

describe.concurrent('own-ai-chat any event', () => {
  for (const [requirement, title, choose] of [
    ['own-ai-chat/answers-any-valid-event', 'any message that the interface allows is answered', moderateEvents],
    [
      'own-ai-chat/answers-long-and-large-values',
      'long strings and large numbers are answered like any others',
      extremeEvents,
    ],
  ] as const) {
    check(requirement, title, async (kit) => {
      await forAnyEvent<MessageReceived>(kit, {
        ...choose<MessageReceived>('messageReceived', kit.settings),
        deliver: (event) => deliverGenerated(kit, event),
        judge: toBeAccepted,
      });
    });
  }
});
