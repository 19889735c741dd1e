import type { LoadReport, LoadSurface } from '../specs/generated/types.ts';
import { isRequirementId, requirement as requirementOf } from '../specs/requirements/catalogue.ts';

/** Ends of a search that leave the edge open for a reason outside the endpoint. */
const endedEarly: ReadonlySet<LoadSurface['ended']> = new Set(['own-lag', 'limit', 'process-limit', 'nothing-timed']);

/**
 * Certain failures come first; the edge itself is not a failure. An endpoint without success at the first load, or that has
 * not recovered from a miss, has none to measure: only `check` can judge why.
 */
export function loadVerdict(surfaces: readonly LoadSurface[]): LoadReport['verdict'] {
  const levels = new Set(surfaces.flatMap(({ findings }) => findings.map(({ level }) => level)));
  let isIncomplete = false;
  for (const { ended, deadline, steps, recovery } of surfaces) {
    const decisive = recovery ?? (ended === 'first-load' ? steps.at(-1) : undefined);
    const { late = 0, lateSetUps = 0 } = decisive ?? {};
    if (lateSetUps > 0) levels.add(requirementOf('own-ai-phone/connects-within-5-seconds').level);
    if (late > lateSetUps && deadline && isRequirementId(deadline.requirement))
      levels.add(requirementOf(deadline.requirement).level);
    isIncomplete ||= endedEarly.has(ended) || (decisive !== undefined && late === 0);
  }
  if (levels.has('must')) return 'non-conformant';
  if (isIncomplete) return 'incomplete';
  return levels.has('should') ? 'conformant-with-warnings' : 'conformant';
}
