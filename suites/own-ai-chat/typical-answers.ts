import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import { once } from '../once.ts';

/** Sends one message in its own conversation. */
export function say(kit: CheckKit, label: string, over: Partial<ChatData> = {}): Promise<ChatObservation> {
  const { chat, sample } = kit;
  return chat.deliver(chat.open(sample.messageReceived(over)), { label });
}

/** A message with this text. */
export function messageWithText({ ids, sample }: CheckKit, text: string): Pick<ChatData, 'message'> {
  return { message: { ...sample.messageReceived().data.message, id: ids.integer(), text } };
}

/**
 * The answers to plain messages and to every configured sentence, also while skills are not offered or auto-reply is
 * not on: what the rules about answers are judged on.
 */
export function typicalAnswers(kit: CheckKit): Promise<ChatObservation[]> {
  const { session, sample, chat, settings } = kit;
  return once(session, 'chat typical answers', async () => {
    const sentences = Object.entries({ ...settings.config.stimuli.chat } as Record<string, string>);
    const skill = settings.config.stimuli.chat?.skill;
    const notOn = sample.autoReplies().filter(({ state }) => state !== 'on');
    return await Promise.all([
      say(kit, 'a plain message'),
      ...sentences.map(([name, text]) => say(kit, `the sentence "${name}"`, messageWithText(kit, text))),
      ...notOn.map((autoReply) =>
        say(kit, `a message while auto-reply is ${autoReply.state}`, { autoReply, skills: [] }),
      ),
      ...(skill === undefined
        ? []
        : [
            say(kit, 'the sentence "skill" while no skill is offered', { ...messageWithText(kit, skill), skills: [] }),
            ...notOn.map((autoReply) =>
              say(kit, `the sentence "skill" while auto-reply is ${autoReply.state}`, {
                ...messageWithText(kit, skill),
                autoReply,
                skills: [],
              }),
            ),
            ...chat.skills.map((offered) =>
              say(kit, `the sentence "skill" while only ${offered.key} is offered`, {
                ...messageWithText(kit, skill),
                skills: [offered],
              }),
            ),
          ]),
    ]);
  });
}
