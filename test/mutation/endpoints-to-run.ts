import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { correctEndpoints } from '../proving/passed-checks.ts';
import { proofEndpoints } from '../proving/proof-endpoints.ts';
import type { PlantableFault } from './operators.ts';
import type { Reach } from './reach.ts';

/** One endpoint to run against a fault. */
export interface EndpointToRun {
  name: string;
  /** Ids of the checks that suffice; absent: all that the proof runs. */
  checks?: string[];
}

/** Mutants of the requirements that are named near a fault, which run before all others. */
const firstMutants = 8;

/**
 * The endpoints that reach a fault, those that probably detect it first: the correct ones and variants with the checks
 * that reach it only, mutants of the requirements that are named near it, one mutant of each other requirement, the
 * correct ones with all checks, and the rest.
 */
export function endpointsToRun(
  { nearby, operator }: Pick<PlantableFault, 'nearby' | 'operator'>,
  key: string,
  { endpoints, checks }: Reach,
): EndpointToRun[] {
  const reaching = Object.keys(endpoints).filter((name) => endpoints[name]?.[key] !== undefined);
  const withItsChecks = (name: string): EndpointToRun => {
    const numbers = endpoints[name]?.[key] ?? [];
    const ids = numbers.filter((number) => number >= 0).map((number) => checks[number] ?? '');
    return ids.length === 0 ? { name } : { name, checks: ids };
  };
  const breaksOf = (name: string) => proofEndpoints.get(name)?.breaks;
  const rankOf = (id: RequirementId) => {
    const rank = nearby.findIndex((text) => text === id || id.endsWith(`/${text}`));
    return rank < 0 ? Infinity : rank;
  };
  const mutants = reaching.flatMap((name) => {
    const breaks = breaksOf(name);
    return breaks === undefined ? [] : [{ name, breaks, rank: rankOf(breaks) }];
  });
  // Those that need all suites take longest.
  const byTime = mutants.toSorted((a, b) => Number(isSlow(a.name)) - Number(isSlow(b.name)));
  const near = byTime
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank));
  const eachFirst = [...new Map(byTime.toReversed().map((one) => [one.breaks, one])).values()].toReversed();
  const isCorrect = (name: string) => correctEndpoints.includes(name);
  const correct = reaching.filter(isCorrect);
  const variants = reaching.filter((name) => breaksOf(name) === undefined && !isCorrect(name));
  const named = (some: readonly { name: string }[]): EndpointToRun[] => some.map(({ name }) => ({ name }));
  const nearest = named(near.slice(0, firstMutants));
  const fewChecks = correct.map(withItsChecks);
  const ordered = [
    ...(operator.startsWith('removed-') ? [...nearest, ...fewChecks] : [...fewChecks, ...nearest]),
    ...named(eachFirst),
    ...correct.map((name) => ({ name })),
    ...named(near),
    ...variants.map(withItsChecks),
    ...named(byTime),
  ];
  return [...new Map(ordered.map((one) => [labelUnit(one), one])).values()];
}

/** `name`, or `name (2 checks)`. */
export function labelUnit({ name, checks }: EndpointToRun): string {
  return checks === undefined ? name : `${name} (${checks.length} ${checks.length === 1 ? 'check' : 'checks'})`;
}

function isSlow(name: string): boolean {
  return proofEndpoints.get(name)?.needsTheRest !== undefined;
}
