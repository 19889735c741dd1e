import { ChatConversation } from '../../harness/wire/chat-conversation.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import { beginForOthers } from '../../harness/checks/check-record.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { once } from '../once.ts';

/**
 * The messages of one longer conversation, in which the team has it for one message; played once in a run. It contains
 * every configured sentence but the one that ends a request, after which an AI may stay quiet.
 */
export function playConversation({ session, settings, sample }: CheckKit): Promise<readonly ChatObservation[]> {
  return once(session, 'chat conversation', async () => {
    const {
      answer = sample.messageReceived().data.message.text,
      end: _,
      ...asked
    } = settings.config.stimuli.chat ?? {};
    const conversation = new ChatConversation(session);
    const messages: ChatObservation[] = [];
    let teamHadIt = false;
    const sayToTeam = async () => {
      messages.push(await conversation.say(answer));
      conversation.handBack();
      teamHadIt = true;
    };
    for (const text of [answer, ...Object.values(asked)]) {
      messages.push(await conversation.say(text));
      if (conversation.isWithTeam && !conversation.isForwarded) await sayToTeam();
    }
    if (!teamHadIt) {
      // A forwarded conversation comes back first; until then the service sends no message.
      if (conversation.isForwarded) conversation.handBack();
      conversation.takeOver();
      await sayToTeam();
    }
    messages.push(await conversation.say(answer), await conversation.say(answer));
    return messages;
  });
}

/** The messages of a conversation that continues after the sentence that ends it; `undefined` without such a sentence. */
export function continueAfterEnd({
  session,
  settings,
  sample,
}: CheckKit): Promise<readonly ChatObservation[] | undefined> {
  return once(session, 'chat conversation after its end', async () => {
    const { answer = sample.messageReceived().data.message.text, end } = settings.config.stimuli.chat ?? {};
    if (end === undefined) return undefined;
    const conversation = new ChatConversation(session);
    const messages: ChatObservation[] = [];
    for (const text of [answer, end, answer]) messages.push(await conversation.say(text));
    return messages;
  });
}

/** Begins the conversations, whose messages wait for one another, so that the checks that judge them at the end need not. */
export function beginConversations(kit: CheckKit): void {
  if (kit.settings.only.length > 0) return;
  for (const play of [playConversation, continueAfterEnd]) beginForOthers(() => play(kit));
}
