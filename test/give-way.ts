import { setPriority } from 'node:os';
import { expect } from 'vitest';

// The proof takes longest and waits for most of its time: where the processors are busy, the other files give way to it.
if (expect.getState().testPath?.endsWith('proving.test.ts') !== true) {
  setPriority(3);
}
