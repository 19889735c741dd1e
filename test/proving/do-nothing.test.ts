import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { doNothingEndpoints } from './do-nothing-endpoints.ts';
import { readDoNothing, runDoNothing, type DoNothingOutcomes } from './do-nothing.ts';
import { reasonFor } from './do-nothing-reasons.ts';

/** Milliseconds for all runs, which mostly wait, on a busy machine. */
const allRunsMs = 600_000;

describe.each(doNothingEndpoints.map(({ name, surfaces }) => [name, surfaces] as const))('%s', (name, surfaces) => {
  it('passes only the requirements on the page', async () => {
    expect((await runs)[name]?.passed).toEqual((await readDoNothing())[name]?.passed);
  });

  it('passes nothing without a reason', async () => {
    const { passed = [] } = (await readDoNothing())[name] ?? {};
    expect(passed.filter((id) => reasonFor(id, name) === undefined)).toEqual([]);
  });

  it.each(surfaces)('is not conformant on %s', async (surface) => {
    const { failed = [], blocked = [] } = (await runs)[name] ?? {};
    expect([...failed, ...blocked].filter((id) => id.startsWith(`${surface}/`))).not.toEqual([]);
  });
});

it('blocks nothing of a phone endpoint that accepts every call and stays silent', async () => {
  expect((await runs)['silent call']?.blocked).toEqual([]);
});

/** On a busy machine, an answer may come too late for a check: endpoints with an unexpected result run again. */
async function runTwice(): Promise<DoNothingOutcomes> {
  const outcomes = await runDoNothing();
  const stored = await readDoNothing();
  const unexpected = Object.keys(outcomes).filter(
    (name) => !isDeepStrictEqual(outcomes[name]?.passed, stored[name]?.passed),
  );
  return unexpected.length === 0 ? outcomes : { ...outcomes, ...(await runDoNothing(unexpected)) };
}

let runs: Promise<DoNothingOutcomes>;
beforeAll(async () => {
  runs = runTwice();
  await runs;
}, allRunsMs);
