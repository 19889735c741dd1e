import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { surfaceOf, type Surface } from '../../specs/surfaces.ts';
import { proofEndpoints, type ProofEndpoint } from '../proving/proof-endpoints.ts';
import { importersOf, type ImportGraph } from './import-graph.ts';
import type { PlantableFault } from './operators.ts';

/** Names of the files that serve a surface. */
const filesOf: readonly (readonly [Surface, RegExp])[] = [
  ['crm-webhook', /crm|callback/],
  ['api-webhooks', /api-webhooks/],
  ['own-ai-chat', /chat|repl(?:y|ies)/],
  ['own-ai-phone', /phone|call[-.]|frame|upgrade/],
];

/** Variants that detect a fault before most mutants do. */
const firstVariants = 4;

/**
 * The endpoints whose run loads the file of a fault, ordered by the probability that they detect it: mutants of the
 * requirements that are named near the fault, a few variants, one mutant of each other requirement, and the rest;
 * within each group, first those of the surface that the file serves.
 */
export function endpointsToRun(
  { path, nearby }: Pick<PlantableFault, 'path' | 'nearby'>,
  graph: ImportGraph,
  suites: ReadonlyMap<string, readonly RequirementId[]>,
): string[] {
  const distances = importersOf(graph, path).set(path, 0);
  const reached = [...suites]
    .filter(([file]) => distances.has(file))
    .sort(([a], [b]) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0));
  const requirements = [...new Set(reached.flatMap(([, ids]) => ids))];
  const rankOf = (id: RequirementId) => {
    const rank = nearby.findIndex((text) => text === id || id.endsWith(`/${text}`));
    return rank < 0 ? Infinity : rank;
  };
  const ordered = requirements.toSorted((a, b) => compare(rankOf(a), rankOf(b)));
  const all = [...proofEndpoints.values()];
  const mutantsOf = (id: RequirementId) => all.filter(({ breaks }) => breaks === id);
  const surfaces = new Set(requirements.map((id) => surfaceOf(id)));
  const variants = all.filter((one) => one.breaks === undefined && one.surfaces.some((name) => surfaces.has(name)));
  const near = ordered.filter((id) => rankOf(id) < Infinity).flatMap(mutantsOf);
  const eachFirst = ordered.flatMap((id) => mutantsOf(id).slice(0, 1));
  const rest = [variants.slice(0, firstVariants), eachFirst, variants, ordered.flatMap(mutantsOf)].flat();
  const served = filesOf.filter(([, name]) => name.test(path)).map(([surface]) => surface);
  const isServed = ({ surfaces: on }: ProofEndpoint) => on.some((surface) => served.includes(surface));
  // Those that need all suites take longest.
  const cost = (one: ProofEndpoint) => (isSlow(one) ? 2 : 0) + (isServed(one) ? 0 : 1);
  const byTime = rest.toSorted((a, b) => cost(a) - cost(b));
  return [...new Set([...near, ...byTime].map(({ name }) => name))];
}

function isSlow({ needsTheRest }: ProofEndpoint): boolean {
  return needsTheRest !== undefined;
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a - b;
}
