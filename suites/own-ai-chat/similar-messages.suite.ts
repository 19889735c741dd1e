import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { conclude } from '../matchers/expect.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import { isAnswered } from './collect-answers.ts';
import { sentAtOnce } from './sent-at-once.ts';
import { messageWithText, say, pastTime } from './typical-answers.ts';

/** A pair in which one message is not answered is sent once more: an AI may have stayed quiet by chance. */
const attempts = 2;

/** Two messages; `first` and `second` are the fields that each has. */
interface Pair {
  what: string;
  /** One after the other: the second is sent when the first is answered. */
  inOrder?: true;
  makePair: (kit: CheckKit) => [first: Partial<ChatData>, second: Partial<ChatData>];
}

const pairs: readonly Pair[] = [
  {
    what: 'messages of one contact with the same text in the same second, in two conversations,',
    makePair: ({ sample }) => {
      const { contact } = sample.messageReceived().data;
      return [{ contact }, { contact }];
    },
  },
  {
    what: 'messages of two contacts with the same text in the same second',
    makePair: () => [{}, {}],
  },
  {
    what: 'two messages in the same conversation with the same text',
    inOrder: true,
    makePair: ({ sample }) => {
      const { contact, projectId } = sample.messageReceived().data;
      return [
        { contact, projectId },
        { contact, projectId },
      ];
    },
  },
];

describe.concurrent('own-ai-chat similar messages', () => {
  for (const pair of pairs) {
    check('own-ai-chat/answers-similar-messages', `${pair.what} are each answered`, async (kit) => {
      for (let attempt = 1; ; attempt++) {
        const { messages, answered } = await send(kit, pair);
        const accepted = messages.every(({ answer }) => answer.outcome === 'answered' && isSuccess(answer.status));
        if (!accepted) return kit.notExercised('They were not both accepted; another check judges that.');
        if (answered.every((one) => !one)) return kit.notExercised('Neither of the two was answered.');
        const silent = messages[answered.indexOf(false)];
        if (silent && attempt < attempts) continue;
        for (const message of messages) {
          conclude(
            message,
            message === silent
              ? {
                  expected: `an answer to each of two ${pair.what.replace(/^two /, '').replace(/,$/, '')}`,
                  received: `none to the ${answered[0] ? 'second' : 'first'} one, and one to the other, ${attempts} times`,
                  hint: 'They are different events: only an event with the same id is a repetition.',
                }
              : undefined,
          );
        }
        return;
      }
    });
  }
});

async function send(
  kit: CheckKit,
  { what, inOrder, makePair }: Pair,
): Promise<{ messages: ChatObservation[]; answered: boolean[] }> {
  const { sample, settings, chat } = kit;
  const text = settings.config.stimuli.chat?.answer ?? sample.messageReceived().data.message.text;
  // Some time ago, so that hardly any other message of the run has this text and this time.
  const receivedAt = pastTime(kit);
  const sayOne = (over: Partial<ChatData>, nth: string) => {
    const { message } = messageWithText(kit, text);
    return say(kit, `${nth} of ${what.replace(/,$/, '')}`, { ...over, message: { ...message, receivedAt } });
  };
  const [first, second] = makePair(kit);
  const messages: ChatObservation[] = [];
  if (inOrder) {
    const before = await sayOne(first, 'the first');
    await isAnswered(kit, before, isDue(kit, before) ? chat.timeoutMs : settings.quietMs);
    messages.push(before, await sayOne(second, 'the second'));
  } else {
    const sayBoth = () => Promise.all([sayOne(first, 'the first'), sayOne(second, 'the second')]);
    messages.push(...(await sentAtOnce(kit, 2, sayBoth)));
  }
  // Where one is answered, the other one is due as well.
  const within = (ms: number) => Promise.all(messages.map((message) => isAnswered(kit, message, ms)));
  const soon = await within(settings.quietMs);
  const areDue = soon.includes(true) || messages.some((message) => isDue(kit, message));
  const answered = areDue ? await within(chat.timeoutMs) : soon;
  return { messages, answered };
}

/** Whether a reply may be on its way: a 202 announces one, and an AI that has replied to a message may do so again. */
function isDue({ chat }: CheckKit, { answer }: ChatObservation): boolean {
  if (answer.outcome === 'answered' && answer.status === 202) return true;
  return chat.delivered.some(({ replies }) => replies.count > 0);
}
