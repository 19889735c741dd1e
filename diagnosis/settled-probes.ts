import { requirements, type Requirement } from '../specs/requirements/catalogue.ts';
import { probeNames, type ProbeName } from '../specs/requirements/probe.ts';
import { surfaceOf } from '../specs/surfaces.ts';
import type { CheckResult, DiagnosedSurface } from '../specs/generated/types.ts';

/** Probes of one subject: one of them may find the cause of what fails for another. */
const together: readonly (readonly ProbeName[])[] = [
  ['signature', 'weakness', 'window'],
  ['answer', 'payload'],
  ['call', 'dialogue'],
];

/**
 * The probes that a run makes needless: it has judged every requirement whose failure they explain, and none failed. A run
 * of some checks only settles nothing that it has not judged.
 */
export function settledProbes(checks: readonly CheckResult[], surface: DiagnosedSurface): ReadonlySet<ProbeName> {
  const verdicts = Map.groupBy(checks, ({ requirement }) => requirement);
  const isMet = (id: string) => {
    const own = verdicts.get(id) ?? [];
    return own.length > 0 && own.every(({ verdict }) => verdict !== 'fail' && verdict !== 'blocked');
  };
  const idsOf = (probe: ProbeName) =>
    Object.entries<Requirement>(requirements)
      .filter(([id, one]) => one.probe === probe && surfaceOf(id) === surface && one.unobservable === undefined)
      .map(([id]) => id);
  const isObserved = (id: string) => verdicts.get(id)?.some(({ verdict }) => verdict === 'pass') === true;
  const isSettled = (probe: ProbeName) => {
    const group = together.find((one) => one.includes(probe)) ?? [probe];
    const ids = group.flatMap(idsOf);
    return ids.some(isObserved) && ids.every(isMet);
  };
  return new Set(probeNames.filter(isSettled));
}
