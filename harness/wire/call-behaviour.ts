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

/** Duration of the greeting in the first observed call, in milliseconds: that of a short real one. */
export const fullGreetingMs = 800;
/** Duration of the greeting for an AI that does not need one, in milliseconds. */
export const shortGreetingMs = 10;
/** Milliseconds after a skill or an empty closing piece in which speech may still follow. */
export const quietMs = 250;
/** Multiple of the usual time after which an answer is no longer expected to begin. */
export const overdueFactor = 3;
