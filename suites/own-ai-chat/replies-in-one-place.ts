import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import { conclude } from '../matchers/expect.ts';
import { contentOfAnswer } from './collect-answers.ts';
import { awaitReplies, noReplyReason } from './replies.ts';

/** Messages without a reply, and replies to another one, from which it cannot be a coincidence. */
const enough = 3;

/**
 * Judges whether the replies to all messages went to replyUrl of one of them. A finding needs several messages that were
 * accepted without an answer and got no reply, none that got one, and several replies that all came to one address where
 * none was due.
 */
export async function judgeRepliesInOnePlace(kit: CheckKit): Promise<void> {
  const { chat, inbox, notExercised } = kit;
  await awaitReplies(kit);
  const open = chat.delivered.filter(isOpen);
  const replied = open.find(({ replies }) => replies.arrivals.length > 0);
  if (replied) return conclude(replied.replies.arrivals[0] ?? replied, undefined);
  const [only, ...others] = inbox.replyBoxes.filter(({ count }) => count > 0);
  const arrival = only?.arrivals.at(-1);
  if (!only || !arrival || others.length > 0 || open.length < enough || only.count < enough) {
    return notExercised(noReplyReason);
  }
  conclude(arrival, {
    expected: 'the reply to each message at the replyUrl of its event',
    received: `${only.count} replies at the replyUrl of one message, and none at those of ${open.length} messages that were accepted without an answer`,
    hint: 'Keep replyUrl with the job of each message, not with the assistant or the process: every event has its own.',
  });
}

/** Whether a message was accepted without an answer while auto-reply is on, so that a reply may follow. */
function isOpen(message: ChatObservation): boolean {
  const { answer, event } = message;
  if (answer.outcome !== 'answered' || !isSuccess(answer.status)) return false;
  return (event.data as ChatData).autoReply.state === 'on' && contentOfAnswer(message).content === 'nothing';
}
