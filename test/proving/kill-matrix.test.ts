import { describe, expect, it } from 'vitest';
import { requirements, type RequirementId } from '../../specs/requirements/catalogue.ts';
import type { Requirement } from '../../specs/requirements/requirement.ts';
import { mutants } from '../mutants/every-mutant.ts';
import { variants } from '../variants/every-variant.ts';
import { killMatrixPage, readKillMatrix } from './kill-matrix.ts';
import { proofEndpoints } from './proof-endpoints.ts';

describe('the proof covers the catalogue', () => {
  const planted = new Set<string>(mutants.map(({ breaks }) => breaks));

  it.each(
    (Object.entries(requirements) as [RequirementId, Requirement][])
      .filter(([, { level, unobservable }]) => level !== 'advice' && unobservable === undefined)
      .map(([id]) => id),
  )('%s has a mutant', (id) => {
    expect(planted).toContain(id);
  });

  it('gives each endpoint a unique name', () => {
    expect(proofEndpoints.size).toBe(mutants.length + variants.length);
  });

  it('excuses only requirements of the catalogue, with a reason', () => {
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

  it('equals the page of its data', async () => {
    const { matrix, page } = await readKillMatrix();
    expect(page).toBe(await killMatrixPage(matrix));
  });
});
