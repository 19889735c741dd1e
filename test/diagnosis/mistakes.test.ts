import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { isPassed } from '../../diagnosis/diagnose.ts';
import { isRequirementId, requirement as requirementOf } from '../../specs/requirements/catalogue.ts';
import { disagreements, explainedChecks } from './mistakes/check-mistake.ts';
import { isCompared, isInProcess, longestFirst, runs } from './mistakes/compared.ts';
import { expectNoWorse } from './mistakes/expect-no-worse.ts';
import { everyMistake } from './mistakes/every-mistake.ts';
import { figuresFile, withMistakeFigures, type MistakeFigures } from './mistakes/mistake-figures.ts';
import { runMistake } from './mistakes/run-mistake.ts';
import { runAtOnce } from './run-at-once.ts';

const figures = JSON.parse(await readFile(figuresFile, 'utf8')) as MistakeFigures;

/** Endpoints that are diagnosed at the same time: nearly all of the time is waiting. */
const atOnce = 8;

describe('an endpoint with one mistake, or without any', { timeout: 150_000 }, () => {
  // On a busy machine, its late answers to long messages become missing ones.
  const isTimed = (name: string) => name === 'long messages are slow';
  const known = longestFirst(everyMistake.filter((one) => isInProcess(one) && !isTimed(one.name)));
  const results = runAtOnce(known, atOnce, async (mistake) => {
    const result = await runMistake(mistake);
    // The others: mistakes.ci.test.ts.
    const run = isCompared(mistake) ? runs[mistake.name] : undefined;
    return { ...result, explained: run && (await explainedChecks(mistake, run)) };
  });
  it.for(known)('gets no worse result than in the figures, and the same from check: $name', async (mistake) => {
    const { explained, ...result } = (await results.get(mistake))!;
    const { found } = result;
    expectNoWorse(mistake, result);
    if (explained) expect(disagreements(explained, mistake, found)).toEqual([]);
    // Where no probe finds anything, the command runs the checks: there is nothing left for them but what a should states.
    if (isPassed(found.diagnosis)) expect(failedMusts(mistake.name)).toEqual([]);
  });
});

function failedMusts(name: string): string[] {
  const ids = runs[name]?.failures.map(({ requirement }) => requirement) ?? expect.fail();
  return ids.filter((id) => isRequirementId(id) && requirementOf(id).level === 'must');
}

describe('the figures', () => {
  it('cover exactly the existing endpoints, each with a unique name', () => {
    const names = everyMistake.map(({ name }) => name).toSorted();
    expect(Object.keys(figures).toSorted()).toEqual(names);
    expect(Object.keys(runs).toSorted()).toEqual(names);
  });

  it('are on the page about the command', async () => {
    const page = await readFile(new URL('../../docs/diagnose.md', import.meta.url), 'utf8');
    expect(page).toBe(withMistakeFigures(page, figures));
  });

  it('have no incorrect cause', () => {
    const incorrect = Object.entries(figures).filter(([, { verdict }]) => verdict === 'wrong');
    expect(incorrect.map(([name]) => name)).toEqual([]);
  });
});
