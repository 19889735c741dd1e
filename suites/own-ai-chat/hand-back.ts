import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { isAccepted } from '../observed-effects.ts';
import { conclude } from '../matchers/expect.ts';
import { contentOfAnswer, isAnswered } from './collect-answers.ts';
import { playConversation } from './conversation.ts';
import { lastReplyMs } from './replies.ts';
import { messageWithText, say } from './typical-answers.ts';

/** Fewest messages after the hand-back: an AI may stay quiet for one. */
const fewestAfter = 2;

/**
 * Judges whether the AI answers `stimuli.chat.answer` in a conversation that the team had and handed back, as it did
 * before. Staying quiet is permitted, so a finding needs an answer to the same sentence before, and in a new conversation
 * afterwards.
 */
export async function judgeHandBack(kit: CheckKit): Promise<void> {
  const { settings, notExercised } = kit;
  const sentence = settings.config.stimuli.chat?.answer;
  if (sentence === undefined) return notExercised('No stimuli.chat.answer is configured.');
  const messages = await playConversation(kit);
  const withTeam = messages.findIndex((message) => !isOn(message));
  if (withTeam < 0) return notExercised('The team never had the conversation.');
  const isAsked = (message: ChatObservation) => dataOf(message).message.text === sentence && isOn(message);
  const before = messages.slice(0, withTeam).filter(isAsked);
  const after = messages.slice(withTeam).filter(isAsked);
  const [last] = after.slice(-1);
  if (!last || after.length < fewestAfter || !after.every(isAccepted)) {
    return notExercised(`Fewer than ${fewestAfter} messages after the hand-back were accepted.`);
  }
  if (!(await isAnyAnswered(kit, before))) {
    return notExercised('The sentence was not answered before the team had the conversation.');
  }
  if (await isAnyAnswered(kit, after)) return conclude(last, undefined);
  if (after.some((message) => contentOfAnswer(message).content === 'unknown'))
    return notExercised('An answer cannot be read; other checks judge that.');
  const label = 'the sentence "answer" in a new conversation, after one was handed back';
  const control = await say(kit, label, messageWithText(kit, sentence));
  const isStillAnswered = await isAnswered(kit, control, lastReplyMs(kit));
  // The answers of a slow queue may have come by now.
  if (!isStillAnswered || (await isAnyAnswered(kit, after)))
    return notExercised('The same sentence is not answered in a new conversation either, or was answered late.');
  conclude(last, {
    expected: 'an answer to stimuli.chat.answer, as before the team had the conversation',
    received: `none to ${after.length} messages after it was handed back`,
    hint: 'Decide by data.autoReply of each event, not by that of an earlier one.',
  });
}

/** Whether one of the messages is answered, at once or by a reply that comes in time. */
async function isAnyAnswered(kit: CheckKit, messages: readonly ChatObservation[]): Promise<boolean> {
  const isAnnounced = messages.some(({ answer }) => answer.outcome === 'answered' && answer.status === 202);
  const withinMs = isAnnounced ? lastReplyMs(kit) : kit.settings.quietMs;
  const first = messages.map(async (message) => {
    if (!(await isAnswered(kit, message, withinMs))) throw new Error('not answered');
  });
  return await Promise.any(first).then(
    () => true,
    () => false,
  );
}

function dataOf({ event }: ChatObservation): ChatData {
  return event.data as ChatData;
}

function isOn(message: ChatObservation): boolean {
  return dataOf(message).autoReply.state === 'on';
}
