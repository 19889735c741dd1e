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

/** Checks of a correct endpoint that run first of those that reach a fault: most faults fail any of them. */
const firstChecks = 8;
/** Mutants of the requirements that are named near a fault, which run before all others. */
const firstMutants = 8;
/** Mutants of other requirements, and then variants, that run before the correct endpoints with all checks. */
const firstOthers = 16;
const firstVariants = 6;

/**
 * The endpoints that reach a fault, those that probably detect it first: the correct ones with a few of the checks that
 * reach it, mutants of the requirements that are named near it, the correct ones with all checks that reach it, one
 * mutant of each other requirement, variants, the correct ones with all checks, and the rest.
 */
export function endpointsToRun(
  { nearby, operator }: Pick<PlantableFault, 'nearby' | 'operator'>,
  key: string,
  reach: Reach,
): EndpointToRun[] {
  const numbersOf = reachedBy(key, reach);
  const reaching = [...numbersOf.keys()];
  const withItsChecks = (name: string): EndpointToRun => {
    const numbers = numbersOf.get(name) ?? [];
    const ids = numbers.filter((number) => number >= 0).map((number) => reach.checks[number] ?? '');
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
  const near = mutants
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => Number(isSlow(a.name)) - Number(isSlow(b.name)) || a.rank - b.rank);
  // Those that need all suites take longest.
  const quick = mutants.filter(({ name }) => !isSlow(name));
  const eachFirst = [...new Map(quick.toReversed().map((one) => [one.breaks, one])).values()].toReversed();
  const isCorrect = (name: string) => correctEndpoints.includes(name);
  const correct = reaching.filter(isCorrect);
  const variants = reaching.filter((name) => breaksOf(name) === undefined && !isCorrect(name)).map(withItsChecks);
  const named = (some: readonly { name: string }[]): EndpointToRun[] => some.map(({ name }) => ({ name }));
  const nearest = named(near.slice(0, firstMutants));
  const itsChecks = correct.map(withItsChecks);
  const fewChecks = itsChecks.map(({ name, checks }) => ({ name, ...(checks && { checks: spread(checks) }) }));
  const ordered = [
    ...(operator.startsWith('removed-') ? [...nearest, ...fewChecks] : [...fewChecks, ...nearest]),
    ...itsChecks,
    ...named(eachFirst).slice(0, firstOthers),
    ...variants.slice(0, firstVariants),
    ...correct.map((name) => ({ name })),
    ...named(near),
    ...named(eachFirst),
    ...variants,
    ...named(quick),
    ...named(mutants),
  ];
  return [...new Map(ordered.map((one) => [labelUnit(one), one])).values()];
}

/** At most {@link firstChecks} of these checks, from all parts of the list. */
function spread(checks: readonly string[]): string[] {
  const step = Math.max(1, checks.length / firstChecks);
  return Array.from({ length: Math.min(firstChecks, checks.length) }, (_, at) => checks[Math.floor(at * step)] ?? '');
}

/**
 * The endpoints that reach a fault, with the numbers of the checks that do. A fault that is in effect when the suites are
 * loaded is reached wherever its file is; a file of which nothing else is reached is in use everywhere.
 */
function reachedBy(key: string, { loaded, endpoints }: Reach): Map<string, number[]> {
  const reaching = (isMeant: (other: string) => boolean) =>
    new Map(
      Object.entries(endpoints).flatMap(([name, reached]) => {
        const numbers = Object.entries(reached).flatMap(([other, checks]) => (isMeant(other) ? checks : []));
        return numbers.length === 0 ? [] : [[name, [...new Set(numbers)]]];
      }),
    );
  if (!loaded.includes(key)) return reaching((other) => other === key);
  const file = key.slice(0, key.indexOf('#') + 1);
  const found = reaching((other) => other.startsWith(file));
  return found.size > 0 ? found : new Map(Object.keys(endpoints).map((name) => [name, []]));
}

/** `name`, or `name (2 checks)`. */
export function labelUnit({ name, checks }: EndpointToRun): string {
  return checks === undefined ? name : `${name} (${checks.length} ${checks.length === 1 ? 'check' : 'checks'})`;
}

function isSlow(name: string): boolean {
  return proofEndpoints.get(name)?.needsTheRest !== undefined;
}
