import type { Observation } from './observation.ts';

/** Bytes of a body that are kept however many answers there are: all of a usual one. */
const alwaysKeptBytes = 4_096;
/** Bytes of all larger bodies together: 64 of the largest that are read. */
const keptTogether = 64 * 262_144;

/** Keeps the bodies of a run's answers in bounded memory: once they fill it, only the beginning of a larger one. */
export class KeptAnswers {
  #room = keptTogether;

  /** The observation as it can be kept until the end of the run; a body that is cut is `truncated`. */
  keep(observation: Observation): Observation {
    const { answer } = observation;
    if (answer.outcome !== 'answered' || answer.body.length <= alwaysKeptBytes) return observation;
    if (answer.body.length <= this.#room) {
      this.#room -= answer.body.length;
      return observation;
    }
    return { ...observation, answer: { ...answer, body: firstBytes(answer.body, alwaysKeptBytes), truncated: true } };
  }
}

/** A copy, so that the rest can be freed. */
export function firstBytes(body: Uint8Array, bytes: number): Uint8Array {
  return body.length <= bytes ? body : Buffer.from(body.subarray(0, bytes));
}
