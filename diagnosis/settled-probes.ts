import { requirements, type Requirement } from '../specs/requirements/catalogue.ts';
import { probeNames, type ProbeName } from '../specs/requirements/probe.ts';
import { probesOfSubject } from './probe-for.ts';
import { surfaceOf } from '../specs/surfaces.ts';
import type { CheckResult, DiagnosedSurface } from '../specs/generated/types.ts';

/**
 * Probes that a run makes unnecessary, because it judged every requirement that they explain and none failed. A partial run
 * settles only what it has judged.
 */
export function settledProbes(checks: readonly CheckResult[], surface: DiagnosedSurface): ReadonlySet<ProbeName> {
  const verdicts = Map.groupBy(checks, ({ requirement }) => requirement);
  const met = metRequirements(checks);
  const isMet = (id: string) => met.has(id);
  const idsOf = (probe: ProbeName) =>
    Object.entries<Requirement>(requirements)
      .filter(([id, one]) => one.probe === probe && surfaceOf(id) === surface && one.unobservable === undefined)
      .map(([id]) => id);
  const isObserved = (id: string) => verdicts.get(id)?.some(({ verdict }) => verdict === 'pass') === true;
  const isSettled = (probe: ProbeName) => {
    const ids = probesOfSubject(probe).flatMap(idsOf);
    return ids.some(isObserved) && ids.every(isMet);
  };
  return new Set(probeNames.filter(isSettled));
}

/** The requirements that a run has judged and of which nothing failed. */
export function metRequirements(checks: readonly CheckResult[]): ReadonlySet<string> {
  const isMet = ({ verdict }: CheckResult) => verdict === 'pass' || verdict === 'not-applicable';
  const all = [...Map.groupBy(checks, ({ requirement }) => requirement)];
  return new Set(all.flatMap(([id, own]) => (own.every(isMet) ? [id] : [])));
}
