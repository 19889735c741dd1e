import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { isSuccess } from '../matchers/answer-status.ts';
import { conclude } from '../matchers/expect.ts';
import { contentOfAnswer } from './collect-answers.ts';
import { playConversation } from './conversation.ts';

/**
 * Judges whether the AI answers `stimuli.chat.answer` in a conversation that the team had and handed back, as it did
 * before. Staying quiet is permitted, so only a sentence that was answered in this conversation counts.
 */
export async function judgeHandBack(kit: CheckKit): Promise<void> {
  const { chat, settings, notExercised } = kit;
  const sentence = settings.config.stimuli.chat?.answer;
  if (sentence === undefined) return notExercised('No stimuli.chat.answer is configured.');
  const messages = await playConversation(kit);
  const withTeam = messages.findIndex((message) => !isOn(message));
  if (withTeam < 0) return notExercised('The AI did not hand the conversation over, so the team never had it.');
  const asks = ({ event }: ChatObservation) => textOf(event) === sentence;
  const before = messages.slice(0, withTeam).filter(asks);
  const after = messages.slice(withTeam).filter((message) => isOn(message) && asks(message));
  if (!after.every(isAccepted)) return notExercised('Not every message was accepted; other checks judge that.');
  const last = after.at(-1);
  if (!before.some(isAnswered) || !last) {
    return notExercised('The sentence was not answered before the team had the conversation.');
  }
  if (!after.some(isAnswered)) await last.replies.atLeast(1, { withinMs: chat.timeoutMs });
  conclude(
    last,
    after.some(isAnswered)
      ? undefined
      : {
          expected: 'an answer to stimuli.chat.answer, as before the team had the conversation',
          received: `none to ${after.length} messages after it was handed back`,
          hint: 'Decide by data.autoReply of each event; do not remember that a conversation was with the team.',
        },
  );
}

function isOn({ event }: ChatObservation): boolean {
  const { autoReply } = event.data as { autoReply?: { state?: unknown } };
  return autoReply?.state === 'on';
}

function textOf({ data }: Record<string, unknown>): unknown {
  return isJsonObject(data) && isJsonObject(data.message) ? data.message.text : undefined;
}

function isAccepted({ answer }: ChatObservation): boolean {
  return answer.outcome === 'answered' && isSuccess(answer.status);
}

/** Whether an answer or a reply has content; one that cannot be read may have. */
function isAnswered(message: ChatObservation): boolean {
  return contentOfAnswer(message).content !== 'nothing' || message.replies.arrivals.length > 0;
}
