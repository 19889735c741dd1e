import { conductInFrameworks, contentsInFrameworks } from './framework-contents.ts';
import { laterInFrameworks, laterPairsInFrameworks, othersInFrameworks } from './framework-later.ts';
import { clocksInFrameworks, schemesInFrameworks, signaturePairsInFrameworks } from './framework-signatures.ts';
import type { Mistake } from './mistake.ts';

/** Mistakes in the idioms of a framework, and look-alikes: each is a program in its own process. */
export const frameworkMistakes: readonly Mistake[] = [
  ...contentsInFrameworks,
  ...laterInFrameworks,
  ...othersInFrameworks,
  ...clocksInFrameworks,
  ...schemesInFrameworks,
  ...conductInFrameworks,
  ...signaturePairsInFrameworks,
  ...laterPairsInFrameworks,
];
