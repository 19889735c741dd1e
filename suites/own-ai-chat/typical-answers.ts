import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { utcTimestamp, type ChatData } from '../../harness/checks/samples.ts';
import { once } from '../once.ts';
import { longRepliesInKana } from './long-histories.ts';

/** Sends one message in its own conversation. */
export function say(kit: CheckKit, label: string, over: Partial<ChatData> = {}): Promise<ChatObservation> {
  const { chat, sample } = kit;
  return chat.deliver(chat.open(sample.messageReceived(over)), { label });
}

/** A message with this text. */
export function messageWithText({ ids, sample }: CheckKit, text: string): Pick<ChatData, 'message'> {
  return { message: { ...sample.messageReceived().data.message, id: ids.integer(), text } };
}

/** Seconds that have passed at most since such a message was received. */
const longAgoSeconds = 3_000;

/** A time some while ago: hardly any other message of the run has it. */
export function pastTime({ ids }: CheckKit): string {
  return utcTimestamp(Date.now() - (ids.integer() % longAgoSeconds) * 1_000);
}

/** The names of the sentences that make an own AI show a behaviour. */
export const sentenceNames = ['answer', 'handover', 'end', 'skill', 'async'] as const;

/** Sends a configured sentence, once in a run; `undefined` where the config has none of this name. */
export async function saySentence(
  kit: CheckKit,
  name: (typeof sentenceNames)[number],
): Promise<ChatObservation | undefined> {
  const text = kit.settings.config.stimuli.chat?.[name];
  if (text === undefined) return undefined;
  return await once(kit.session, `chat sentence ${name}`, () =>
    say(kit, `the sentence "${name}"`, messageWithText(kit, text)),
  );
}

/**
 * Says the sentence that hands over after a history of more than 64 KB, which the answer must not repeat: a note may
 * summarise the conversation. An AI need not accept an event of that size, so whether it does is not judged.
 */
export async function handOverAfterLongHistory(kit: CheckKit): Promise<void> {
  const handover = kit.settings.config.stimuli.chat?.handover;
  if (handover === undefined) return;
  await once(kit.session, 'chat handover after a long history', () =>
    say(kit, 'the sentence "handover" after the longest replies in a script of three bytes a character', {
      ...messageWithText(kit, handover),
      history: longRepliesInKana(kit),
    }),
  );
}

/**
 * The answers to plain messages and to every configured sentence, also while skills are not offered or auto-reply is
 * not on: what the rules about answers are judged on.
 */
export function typicalAnswers(kit: CheckKit): Promise<ChatObservation[]> {
  const { session, sample, chat, settings } = kit;
  return once(session, 'chat typical answers', async () => {
    const skill = settings.config.stimuli.chat?.skill;
    const notOn = sample.autoReplies().filter(({ state }) => state !== 'on');
    const sentences = Promise.all(sentenceNames.map((name) => saySentence(kit, name)));
    const others = Promise.all([
      say(kit, 'a plain message'),
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
    const [said, rest] = await Promise.all([sentences, others]);
    return [...said.filter((sentence) => sentence !== undefined), ...rest];
  });
}
