import { setTimeout as pause } from 'node:timers/promises';

/**
 * Milliseconds between two pieces of all bodies that are only counted. At full speed an endless body allocates memory
 * faster than it is collected, and slows timed exchanges; at this pace 64 MB take little more than a second.
 */
const pieceEveryMs = 1;

let turn: Promise<unknown> = Promise.resolve();

/** Resolves when the next piece of a counted body may be read: one at a time for all bodies together. */
export function nextPiece(): Promise<unknown> {
  return (turn = turn.then(() => pause(pieceEveryMs)));
}
