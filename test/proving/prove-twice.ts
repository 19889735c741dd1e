import { proofEndpoints } from './proof-endpoints.ts';
import type { ProofResult } from './prove.ts';
import { runProof, type Transport } from './run-proof.ts';

/**
 * Runs each mutant against the checks of its requirement and each variant against all, and returns the results by name.
 * A machine that is busy with hundreds of endpoints makes one of them late, blocks a check, or excuses a fault that
 * lasts no longer: endpoints without the expected result run again with fewer others.
 */
export async function proveTwice(names: readonly string[], transport: Transport): Promise<Map<string, ProofResult>> {
  const results = new Map<string, ProofResult>();
  const run = async (some: readonly string[]) => {
    for (const result of await runProof(some, 'broken', transport)) results.set(result.name, result);
  };
  const isUndecided = (name: string) => {
    const { caught = false, accusations = [] } = results.get(name) ?? {};
    return proofEndpoints.get(name)?.breaks === undefined ? accusations.length > 0 : !caught;
  };
  await run(names);
  await run(names.filter(isUndecided));
  return results;
}
