import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { holdSilentCalls, holdSpeakingCalls } from './hold-calls-at-once.ts';

describe.concurrent('own-ai-phone calls at once', () => {
  for (const [title, hold] of [
    ['a caller who says nothing hears no answer to another', holdSilentCalls],
    ['no call hears the words of another', holdSpeakingCalls],
  ] as const) {
    check('own-ai-phone/keeps-calls-apart', title, hold, { alone: 'surface-first' });
  }
});
