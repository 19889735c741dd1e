import { ChatConversation } from '../../harness/wire/chat-conversation.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import { beginForOthers } from '../../harness/checks/check-record.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { once } from '../once.ts';

/** The messages of one longer conversation, with every configured sentence; played once in a run. */
export function playConversation({ session, settings, sample }: CheckKit): Promise<readonly ChatObservation[]> {
  return once(session, 'chat conversation', async () => {
    const { answer = sample.messageReceived().data.message.text, ...asked } = settings.config.stimuli.chat ?? {};
    const conversation = new ChatConversation(session);
    const messages: ChatObservation[] = [];
    for (const text of [answer, ...Object.values(asked), answer, answer]) {
      // The team takes the conversation for one message and then hands it back.
      const wasWithTeam = conversation.isWithTeam;
      messages.push(await conversation.say(text));
      if (wasWithTeam) conversation.handBack();
    }
    return messages;
  });
}

/** Begins the conversation, whose messages wait for one another, so that the checks that judge it at the end need not. */
export function beginConversation(kit: CheckKit): void {
  if (kit.settings.only.length === 0) beginForOthers(() => playConversation(kit));
}
