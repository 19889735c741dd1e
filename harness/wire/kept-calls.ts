import { costOf, withoutUsualSpeech } from './frame-values.ts';
import type { CallObservation } from './observation.ts';

/** Characters and bytes of frames that are kept for being judged at the end of the run. */
const maxKept = 12_000_000;

/** The calls of a run that are judged at its end, in bounded memory. */
export class KeptCalls {
  readonly calls: CallObservation[] = [];
  /** Calls without their frames that we cut off, and for which there was no room: what they had is not known. */
  readonly unkept: CallObservation[] = [];
  #kept = 0;

  keep(call: CallObservation): void {
    // A call that is not down yet gets its end later.
    const slim = call.end ? withoutUsualSpeech(call) : call;
    const spoken = slim.answers.reduce((sum, { text }) => sum + text.length, 0);
    const cost = slim.frames.reduce((sum, frame) => sum + costOf(frame), spoken);
    if (this.#kept + cost > maxKept) {
      // The calls that are kept are enough to judge an AI that speaks at length.
      if (call.end?.isCutOff !== true) return;
      const framesLeftOut = call.framesLeftOut + call.frames.length;
      this.unkept.push({ ...call, frames: [], framesLeftOut, answers: [] });
      return;
    }
    this.#kept += cost;
    this.calls.push(slim);
  }
}
