import type { CheckKit } from '../../harness/checks/check.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { jsonObjectOf } from '../json-object.ts';
import { conclude } from '../matchers/expect.ts';
import { watchUntilTheEnd } from '../watch-until-the-end.ts';
import {
  askAgain,
  isAtReplyUrl,
  notRefusedReason,
  refused,
  sameReply,
  sayNext,
  type NextMessage,
  type RefusedReply,
} from './repeated-replies.ts';
import { askForLater, firstReply } from './replies.ts';

/** How much longer than the conversation itself the one that it is compared with is watched. */
const comparisonFactor = 2;

/**
 * Judges whether a reply that was refused with 409 comes again with the reply to the next message of its conversation. The
 * same text alone proves nothing, since each of two messages may be answered with it. A finding needs more replies than
 * messages, and a conversation without a refusal in which each message has one reply.
 */
export async function judgeNextReply(kit: CheckKit): Promise<void> {
  const { notExercised } = kit;
  const refusal = await refused(kit, 409);
  if (!refusal.came) return notExercised(notRefusedReason(refusal));
  if (!isAtReplyUrl(refusal)) return notExercised('The reply did not come to replyUrl itself.');
  const next = await nextMessage(kit, refusal);
  if (!next) return notExercised('The endpoint stopped at the next message of the conversation.');
  await next.reply;
  const [first] = repliesSince(next, refusal);
  if (!first) {
    return notExercised(
      'No later reply to the next message of the conversation arrived, with which it could come again.',
    );
  }
  await watchUntilTheEnd(kit, first.at);
  const replies = repliesSince(next, refusal);
  const again = replies.find((reply) => refusedBefore(next, refusal).some((one) => isRepetition(reply, one)));
  if (!again || replies.length === 1) return conclude(first, undefined);
  const lastMs = Math.max(...replies.map(({ at }) => at)) - next.message.at;
  if (refusedBefore(next, refusal).length > 1 || !(await repliesOncePerMessage(kit, comparisonFactor * lastMs))) {
    return notExercised(
      'The refused reply may be one of several to the next message: the AI does not send exactly one to each message.',
    );
  }
  conclude(again, {
    expected: 'the reply to be dropped after 409 project_not_with_agent',
    received: `it again, among ${replies.length} replies after the next message of the conversation`,
    hint: 'Remove a reply from the queue of its conversation after 409 as after 2xx: another attempt reaches the customer late.',
  });
}

/** The next message of the conversation; `undefined` if the endpoint stopped. */
export async function nextMessage(kit: CheckKit, refusal: RefusedReply): Promise<NextMessage | undefined> {
  if (!isAtReplyUrl(refusal)) return undefined;
  return await sayNext(kit, refusal).catch((error: unknown) => {
    if (error instanceof HarnessFault && error.code === 'target-stopped') return undefined;
    throw error;
  });
}

/**
 * The replies since the next message was sent, in order. Those at the first replyUrl are included: an AI may keep one for
 * each conversation.
 */
function repliesSince({ message }: NextMessage, { observation }: RefusedReply): Arrival[] {
  const earlier = observation.replies.arrivals.filter(({ at }) => at > message.at);
  return [...message.replies.arrivals, ...earlier].toSorted((a, b) => a.at - b.at);
}

/** The replies to the first message before the next one was sent. */
function refusedBefore({ message }: NextMessage, { observation }: RefusedReply): Arrival[] {
  return observation.replies.arrivals.filter(({ at }) => at < message.at);
}

function isRepetition(reply: Arrival, refused: Arrival): boolean {
  const text = textOf(reply);
  return sameReply(reply, refused) || (text !== '' && text === textOf(refused));
}

function textOf({ request }: Arrival): string {
  const text = jsonObjectOf(request.body)?.text;
  return typeof text === 'string' ? text : '';
}

/** Whether two messages of a conversation in which nothing is refused have one reply each, within this time. */
async function repliesOncePerMessage(kit: CheckKit, watchedMs: number): Promise<boolean> {
  const withinMs = Math.max(kit.settings.quietMs, watchedMs);
  const watch = async (message: ChatObservation) => {
    await firstReply(kit, message);
    await message.replies.atLeast(2, { withinMs });
  };
  const first = await askForLater(kit, 'a message of another conversation, whose reply is accepted');
  await watch(first);
  if (first.replies.count !== 1) return false;
  const second = await askAgain(kit, 'the next message of that conversation', { before: first, answeredBy: 'agent' });
  await watch(second);
  return first.replies.count + second.replies.count === 2;
}
