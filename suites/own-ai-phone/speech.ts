import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import type { CallFrame } from '../../harness/wire/observation.ts';

/**
 * Milliseconds after an interrupt, or after session.ended, in which speech may still come: what was on the way, and
 * what was already in the AI's hands.
 */
export const interruptGraceMs = 500;
/** Milliseconds after the grace in which an AI that talks on is heard doing so. */
export const talksOnMs = 1_500;
/** Milliseconds without a word after which what the AI had to say is said. */
export const settleMs = 150;

/** Why a rule about answers that are under way was not exercised. */
export const wholeAtOnce =
  'The answer was complete before anything could come into it. With stimuli.phone.long in the config a sentence can make the AI speak for two seconds or more.';

/** Characters of a piece below which it says nothing about where it comes from. */
const tellingCharacters = 8;

/** What a frame of the AI says to the caller; empty for any other. */
export function speechIn(frame: CallFrame): string {
  if (frame.from !== 'ai') return '';
  const meaning = interpretFrame(frame);
  return meaning.kind === 'speech' ? meaning.text : '';
}

/** Whether what was heard is a part of an answer that was heard before: an AI that says the same again is still at it. */
export function isRestOf(whole: string, heard: string): boolean {
  const said = heard.trim();
  return [...said].length >= tellingCharacters && whole.includes(said);
}
