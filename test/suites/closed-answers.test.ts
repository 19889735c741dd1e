import { expect, it } from 'vitest';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { hasAwaitedAnswer } from '../../suites/own-ai-phone/talk.ts';

it('are not judged in calls of which only the beginnings of answers were awaited', () => {
  const call = (...outcomes: string[]) =>
    ({ answers: outcomes.map((outcome) => ({ outcome, pieces: 1 })) }) as unknown as CallObservation;
  expect(hasAwaitedAnswer(call('begun', 'begun'))).toBe(false);
  expect(hasAwaitedAnswer(call('begun', 'not-closed'))).toBe(true);
  expect(hasAwaitedAnswer(call())).toBe(false);
});
