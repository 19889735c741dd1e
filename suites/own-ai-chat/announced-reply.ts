import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { conclude } from '../matchers/expect.ts';
import { requestsForCustomers } from './collect-answers.ts';
import { awaitReplies, lastReplyMs, misdirectedReplies } from './replies.ts';

/**
 * Judges whether the sentence of the config that is answered later leads to a reply, where messages with it were answered
 * 202. Not exercised where the AI answers customers in another way.
 */
export async function judgeAnnouncedReply(kit: CheckKit): Promise<void> {
  const { chat, settings, notExercised } = kit;
  const sentence = settings.config.stimuli.chat?.async;
  if (sentence === undefined) {
    return notExercised('No stimuli.chat.async is configured: a sentence that the AI answers later.');
  }
  await awaitReplies(kit);
  const announced = chat.delivered.filter(
    ({ answer, event }) =>
      answer.outcome === 'answered' && answer.status === 202 && (event.data as ChatData).message.text === sentence,
  );
  const last = announced.at(-1);
  if (!last) return notExercised('No message with the sentence stimuli.chat.async was answered 202.');
  const withinMs = Math.max(0, last.at + lastReplyMs(kit) - performance.now());
  if (!announced.some((message) => hasReply(kit, message))) {
    await Promise.race(announced.map(({ replies }) => replies.atLeast(1, { withinMs })));
  }
  for (const message of announced) {
    if (hasReply(kit, message)) return conclude(message.replies.arrivals[0] ?? message, undefined);
  }
  if (misdirectedReplies(kit).length > 0 || requestsForCustomers(kit, announced).length > 0) {
    return notExercised('The AI replied at another address or through API v1; other checks judge that.');
  }
  conclude(last, {
    expected: 'a reply to replyUrl of a message with the sentence stimuli.chat.async, which was answered 202',
    received: `none to ${announced.length} messages within ${Math.round((performance.now() - last.at) / 1000)} s of the last one`,
    hint: 'Send each reply to replyUrl of the event that it answers, not to one that was kept from an earlier event, and check that the work that follows the 202 is started.',
  });
}

/** Whether a reply came to replyUrl, or to the listed address of the project before the next message. */
function hasReply({ inbox }: CheckKit, { event, replies }: ChatObservation): boolean {
  if (replies.arrivals.length > 0) return true;
  const { projectId, message } = event.data as ChatData;
  const { turns } = inbox.service.inbox.conversations.get(projectId);
  const at = turns.findIndex(({ messageId }) => messageId === message.id);
  const next = turns.slice(at + 1).find(({ role }) => role === 'customer' || role === 'agent');
  return at >= 0 && next?.role === 'agent';
}
