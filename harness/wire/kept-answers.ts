import type { Observation } from './observation.ts';

/** Bytes kept of each body regardless of the number of answers: a typical body completely. */
const alwaysKeptBytes = 4_096;
/** Maximum bytes kept of all larger bodies together: 64 of the largest bodies. */
const keptTogether = 64 * 262_144;

/** Keeps the bodies of a run's answers in bounded memory: when it is full, only the beginning of larger ones. */
export class KeptAnswers {
  #room = keptTogether;

  /** Returns the observation to keep until the end of the run; a body that is cut is marked `truncated`. */
  keep(observation: Observation): Observation {
    const { answer } = observation;
    if (answer.outcome !== 'answered' || answer.body.length <= alwaysKeptBytes) return observation;
    // The beginning of a body that was too long is not judged.
    if (!answer.truncated && answer.body.length <= this.#room) {
      this.#room -= answer.body.length;
      return observation;
    }
    return { ...observation, answer: { ...answer, body: firstBytes(answer.body, alwaysKeptBytes), truncated: true } };
  }
}

/** The first bytes of a body, as a copy, so that the rest can be freed. */
export function firstBytes(body: Uint8Array, bytes: number): Uint8Array {
  return body.length <= bytes ? body : Buffer.from(body.subarray(0, bytes));
}
