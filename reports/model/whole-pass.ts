import type { Report, RequirementResult } from '../../specs/types.ts';
import { surfaceOf } from './surfaces.ts';

/**
 * Whether a pass says that nothing of the requirement is broken: all of its checks ran and passed. A share of the
 * suites, fewer generated events than usual, a single check of several, or a check that found nothing to judge or that
 * the report lacks leaves open what the rest would say.
 */
export function isWholePass(report: Report, { id, verdict, checks }: RequirementResult): boolean {
  if (verdict !== 'pass') return false;
  if (isCutBySelection(report, id) || report.selection?.runs !== undefined) return false;
  const verdicts = new Map(report.checks.map((check) => [check.id, check.verdict]));
  return checks.length > 0 && checks.every((check) => verdicts.get(check) === 'pass');
}

/**
 * Whether the selection of a run left the requirement out, or a part of its checks; so do any share of the suites,
 * contracts alone and recorded traffic.
 */
export function isCutBySelection({ selection = {} }: Pick<Report, 'selection'>, id: string): boolean {
  const { surfaces, only, shard, contracts = false, capture = false } = selection;
  if ((shard !== undefined && shard.of > 1) || contracts || capture) return true;
  return (surfaces !== undefined && !surfaces.includes(surfaceOf(id))) || (only !== undefined && !only.includes(id));
}
