import { beforeAll, describe, expect, it } from 'vitest';
import { requirements, type RequirementId } from '../specs/requirements/catalogue.ts';
import type { Requirement } from '../specs/requirements/requirement.ts';
import { mutants } from './mutants/every-mutant.ts';
import { killMatrixPage, readKillMatrix } from './proving/kill-matrix.ts';
import { proofEndpoints } from './proving/proof-endpoints.ts';
import type { ProofResult } from './proving/prove.ts';
import { runProof } from './proving/run-proof.ts';
import { variants } from './variants/every-variant.ts';

/** Milliseconds for the whole proof on a machine that is busy with other things. */
const wholeProofMs = 1_200_000;

describe('the proof covers the catalogue', () => {
  const planted = new Set<string>(mutants.map(({ breaks }) => breaks));

  it.each(
    (Object.entries(requirements) as [RequirementId, Requirement][])
      .filter(([, { level, unobservable }]) => level !== 'advice' && unobservable === undefined)
      .map(([id]) => id),
  )('%s has a mutant', (id) => {
    expect(planted).toContain(id);
  });

  it('gives each endpoint a name of its own', () => {
    expect(proofEndpoints.size).toBe(mutants.length + variants.length);
  });

  it('excuses only what is in the catalogue, with a reason', () => {
    for (const { mayAlso = [], stopsTheRest } of mutants) {
      for (const { id, why } of mayAlso) {
        expect(Object.keys(requirements)).toContain(id);
        expect(why).not.toBe('');
      }
      expect(stopsTheRest).not.toBe('');
    }
  });
});

describe('the kill matrix is fresh', () => {
  it('lists every mutant under the requirement that it breaks', async () => {
    const { matrix } = await readKillMatrix();
    const listed = Object.entries(matrix).flatMap(([id, faults]) =>
      faults.map(({ mutant, what, caught }) => ({ id, mutant, what, caught })),
    );
    const expected = mutants.map(({ breaks, name, what }) => ({ id: breaks, mutant: name, what, caught: true }));
    const byName = (a: { mutant: string }, b: { mutant: string }) => (a.mutant < b.mutant ? -1 : 1);
    expect(listed.sort(byName)).toEqual(expected.sort(byName));
  });

  it('is the page that its data make', async () => {
    const { matrix, page } = await readKillMatrix();
    expect(page).toBe(await killMatrixPage(matrix));
  });
});

describe('the proof', () => {
  const results = new Map<string, ProofResult>();

  beforeAll(async () => {
    for (const result of await runProof([...proofEndpoints.keys()])) results.set(result.name, result);
  }, wholeProofMs);

  it.each(variants.map(({ name }) => name))('holds nothing against %s', (name) => {
    expect(results.get(name)?.accusations).toEqual([]);
    expect(results.get(name)?.passes).toBeGreaterThan(0);
  });

  it.each(mutants.map(({ name, breaks }) => [name, breaks] as const))(
    'catches %s by %s alone',
    async (name, breaks) => {
      const result = results.get(name);
      expect(result?.accusations).toEqual([]);
      expect(result?.caught).toBe(true);
      const recorded = (await readKillMatrix()).matrix[breaks]?.find(({ mutant }) => mutant === name)?.checks ?? [];
      expect(result?.catchers.some((check) => recorded.includes(check))).toBe(true);
    },
  );
});
