import { describe, it } from 'vitest';
import { disagreements, explainedChecks } from './mistakes/check-mistake.ts';
import { isCompared, runs } from './mistakes/compared.ts';
import { everyMistake } from './mistakes/every-mistake.ts';
import { runMistake } from './mistakes/run-mistake.ts';

/** Milliseconds for a diagnosis and the causes of a run, while others use the same processors. */
const wholeMs = 300_000;

describe.concurrent('an endpoint that takes many deliveries', { timeout: wholeMs }, () => {
  const others = everyMistake.filter((mistake) => !isCompared(mistake));
  it.for(others)('gets the same causes from check: $name', async (mistake, { expect }) => {
    const run = runs[mistake.name] ?? expect.fail();
    const { found } = await runMistake(mistake);
    expect(disagreements(await explainedChecks(mistake, run), mistake, found)).toEqual([]);
  });
});
