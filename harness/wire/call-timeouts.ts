/** Timeouts of one call in milliseconds. */
export interface CallTimeouts {
  /** Until the first sign of an answer. */
  firstPieceMs: number;
  /** Until the next piece of an open answer. */
  nextPieceMs: number;
  /** For an endless answer; whether it would have been closed is then unknown. */
  wholeMs: number;
  /** Whether `nextPieceMs` and `wholeMs` are reduced. */
  shortened: boolean;
  /** Minimum wait after a sign that may be the whole answer or only its beginning: a skill, an empty closing piece. */
  quietMs: number;
  /** Usual time until this AI begins to answer, with a margin. */
  usualMs: number;
}
