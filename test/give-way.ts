import { getPriority, setPriority } from 'node:os';
import { expect } from 'vitest';

/** How the other files run, as `nice` counts: enough for the proof to get half of busy processors. */
const priority = 3;

// The proof takes longest and waits for most of its time: where the processors are busy, the other files give way to it.
if (expect.getState().testPath?.endsWith('proving.test.ts') !== true && getPriority() < priority) {
  setPriority(priority);
}
