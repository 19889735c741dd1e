import type { Finding } from '../../harness/checks/finding.ts';
import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';

/** A piece of speech that is not empty. */
interface Piece {
  text: string;
  frame: number;
}

/**
 * The finding about a character that two pieces of speech divide: each has U+FFFD, or half of a surrogate pair, at the
 * border. `undefined` without one; `nothing` if no character that could be divided was spoken in pieces, or if we said
 * U+FFFD ourselves.
 */
export function judgeDividedCharacters({ frames }: CallObservation): Finding | 'nothing' | undefined {
  if (frames.some(({ from, text }) => from === 'service' && /\uFFFD|\\ufffd/i.test(text))) return 'nothing';
  const pieces = frames.flatMap((frame, at): Piece[] => {
    const meaning = frame.from === 'ai' ? interpretFrame(frame) : undefined;
    return meaning?.kind === 'speech' && meaning.text !== '' ? [{ text: meaning.text, frame: at }] : [];
  });
  const borders = pieces.slice(1).map((piece, at) => ({ before: pieces[at]?.text ?? '', piece }));
  const divided = borders.find(({ before, piece: { text } }) => isDivided(before, text));
  if (divided) {
    const { before, piece } = divided;
    return {
      expected: 'pieces of speech that hold whole characters',
      received: `one that ends in ${lastOf(before)} and a next one that begins with ${lastOf(piece.text.slice(0, 1))}`,
      frame: piece.frame,
      hint: 'Divide the text between characters, not after a number of bytes or UTF-16 units; to read a stream, use a decoder that keeps the beginning of a character until its end has come.',
    };
  }
  return borders.some(({ before, piece }) => /[^\0-\x7F]/.test(before + piece.text)) ? undefined : 'nothing';
}

function isDivided(before: string, after: string): boolean {
  if (before.endsWith('\uFFFD') && after.startsWith('\uFFFD')) return true;
  return /[\uD800-\uDBFF]$/.test(before) && /^[\uDC00-\uDFFF]/.test(after);
}

/** The last UTF-16 unit of a string, as a code. */
function lastOf(text: string): string {
  return `U+${text
    .charCodeAt(text.length - 1)
    .toString(16)
    .toUpperCase()
    .padStart(4, '0')}`;
}
