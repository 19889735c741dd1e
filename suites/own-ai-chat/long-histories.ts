import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import { limits } from '../../specs/limits.ts';

type History = ChatData['history'];

/** The history of an AI that always replies with as many characters as it may, to messages of usual length. */
export function longReplies(kit: CheckKit): History {
  return repliesOf(kit, longText(sentence));
}

/** The same in Japanese, which needs three bytes for a character: beyond what the limits suggest to a parser. */
export function longRepliesInKana(kit: CheckKit): History {
  return repliesOf(kit, longText('きはあしたのごぜんじゅうじです。'));
}

/** Every turn is as long as an own AI's reply may be; the interface states no limit for those of customers. */
export function longHistory({ sample }: CheckKit): History {
  return sample.history(limits.historyTurns).map((turn) => ({ ...turn, text: longText(sentence) }));
}

function repliesOf({ sample }: CheckKit, text: string): History {
  return sample
    .history(limits.historyTurns)
    .map((turn, at) => (at % 2 === 1 ? { ...turn, role: 'agent', text } : { ...turn, role: 'customer' }));
}

const sentence =
  'The appointment on Thursday at ten o’clock is confirmed. Please bring the papers of the boiler with you. ';

/** As many characters as an own AI may send. */
function longText(repeated: string): string {
  const { ownAiTextCharacters: characters } = limits;
  return repeated.repeat(Math.ceil(characters / repeated.length)).slice(0, characters);
}
