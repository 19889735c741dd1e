import type { CallObservation } from './observation.ts';

/** Behaviour of this AI at the beginning of a call, as observed in the first calls of the run. */
export interface CallBehaviour {
  /** It speaks before the first prompt. */
  greets: boolean;
  /** Milliseconds between `session.started` and the first prompt. */
  greetingMs: number;
  /** A call whose first sentence it did not answer, though it answered the second one. */
  lostFirst?: CallObservation;
  /** The first call, if neither of its two sentences was answered while it continued. */
  silent?: CallObservation;
}
