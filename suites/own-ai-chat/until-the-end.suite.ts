import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { playConversation } from './conversation.ts';
import { generatedMessages } from './generated-messages.ts';
import { judgeTimes } from './timed-messages.ts';

describe.concurrent('own-ai-chat until the end', () => {
  for (const [title, messages] of [
    ['every message of a longer conversation is answered within timeoutSeconds', playConversation],
    ['every generated message is answered within timeoutSeconds', generatedMessages],
  ] as const) {
    check('own-ai-chat/answers-in-time', title, async (kit) => {
      await judgeTimes(kit, await messages(kit));
    });
  }
});
