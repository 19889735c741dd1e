import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { limits } from '../../specs/limits.ts';
import type { MessageReceived } from '../../specs/generated/types.ts';
import { toBeAccepted } from '../matchers/answer-matchers.ts';
import { extremeEvents, moderateEvents } from '../events-to-send.ts';
import { forAnyEvent } from '../for-any-event.ts';
import { expect } from '../matchers/expect.ts';
import { deliverGenerated } from './generated-messages.ts';
import { longHistory, longRepliesInKana } from './long-histories.ts';
import { say } from './typical-answers.ts';

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

  for (const [what, history] of [
    [`30 turns of ${limits.ownAiTextCharacters} characters each`, longHistory],
    ['the longest replies in a script of three bytes a character', longRepliesInKana],
  ] as const) {
    check('own-ai-chat/answers-long-and-large-values', `a message after ${what} is answered`, async (kit) => {
      expect(await say(kit, `a message after ${what}`, { history: history(kit) })).toBeAccepted();
    });
  }
});
