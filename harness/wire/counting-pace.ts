import { setTimeout as pause } from 'node:timers/promises';

/**
 * Milliseconds from one piece to the next of all bodies that are only counted. At full speed an endless body leaves
 * memory behind faster than it is collected, and slows exchanges that are timed; at this pace 64 MB still need little
 * more than a second.
 */
const pieceEveryMs = 1;

let turn: Promise<unknown> = Promise.resolve();

/** Resolves when the next piece of a body that is only counted may be read: one at a time for all bodies together. */
export function nextPiece(): Promise<unknown> {
  return (turn = turn.then(() => pause(pieceEveryMs)));
}
