import { setTimeout as wait } from 'node:timers/promises';

const WORDS_PER_PIECE = 8;

export interface Speech {
  text: string;
  /** Milliseconds between two pieces. */
  pieceEveryMs: number;
  /** Stops the speech at once; nothing is sent after it. */
  signal: AbortSignal;
  say: (piece: { text: string; last: boolean }) => void;
}

/**
 * Speaks in pieces, the first at once. Together they are the whole answer, and the last one closes it.
 *
 * A streaming model does not mark its last piece. Then pass each one on as it comes, and close with
 * an empty one: `{ text: '', last: true }`.
 *
 * @throws AbortError when it was stopped between two pieces
 */
export async function speak({ text, pieceEveryMs, signal, say }: Speech): Promise<void> {
  const pieces = inPieces(text);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await wait(pieceEveryMs, undefined, { signal });
    say({ text: piece, last: index === pieces.length - 1 });
  }
}

/** Splits between words; the space stays at the end of the previous piece, so that joining restores the input. */
function inPieces(text: string): string[] {
  const words = text.match(/\s*\S+\s*/g) ?? [text];
  const pieces: string[] = [];
  for (let at = 0; at < words.length; at += WORDS_PER_PIECE)
    pieces.push(words.slice(at, at + WORDS_PER_PIECE).join(''));
  return pieces;
}
