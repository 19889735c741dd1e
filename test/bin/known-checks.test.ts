import { describe, expect, it } from 'vitest';
import { killMatrixBytes } from '../../run/plan/kill-matrix-bytes.ts';
import { knownMutants } from '../../run/plan/known-checks.ts';

describe('the planted faults that explain lists', () => {
  it('are those of the kill matrix that a certificate names', async () => {
    const mutants = await knownMutants();
    expect(mutants).toEqual(JSON.parse(String(await killMatrixBytes())));
    expect(mutants?.['crm-webhook/refuses-wrong-token']?.some(({ caught }) => caught)).toBe(true);
  });
});
