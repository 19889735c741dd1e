import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { isSuccess } from '../matchers/answer-status.ts';
import { conclude } from '../matchers/expect.ts';
import { contentOfAnswer } from './collect-answers.ts';
import { awaitReplies, noReplyReason } from './replies.ts';

/** Messages without a reply, and replies to another one, from which it cannot be a coincidence. */
const enough = 3;

/**
 * Judges whether the replies to all messages went to replyUrl of one of them. A finding needs several messages that were
 * accepted without content and got no reply, none that got one, and several replies at an address where none was due.
 */
export async function judgeRepliesInOnePlace(kit: CheckKit): Promise<void> {
  const { chat, inbox, notExercised } = kit;
  await awaitReplies(kit);
  const open = chat.delivered.filter(isOpen);
  const replied = open.find(({ replies }) => replies.arrivals.length > 0);
  if (replied) return conclude(replied.replies.arrivals[0] ?? replied, undefined);
  const due = new Set(open.map(({ replies }) => replies.url));
  const [most] = inbox.replyBoxes.filter(({ url }) => !due.has(url)).toSorted((one, other) => other.count - one.count);
  const arrival = most?.arrivals.at(-1);
  if (!most || !arrival || open.length < enough || most.count < enough) return notExercised(noReplyReason);
  conclude(arrival, {
    expected: 'the reply to each message at the replyUrl of its event',
    received: `${most.count} replies at the replyUrl of one message, and none at those of ${open.length} messages that were accepted without an answer`,
    hint: 'Keep replyUrl with the job of each message, not with the assistant or the process: every event has its own.',
  });
}

/** Whether a message was accepted without an answer, so that a reply may follow. */
function isOpen(message: ChatObservation): boolean {
  const { answer } = message;
  return answer.outcome === 'answered' && isSuccess(answer.status) && contentOfAnswer(message).content === 'nothing';
}
