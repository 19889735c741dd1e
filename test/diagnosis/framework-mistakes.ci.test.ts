import { describe, it } from 'vitest';
import { files, reasonMissing, type Framework } from '../independent/start-endpoint.ts';
import { longestFirst } from './mistakes/compared.ts';
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
  const results = runAtOnce(runnable, atOnce, runMistake);
  for (const mistake of known) {
    it.skipIf(!runnable.includes(mistake))(`gets no worse result than in the figures: ${mistake.name}`, async () => {
      expectNoWorse(mistake, (await results.get(mistake))!);
    });
  }
});
