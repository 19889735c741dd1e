import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { timed, timedTogether } from '../certain-time.ts';
import { expect } from '../matchers/expect.ts';

/** Messages one after the other, and at once. An own AI may cost money per message, so they are few. */
const inARow = 2;
const atOnce = 5;
/** Name of the times in the report. */
const answers = 'own-ai-chat/answer';

describe.concurrent('own-ai-chat answer times', () => {
  check(
    'own-ai-chat/answers-in-time',
    'a message is answered within timeoutSeconds',
    async (kit) => {
      for (let at = 0; at < inARow; at++) {
        expect(await timed(kit, answers, () => say(kit, 'a message, timed'))).toBeInTime();
      }
    },
    { alone: true },
  );

  check(
    'own-ai-chat/answers-in-time-in-parallel',
    'messages of several customers at once are each answered within timeoutSeconds',
    async (kit) => {
      const labels = Array.from({ length: atOnce }, (_, at) => `a message, ${at + 1} of ${atOnce} at once`);
      const all = await timedTogether(kit, answers, () => Promise.all(labels.map((label) => say(kit, label))));
      for (const answer of all) expect(answer).toBeInTime();
    },
    { alone: true },
  );
});

async function say({ chat, sample }: CheckKit, label: string): Promise<ChatObservation> {
  return await chat.deliver(chat.open(sample.messageReceived()), {
    label,
    timed: true,
    limitMs: chat.timeoutMs,
    timeoutMs: chat.timedAnswerMs,
  });
}
