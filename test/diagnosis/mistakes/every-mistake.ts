import { answerMistakes } from './answer-mistakes.ts';
import { frameworkMistakes } from './framework-mistakes.ts';
import { gateMistakes } from './gate-mistakes.ts';
import { laterMistakes } from './later-mistakes.ts';
import type { Mistake } from './mistake.ts';
import { rightOnes } from './right-ones.ts';
import { conductMistakes, schemeMistakes, weaknessMistakes } from './signature-mistakes.ts';
import { textMistakes } from './text-mistakes.ts';

/** Every endpoint with a mistake, and every look-alike. */
export const everyMistake: readonly Mistake[] = [
  ...gateMistakes,
  ...textMistakes,
  ...weaknessMistakes,
  ...answerMistakes,
  ...laterMistakes,
  ...schemeMistakes,
  ...conductMistakes,
  ...frameworkMistakes,
  ...rightOnes,
];
