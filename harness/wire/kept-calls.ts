import { costOf, withoutUsualSpeech } from './frame-values.ts';
import type { CallObservation } from './observation.ts';

/** Maximum memory of frames kept for the end of the run. */
const maxKept = 12_000_000;

/** Keeps the calls of a run that are judged at its end, in bounded memory. */
export class KeptCalls {
  readonly calls: CallObservation[] = [];
  /** Calls that we cut off and that did not fit, without their frames, so their content is unknown. */
  readonly unkept: CallObservation[] = [];
  #kept = 0;

  keep(call: CallObservation): void {
    // An open call gets its end later.
    const slim = call.end ? withoutUsualSpeech(call) : call;
    const spoken = slim.answers.reduce((sum, { text }) => sum + text.length, 0);
    const cost = slim.frames.reduce((sum, frame) => sum + costOf(frame), spoken);
    if (this.#kept + cost > maxKept) {
      // The kept calls are enough to judge an AI that speaks at length.
      if (call.end?.isCutOff !== true) return;
      const framesOmitted = call.framesOmitted + call.frames.length;
      this.unkept.push({ ...call, frames: [], framesOmitted, answers: [] });
      return;
    }
    this.#kept += cost;
    this.calls.push(slim);
  }
}
