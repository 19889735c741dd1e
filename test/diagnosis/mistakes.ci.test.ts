import { describe, expect, it } from 'vitest';
import { disagreements, explainedChecks } from './mistakes/check-mistake.ts';
import { isCompared, isInProcess, longestFirst, runs } from './mistakes/compared.ts';
import { everyMistake } from './mistakes/every-mistake.ts';
import { runMistake } from './mistakes/run-mistake.ts';
import { runAtOnce } from './run-at-once.ts';

/** Milliseconds for a diagnosis and the causes of a run, while others use the same processors. */
const wholeMs = 300_000;

/** Endpoints that are diagnosed and checked at the same time: nearly all of the time is waiting. */
const atOnce = 12;

describe('an endpoint that takes many deliveries', { timeout: wholeMs }, () => {
  const others = longestFirst(everyMistake.filter((mistake) => isInProcess(mistake) && !isCompared(mistake)));
  const results = runAtOnce(others, atOnce, async (mistake) => {
    const run =
      runs[mistake.name] ?? expect.fail('no run is recorded: node test/diagnosis/mistakes-proof.ts --check --write');
    const { found } = await runMistake(mistake);
    return disagreements(await explainedChecks(mistake, run), mistake, found);
  });
  it.for(others)('gets the same causes from check: $name', async (mistake) => {
    expect(await results.get(mistake)).toEqual([]);
  });
});
