import { limits } from '../specs/limits.ts';
import type { HistoryTurn, TranscriptTurn } from '../specs/generated/types.ts';
import { timestamp } from './clock.ts';
import { cutText } from './cut-text.ts';
import type { ProjectRecord, TurnRecord } from './workspace.ts';

/** Unicode code points of one turn of a history (assumption history-turn-length). */
const turnCharacters = limits.ownAiTextCharacters;

/** Puts a turn into the conversation at its time: behind what was said before it or at the same time. */
export function insertTurn(project: ProjectRecord, turn: TurnRecord): void {
  const { turns } = project;
  let place = turns.length;
  while (place > 0 && (turns[place - 1]?.at ?? 0) > turn.at) place--;
  turns.splice(place, 0, turn);
}

/** The whole conversation as the API shows it, oldest first, each turn in full (assumption project-resource). */
export function transcriptOf({ turns }: ProjectRecord): TranscriptTurn[] {
  return turns.map(wireTurn);
}

/**
 * The last turns of a conversation, oldest first, as `message.received` carries them (interface: Own-AI chat event).
 * With the id of the new message: those before it, since what came later is not what it answers.
 */
export function historyOf({ turns }: ProjectRecord, withoutMessageId?: number): HistoryTurn[] {
  const found =
    withoutMessageId === undefined ? -1 : turns.findLastIndex(({ messageId }) => messageId === withoutMessageId);
  const end = found < 0 ? turns.length : found;
  return turns
    .slice(Math.max(0, end - limits.historyTurns), end)
    .map((turn) => wireTurn({ ...turn, text: cutText(turn.text, turnCharacters) }));
}

function wireTurn({ role, text, at }: TurnRecord): TranscriptTurn {
  return { role, text, at: timestamp(at) };
}
