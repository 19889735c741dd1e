import { getPriority, setPriority } from 'node:os';
import { expect } from 'vitest';

/** How the other files run, as `nice` counts: so that the proof, which takes longest, is not the last to end. */
const priority = 6;

// Whole runs against many endpoints take longest and wait for most of their time: where the processors are busy, the other
// files give way to them.
const isProof = /[\\/]test[\\/]proving\b/.test(expect.getState().testPath ?? '');
if (!isProof && getPriority() < priority) {
  setPriority(priority);
}
