import { overdueFactor, quietMs } from './call-behaviour.ts';
import type { CallAnswer } from './observation.ts';

/**
 * Pause in milliseconds after which an answer counts as over, for an AI that left an answer open for the whole timeout
 * and has closed none since.
 */
const unclosedPauseMs = 600;
/** Maximum milliseconds of an endless answer: for the first one, and for later ones of such an AI. */
const longestAnswerMs = 60_000;
const shortAnswerMs = 5_000;
/** Number of first pieces that determine the usual time. */
const rememberedTimes = 20;

/** First pieces after which an AI is known to answer, so that a lost sentence is an exception. */
const fewestAnswered = 3;
/** Milliseconds beyond the waiting time in which a late answer may still come, once a sentence was lost. */
const beyondWaitingMs = 2_000;

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

/** What the answers of an AI have shown about its times. */
export class LearnedTimeouts {
  #leavesOpen = false;
  #hasLostSentence = false;
  #firstPieces: number[] = [];

  /** Usual milliseconds until the AI begins to answer, with a margin. */
  get usualFirstPieceMs(): number {
    return overdueFactor * Math.max(0, ...this.#firstPieces) + quietMs;
  }

  /**
   * The timeouts of the next call. The first sentence without an answer is waited for in full; for later ones of an AI that
   * answers others, the waiting time suffices.
   *
   * @param answerTimeoutMs maximum wait for an answer
   * @param waitingMs `timeoutSeconds` in milliseconds
   */
  timeouts({ answerTimeoutMs, waitingMs }: { answerTimeoutMs: number; waitingMs: number }): CallTimeouts {
    const mostMs = Math.max(answerTimeoutMs, waitingMs);
    const usualMs = this.usualFirstPieceMs;
    const firstPieceMs = this.#hasLostSentence
      ? Math.min(mostMs, Math.max(waitingMs + beyondWaitingMs, usualMs))
      : mostMs;
    const shortened = this.#leavesOpen;
    const nextPieceMs = shortened ? unclosedPauseMs : mostMs;
    const wholeMs = shortened ? shortAnswerMs : longestAnswerMs;
    return { firstPieceMs, nextPieceMs, wholeMs, shortened, quietMs, usualMs };
  }

  /**
   * Records the answer to a sentence.
   *
   * @param reacted whether any frame followed the sentence
   * @param mostMs the wait after which a sentence counts as lost
   */
  book(
    { outcome, firstPieceMs, waitedMs }: Pick<CallAnswer, 'outcome' | 'firstPieceMs' | 'waitedMs'>,
    { reacted, mostMs }: { reacted: boolean; mostMs: number },
  ): void {
    if (firstPieceMs !== null) this.#firstPieces = [...this.#firstPieces, firstPieceMs].slice(-rememberedTimes);
    if (outcome === 'not-closed' || outcome === 'closed') this.#leavesOpen = outcome === 'not-closed';
    const isLost = outcome === 'nothing' && !reacted && waitedMs >= mostMs - quietMs;
    this.#hasLostSentence ||= isLost && this.#firstPieces.length >= fewestAnswered;
  }
}
