import { readFile, writeFile } from 'node:fs/promises';
import type { ProofResult } from './prove.ts';

/** The endpoints from which the mutants are derived. */
export const correctEndpoints = [
  'the-right-one',
  'phone-the-right-one',
  'client-the-right-one',
  'links-the-right-ones',
];

const file = new URL('passed-checks.json', import.meta.url);

/** The checks that pass for each of these endpoints, by its name. */
export async function readPassedChecks(): Promise<Record<string, string[]>> {
  return JSON.parse(await readFile(file, 'utf8')) as Record<string, string[]>;
}

/** Stores the checks that passed in each of these results of an endpoint; other endpoints keep theirs. */
export async function writePassedChecks(results: readonly ProofResult[]): Promise<void> {
  const stored = await readPassedChecks();
  for (const name of correctEndpoints) {
    const [first, ...others] = results.filter((result) => result.name === name).map(({ passed }) => new Set(passed));
    if (first) stored[name] = [...first].filter((id) => others.every((passed) => passed.has(id))).sort();
  }
  await writeFile(file, `${JSON.stringify(stored, null, 2)}\n`);
}
