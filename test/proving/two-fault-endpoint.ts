import { mutants } from '../mutants/every-mutant.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { surfaces } from '../../specs/surfaces.ts';
import { mergeSeams } from './merge-seams.ts';
import { proofEndpoints, type ProofEndpoint } from './proof-endpoints.ts';

/** Separator between the names of two mutants in the name of the endpoint with both faults. */
const between = ' and ';

/** The endpoint with the faults of both mutants. */
export function withBothFaults(one: Mutant, other: Mutant): ProofEndpoint {
  const [first, second] = [one, other].map(({ name }) => proofEndpoints.get(name));
  if (!first || !second) throw new Error(`${one.name} or ${other.name} is not in the proof.`);
  return {
    ...first,
    name: `${one.name}${between}${other.name}`,
    what: `${one.what} ${other.what}`,
    surfaces: surfaces.filter((surface) => first.surfaces.includes(surface) || second.surfaces.includes(surface)),
    breaksToo: other.breaks,
    watchMs: first.watchMs ?? second.watchMs,
    isExcused: (id) => first.isExcused(id) || second.isExcused(id),
    build: () => {
      const merged = mergeSeams(one.build(), other.build());
      if (!merged) throw new Error(`${one.name} and ${other.name} do not fit into one endpoint.`);
      return merged;
    },
  };
}

/** The endpoint with two faults that has this name. */
export function endpointWithBothFaults(name: string): ProofEndpoint | undefined {
  const [one, other] = name.split(between).map((part) => mutants.find((mutant) => mutant.name === part));
  return one && other && withBothFaults(one, other);
}
