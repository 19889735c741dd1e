import { incompleteExitCode, type RunExitCode } from '../exit-code.ts';

/**
 * Result of replaying a recorded check or exchange. `fixed`: it failed or was blocked, and passes now. `still-failing`: it
 * fails in the same way. `different`: it fails or answers differently. `same`: it did not fail, and is unchanged.
 * `not-tried`: it could not be repeated, or nothing could be judged.
 */
export type ReplayOutcome = 'fixed' | 'still-failing' | 'different' | 'same' | 'not-tried';

/** The replay of one check, or of one exchange that decided no check. Strings are clauses without secrets. */
export interface Replayed {
  id: string;
  kind: 'check' | 'exchange';
  outcome: ReplayOutcome;
  /** The recorded result. */
  was: string;
  /** The new result, or why there is none. */
  now: string;
}

/** 0 when everything is fixed, 1 when something still fails or differs, 3 when something could not be replayed. */
export function replayExitCode(replayed: readonly Replayed[]): RunExitCode {
  if (replayed.some(({ outcome }) => outcome === 'still-failing' || outcome === 'different')) return 1;
  return replayed.some(({ outcome }) => outcome === 'not-tried') ? incompleteExitCode : 0;
}

/** One aspect of an exchange: as recorded, and now. */
export interface ComparedValue {
  /** The name of the aspect, as a noun. */
  what: string;
  was: string;
  now: string;
}

/** A recorded exchange cannot be sent again; the message is a clause, with an alternative if there is one. */
export class NotSendable extends Error {
  override readonly name = 'NotSendable';
}
