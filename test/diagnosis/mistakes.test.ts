import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { everyMistake } from './mistakes/every-mistake.ts';
import { figuresFile, withMistakeFigures, type MistakeFigures } from './mistakes/mistake-figures.ts';
import { runMistake } from './mistakes/run-mistake.ts';

const figures = JSON.parse(await readFile(figuresFile, 'utf8')) as MistakeFigures;
/** Which endpoints are diagnosed here; the figures have all of them. */
const sampled = 6;
/** Seconds of a diagnosis in the figures up to which an endpoint is diagnosed here. */
const cheapSeconds = 4;

describe.concurrent('an endpoint with one mistake', { timeout: 60_000 }, () => {
  const correct = everyMistake.filter(({ name }) => {
    const known = figures[name];
    return known?.verdict === 'correct' && known.seconds <= cheapSeconds;
  });
  it.for(correct.filter((_, at) => at % sampled === 0))('is diagnosed: $name', async (mistake, { expect }) => {
    const { verdict, diagnosis } = await runMistake(mistake);
    const { cause, suspects, note } = diagnosis;
    expect(verdict, JSON.stringify({ cause, suspects })).toBe('correct');
    expect(note).not.toMatch(/undefined|NaN|\[object/);
  });
});

describe('the figures', () => {
  it('are of the endpoints that there are, each under its own name', () => {
    expect(Object.keys(figures).toSorted()).toEqual(everyMistake.map(({ name }) => name).toSorted());
  });

  it('are on the page about the command', async () => {
    const page = await readFile(new URL('../../docs/diagnose.md', import.meta.url), 'utf8');
    expect(page).toBe(withMistakeFigures(page, figures));
  });

  it('have no more incorrect causes than are known', () => {
    const incorrect = Object.entries(figures).filter(([, { verdict }]) => verdict === 'wrong');
    // After an endpoint has accepted a valid signature, both look the same from outside.
    expect(incorrect.map(([name]) => name)).toEqual(['everything is accepted after a first success']);
  });
});
