import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/check.ts';
import { currentRecord } from '../../harness/check-record.ts';
import type { ChatObservation } from '../../harness/own-ai-chat.ts';
import { expect } from '../matchers/expect.ts';

/** Messages one after the other, and at once. An own AI may cost money per message, so they are few. */
const inARow = 2;
const atOnce = 5;

describe.concurrent('own-ai-chat answer times', () => {
  check(
    'own-ai-chat/answers-in-time',
    'a message is answered within timeoutSeconds',
    async (kit) => {
      for (let at = 0; at < inARow; at++) expect(await timed(kit, 'a message, timed')).toBeInTime();
    },
    { alone: true },
  );

  check(
    'own-ai-chat/answers-in-time-in-parallel',
    'messages of several customers at once are each answered within timeoutSeconds',
    async (kit) => {
      const answers = Array.from({ length: atOnce }, (_, at) =>
        timed(kit, `a message, ${at + 1} of ${atOnce} at once`),
      );
      for (const answer of await Promise.all(answers)) expect(answer).toBeInTime();
    },
    { alone: true },
  );
});

async function timed({ chat, sample }: CheckKit, label: string): Promise<ChatObservation> {
  const { timeoutMs, timedPatienceMs } = chat;
  const observation = await chat.deliver(chat.open(sample.messageReceived()), {
    label,
    timed: true,
    limitMs: timeoutMs,
    patienceMs: timedPatienceMs,
  });
  const { totalMs } = observation.times;
  if (totalMs !== null) currentRecord()?.samples.push({ name: 'own-ai-chat/answer', limit: timeoutMs, ms: totalMs });
  return observation;
}
