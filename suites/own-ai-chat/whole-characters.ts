import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { Aspect } from '../judgement.ts';
import { once } from '../once.ts';
import type { ReplyBody } from './answer-aspects.ts';
import { messageWithText, say } from './typical-answers.ts';

/** Pairs of characters in a message: a program that quotes it cuts it before its end. */
const pairs = 150;

/**
 * Messages of characters of four bytes and two UTF-16 units, after nothing and after one byte: a cut after any number of
 * bytes divides a character of one of them, a cut after any number of units likewise.
 */
const messages: readonly string[] = ['', 'A'].map((start) => start + '𠮷🙂'.repeat(pairs));

/** Sends these messages, once in a run. */
export function sayMessagesToQuote(kit: CheckKit): Promise<ChatObservation[]> {
  return once(kit.session, 'chat messages to quote', () =>
    Promise.all(
      messages.map((text) => say(kit, 'a long message of emojis and ideographs', messageWithText(kit, text))),
    ),
  );
}

/** Requires whole characters in the answers to these messages, which themselves have no divided one. */
export const wholeCharacters: Aspect<ReplyBody> = {
  requirement: 'own-ai-chat/keeps-characters-whole',
  title: 'the characters of a message are not divided',
  needs: 'No long message of emojis and ideographs was answered with text or a note.',
  judge: ({ value, event }) => {
    const { message } = event.data as { message?: { text?: string } };
    if (!messages.includes(message?.text ?? '')) return 'nothing';
    const written = ['text', 'note', 'announcement'].flatMap((name) => {
      const text = value[name];
      return typeof text === 'string' && text !== '' ? [{ name, text }] : [];
    });
    if (written.length === 0) return 'nothing';
    const divided = written.map(({ name, text }) => ({ name, at: text.toWellFormed().indexOf('\ufffd') }));
    const found = divided.find(({ at }) => at >= 0);
    return (
      found === undefined || {
        expected: `whole characters in ${found.name}`,
        received: `a part of one, or U+FFFD in its place, after ${found.at} UTF-16 units`,
        hint: 'Cut text between characters, not after a number of bytes or UTF-16 units.',
        part: { body: [found.name] },
      }
    );
  },
};
