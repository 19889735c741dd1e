import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { ChatConversation } from '../../harness/wire/chat-conversation.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { timed, timedTogether } from '../certain-time.ts';
import { judgeAcceptanceAtOnce, judgeTimesAtOnce } from '../judge-acceptance-at-once.ts';
import { expect } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { sentAtOnce } from './sent-at-once.ts';
import { longReplies } from './long-histories.ts';
import { answerTimes, plainAnswer, sayTimed } from './timed-messages.ts';

/** Messages at once. An own AI may cost money per message, so they are few. */
const atOnce = 5;

/** What a customer adds right after a message. */
const secondText = 'And are you open on Friday?';

describe.concurrent('own-ai-chat answer times', () => {
  check('own-ai-chat/answers-in-time', 'a message is answered within timeoutSeconds', async (kit) => {
    expect(await plainAnswer(kit)).toBeInTime();
  });

  check(
    'own-ai-chat/answers-in-time',
    'a message on a connection that was used before is answered within timeoutSeconds',
    async (kit) => {
      const { chat, sample, notExercised } = kit;
      const onUsedConnection = async () => {
        // A ping is quicker than a message and must not set the pace of messages.
        await chat.post(chat.sign(sample.ping()), { label: 'a ping before the message', timed: true });
        // The client releases the connection only in a later tick.
        await new Promise((wake) => setImmediate(wake));
        return await sayTimed(kit, 'a message on a connection that was used before');
      };
      const answer = await timed(kit, answerTimes, onUsedConnection);
      if (answer.times.connectMs !== null) notExercised('The endpoint closes the connection after each answer.');
      expect(answer).toBeInTime();
    },
    { alone: true },
  );

  check(
    'own-ai-chat/answers-in-time-in-parallel',
    'messages of several customers at once are each answered within timeoutSeconds',
    async (kit) => {
      judgeTimesAtOnce(await messagesAtOnce(kit));
    },
    { alone: 'surface-first' },
  );

  check(
    'own-ai-chat/accepts-messages-at-once',
    'messages of several customers at once are each accepted',
    async (kit) => {
      // Missing answers are judged with the time.
      await judgeAcceptanceAtOnce(kit, await messagesAtOnce(kit), () => sayTimed(kit, 'one message alone'));
    },
    { alone: 'surface-first' },
  );

  check(
    'own-ai-chat/accepts-messages-at-once',
    'a second message of the same customer is accepted while the first one is handled',
    async (kit) => {
      const { chat, sample, session } = kit;
      const conversation = new ChatConversation(session);
      const send = (label: string, text: string) =>
        conversation.send(text, { label, limitMs: chat.timeoutMs, timeoutMs: chat.timedAnswerMs });
      const { text } = sample.messageReceived().data.message;
      const messages = await sentAtOnce(kit, 2, () =>
        Promise.all([
          send('the first of two messages of one conversation at once', text),
          send('the second of two messages of one conversation at once', secondText),
        ]),
      );
      await judgeAcceptanceAtOnce(kit, messages, () => send('a message of this conversation alone', text));
    },
    { alone: 'surface-first' },
  );

  check(
    'own-ai-chat/answers-in-time-in-parallel',
    'a message is answered within timeoutSeconds while others with long histories are handled',
    async (kit) => {
      const long = 'a message with a long history, at the same time';
      const labels = [long, long, 'a message while others with long histories are handled'];
      const say = (label: string) => sayTimed(kit, label, label === long ? { history: longReplies(kit) } : {});
      const all = await together(kit, say, labels);
      // How long the others take is judged where each of them is the only one.
      const others = all.filter(({ label }) => label !== long);
      judgeTimesAtOnce(others);
    },
    { alone: 'surface-first' },
  );
});

/** Messages of several customers at the same moment; sent once in a run. */
function messagesAtOnce(kit: CheckKit): Promise<ChatObservation[]> {
  const labels = Array.from({ length: atOnce }, (_, at) => `a message, ${at + 1} of ${atOnce} at once`);
  return once(kit.session, 'chat messages at once', () => together(kit, (label) => sayTimed(kit, label), labels));
}

function together(
  kit: CheckKit,
  say: (label: string) => Promise<ChatObservation>,
  labels: readonly string[],
): Promise<ChatObservation[]> {
  return timedTogether(kit, answerTimes, () => sentAtOnce(kit, labels.length, () => Promise.all(labels.map(say))));
}
