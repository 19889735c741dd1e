import { expect } from 'vitest';
import { figures } from './compared.ts';
import { verdicts } from './mistake-figures.ts';
import type { Mistake } from './mistake.ts';
import type { MistakeResult } from './run-mistake.ts';

/**
 * Expects a result that is as good as the one in the figures, and a note without traces of a missing value. A mistake that
 * may look like chance may always be undetermined.
 */
export function expectNoWorse({ name, symptoms }: Mistake, { verdict, found }: MistakeResult): void {
  const { cause, suspects, note } = found.diagnosis;
  const usual = symptoms ? 'undetermined' : figures[name]?.verdict;
  const noWorse = verdicts.slice(0, verdicts.findIndex((one) => one === usual) + 1);
  expect(noWorse, JSON.stringify({ cause, suspects })).toContain(verdict);
  expect(note).not.toMatch(/undefined|NaN|\[object/);
}
