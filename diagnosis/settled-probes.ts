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
  const idsOf = (probe: ProbeName) =>
    Object.entries<Requirement>(requirements)
      .filter(([id, one]) => one.probe === probe && surfaceOf(id) === surface && one.unobservable === undefined)
      .map(([id]) => id);
  const isOpen = (id: string) => verdicts.get(id)?.every(isPassedOrNotApplicable) !== true;
  const isObserved = (id: string) => verdicts.get(id)?.some(isPassed) === true;
  const isSettled = (probe: ProbeName) => {
    const ids = probesOfSubject(probe).flatMap(idsOf);
    return ids.some(isObserved) && !ids.some(isOpen);
  };
  return new Set(probeNames.filter(isSettled));
}

/** The requirements of which a check has passed, and no other one has another verdict, except that it does not apply. */
export function metRequirements(checks: readonly CheckResult[]): ReadonlySet<string> {
  const all = [...Map.groupBy(checks, ({ requirement }) => requirement)];
  return new Set(all.flatMap(([id, own]) => (own.some(isPassed) && own.every(isPassedOrNotApplicable) ? [id] : [])));
}

function isPassed({ verdict }: CheckResult): boolean {
  return verdict === 'pass';
}

function isPassedOrNotApplicable({ verdict }: CheckResult): boolean {
  return verdict === 'pass' || verdict === 'not-applicable';
}
