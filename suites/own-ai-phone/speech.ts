import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import type { CallFrame } from '../../harness/wire/observation.ts';

/**
 * Milliseconds after an interrupt, or after session.ended, in which speech may still come: what was on the way, and
 * what was already in the AI's hands.
 */
export const interruptGraceMs = 500;
/** Milliseconds after the grace in which an AI that keeps speaking is heard. */
export const overrunListenMs = 1_500;
/** Milliseconds of silence after which the AI counts as done. */
export const settleMs = 150;

/** Why a rule about answers that are under way was not exercised. */
export const completeAtOnceReason =
  'The answer was complete before it could be interrupted. Set stimuli.phone.long in the config to a sentence that makes the AI speak for two seconds or more.';

/** Shorter pieces do not show which answer they belong to. */
const fewestTellingCharacters = 8;

/** Text that a frame of the AI speaks to the caller; empty for any other frame. */
export function speechIn(frame: CallFrame): string {
  if (frame.from !== 'ai') return '';
  const meaning = interpretFrame(frame);
  return meaning.kind === 'speech' ? meaning.text : '';
}

/** Whether the speech is part of an earlier answer: an AI that repeats it is still speaking that answer. */
export function isPartOf(whole: string, heard: string): boolean {
  const said = heard.trim();
  return [...said].length >= fewestTellingCharacters && whole.includes(said);
}
