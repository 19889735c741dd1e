import { incompleteExitCode, type RunExitCode } from '../exit-code.ts';

/**
 * What became of something recorded when it was brought about again. `fixed`: it failed or was blocked, and holds now. `still-failing`:
 * it fails as it did. `different`: it fails or answers in another way than the record says. `same`: it did not fail, and
 * is as it was. `not-tried`: it could not be brought about, or nothing could be judged.
 */
export type ReplayOutcome = 'fixed' | 'still-failing' | 'different' | 'same' | 'not-tried';

/** One check, or one exchange that decided none, again. Texts are whole clauses, without secrets. */
export interface Replayed {
  id: string;
  kind: 'check' | 'exchange';
  outcome: ReplayOutcome;
  /** What the record says. */
  was: string;
  /** What came now, or why it could not be tried. */
  now: string;
}

/** 0 when nothing is wrong any more, 1 when something still fails or differs, 3 when something could not be tried. */
export function replayExitCode(replayed: readonly Replayed[]): RunExitCode {
  if (replayed.some(({ outcome }) => outcome === 'still-failing' || outcome === 'different')) return 1;
  return replayed.some(({ outcome }) => outcome === 'not-tried') ? incompleteExitCode : 0;
}

/** What the record of an exchange and what came now say of one thing. */
export interface ComparedValue {
  /** What is compared, as a noun. */
  what: string;
  was: string;
  now: string;
}

/** Why a recorded exchange cannot be sent again: a clause that says what to do instead, where we know. */
export class NotSendable extends Error {
  override readonly name = 'NotSendable';
}
