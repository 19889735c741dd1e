import { beforeAll, describe, expect, it } from 'vitest';
import { mutants } from './mutants/every-mutant.ts';
import { proofEndpoints } from './proving/proof-endpoints.ts';
import type { ProofResult } from './proving/prove.ts';
import { runProof } from './proving/run-proof.ts';
import { variants } from './variants/every-variant.ts';

/** Milliseconds for the whole proof on a machine that is busy with other things. */
const wholeProofMs = 1_200_000;

// Whether a fault also fails what it does not break is left to `npm run proof`, which runs all checks against each mutant.
describe('the proof', () => {
  const results = new Map<string, ProofResult>();

  beforeAll(async () => {
    for (const result of await runProof([...proofEndpoints.keys()], 'broken')) results.set(result.name, result);
  }, wholeProofMs);

  it.each(variants.map(({ name }) => name))('holds nothing against %s', (name) => {
    expect(results.get(name)?.accusations).toEqual([]);
    expect(results.get(name)?.passes).toBeGreaterThan(0);
  });

  it.each(mutants.map(({ name, breaks }) => [name, breaks] as const))('catches %s by %s', (name) => {
    // Which of the checks meets the fault first depends on what ran before it.
    expect(results.get(name)?.caught).toBe(true);
  });
});
