import { readPassedChecks } from '../proving/passed-checks.ts';
import { proofEndpoints } from '../proving/proof-endpoints.ts';
import type { ProofResult } from '../proving/prove.ts';

/** Checks that must still pass: a fault may make one judge nothing. */
const passedChecks = await readPassedChecks();

/**
 * Whether a run has the result that the proof requires: every mutant must be caught by the checks of its requirement, no
 * variant may be accused, and the endpoints from which the mutants are derived must pass the same checks as before.
 *
 * @param checks ids of the checks that were selected; default: those of the proof
 */
export function isAsExpected({ name, caught, accusations, passed }: ProofResult, checks?: readonly string[]): boolean {
  if (proofEndpoints.get(name)?.breaks !== undefined) return caught;
  const expected = (passedChecks[name] ?? []).filter((id) => checks?.includes(id) ?? true);
  return accusations.length === 0 && passed.length > 0 && expected.every((id) => passed.includes(id));
}
