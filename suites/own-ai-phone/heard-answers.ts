import { interpretFrame, type FrameMeaning } from '../../harness/wire/frame-meaning.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';

/** The reactions of the AI after the first sentence of a call, all utterances of every answer together. */
export function meaningsAfterPrompts({ frames }: CallObservation): FrameMeaning[] {
  const first = frames.findIndex(
    ({ from, value }) => from === 'service' && isJsonObject(value) && value.type === 'prompt',
  );
  if (first < 0) return [];
  return frames.slice(first + 1).flatMap((frame) => (frame.from === 'ai' ? [interpretFrame(frame)] : []));
}

/** Whether any sentence of a call was answered, by speech, an action or a skill. */
export function hasAnswered(call: CallObservation): boolean {
  return (
    meaningsAfterPrompts(call).some(
      (meaning) => isSpoken(meaning) || meaning.kind === 'action' || meaning.kind === 'skill',
    ) ||
    // The frames of some long calls are not kept.
    call.answers.some(({ pieces }) => pieces > 0)
  );
}

/** Whether the caller hears something. */
export function isSpoken(meaning: FrameMeaning): boolean {
  return (meaning.kind === 'speech' || meaning.kind === 'action') && meaning.text !== '';
}
