import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import type { CallFrame, CallObservation } from '../../harness/wire/observation.ts';
import { isJsonObject } from '../../specs/json-object.ts';

/**
 * Milliseconds after an interrupt or session.ended during which speech may still arrive: frames in transit, and frames
 * that the AI was already sending.
 */
export const interruptGraceMs = 500;
/** Milliseconds after the grace during which continued speech is detected. */
export const overrunListenMs = 1_500;
/** Milliseconds of silence after which the AI counts as done. */
export const settleMs = 150;

/** Reason why a rule about interrupted answers was not exercised. */
export const completeAtOnceReason =
  'The answer was complete before it could be interrupted. Set stimuli.phone.long in the config to a sentence that makes the AI speak for two seconds or more.';

/** Shorter pieces do not show which answer they belong to. */
const fewestTellingCharacters = 8;

/** Speech of a frame of the AI; empty for any other frame. */
export function speechIn(frame: CallFrame): string {
  if (frame.from !== 'ai') return '';
  const meaning = interpretFrame(frame);
  return meaning.kind === 'speech' ? meaning.text : '';
}

/** Whether the AI has begun to speak, asked or not, and neither a closing piece nor an interrupt has ended that. */
export function isSpeaking({ frames }: CallObservation): boolean {
  for (const frame of frames.toReversed()) {
    if (frame.from === 'service') {
      if (isJsonObject(frame.value) && frame.value.type === 'interrupt') return false;
      continue;
    }
    const meaning = interpretFrame(frame);
    if (meaning.kind === 'action' || (meaning.kind === 'speech' && meaning.last)) return false;
    if (meaning.kind === 'speech' && meaning.text !== '') return true;
  }
  return false;
}

/** Index of the latest frame that closed speech; -1 when there is none. */
export function latestClosing({ frames }: CallObservation): number {
  return frames.findLastIndex((frame) => {
    const meaning = frame.from === 'ai' ? interpretFrame(frame) : undefined;
    return meaning?.kind === 'speech' && meaning.last;
  });
}

/** Whether the speech is part of an earlier answer: an AI that repeats it is still speaking that answer. */
export function isPartOf(whole: string, heard: string): boolean {
  const said = heard.trim();
  return [...said].length >= fewestTellingCharacters && whole.includes(said);
}
