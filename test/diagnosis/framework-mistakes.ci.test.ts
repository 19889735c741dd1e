import { describe, expect, it } from 'vitest';
import { files, reasonMissing, type Framework } from '../independent/start-endpoint.ts';
import { disagreements, explainedChecks } from './mistakes/check-mistake.ts';
import { longestFirst, runs } from './mistakes/compared.ts';
import { expectNoWorse } from './mistakes/expect-no-worse.ts';
import { frameworkMistakes } from './mistakes/framework-mistakes.ts';
import { runMistake } from './mistakes/run-mistake.ts';
import { runAtOnce } from './run-at-once.ts';

/** Programs that run at the same time: each needs memory, and most of the time is waiting. */
const atOnce = 4;

const missing = new Map<Framework, string>();
for (const framework of Object.keys(files) as Framework[]) {
  const reason = await reasonMissing(framework);
  if (reason !== undefined) missing.set(framework, reason);
}
for (const [framework, reason] of missing) console.warn(`skipped ${framework}: ${reason}`);

describe('an endpoint on a framework', { timeout: 400_000 }, () => {
  const known = longestFirst(frameworkMistakes);
  const runnable = known.filter(({ framework }) => framework && !missing.has(framework));
  const results = runAtOnce(runnable, atOnce, async (mistake) => {
    const run =
      runs[mistake.name] ?? expect.fail('no run is recorded: node test/diagnosis/mistakes-proof.ts --check --write');
    const result = await runMistake(mistake);
    return { ...result, different: disagreements(await explainedChecks(mistake, run), mistake, result.found) };
  });
  for (const mistake of known) {
    const title = `gets no worse result than in the figures, and the same from check: ${mistake.name}`;
    it.skipIf(!runnable.includes(mistake))(title, async () => {
      const { different, ...result } = (await results.get(mistake))!;
      expectNoWorse(mistake, result);
      expect(different).toEqual([]);
    });
  }
});
