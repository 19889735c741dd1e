import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { everyMistake } from './mistakes/every-mistake.ts';
import { figuresFile, withMistakeFigures, type MistakeFigures } from './mistakes/mistake-figures.ts';
import { runMistake } from './mistakes/run-mistake.ts';

const figures = JSON.parse(await readFile(figuresFile, 'utf8')) as MistakeFigures;
/** Maximum seconds of a diagnosis in the figures: a longer one would not end in time on a busy machine. */
const quickSeconds = 1.5;

describe.concurrent('an endpoint with one mistake, or without any', { timeout: 150_000 }, () => {
  // On a busy machine, its late answers to long messages become missing ones.
  const isTimed = (name: string) => name === 'long messages are slow';
  const known = everyMistake.filter(({ name }) => figures[name]?.verdict !== 'wrong' && !isTimed(name));
  it.for(known)('gets no wrong cause: $name', async (mistake, { expect }) => {
    const { verdict: usual, seconds = 0 } = figures[mistake.name] ?? {};
    const isCorrect = usual === 'correct' && seconds <= quickSeconds;
    const { verdict, diagnosis } = await runMistake(mistake);
    const { cause, suspects, note } = diagnosis;
    const allowed = isCorrect ? ['correct'] : ['correct', 'partial', 'silent'];
    expect(allowed, JSON.stringify({ cause, suspects })).toContain(verdict);
    expect(note).not.toMatch(/undefined|NaN|\[object/);
  });
});

describe('the figures', () => {
  it('cover exactly the existing endpoints, each with a unique name', () => {
    expect(Object.keys(figures).toSorted()).toEqual(everyMistake.map(({ name }) => name).toSorted());
  });

  it('are on the page about the command', async () => {
    const page = await readFile(new URL('../../docs/diagnose.md', import.meta.url), 'utf8');
    expect(page).toBe(withMistakeFigures(page, figures));
  });

  it('have no more incorrect causes than are known', () => {
    const incorrect = Object.entries(figures).filter(([, { verdict }]) => verdict === 'wrong');
    // The first cannot be distinguished from a gateway that requires its own key; the second depends on earlier
    // messages.
    expect(incorrect.map(([name]) => name)).toEqual([
      'a middleware refuses every path with 403, and the secret is another one',
      'a contact is locked for a minute after a message',
    ]);
  });
});
