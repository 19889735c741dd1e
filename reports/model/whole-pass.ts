import type { Report, RequirementResult } from '../../specs/generated/types.ts';
import { surfaceOf } from '../../specs/surfaces.ts';

/**
 * Whether a pass covers the whole requirement: all of its checks ran and passed. A shard, fewer generated events than
 * usual, a single check of several, or a check that is missing or had nothing to judge does not.
 */
export function isWholePass(report: Report, { id, verdict, checks }: RequirementResult): boolean {
  if (verdict !== 'pass') return false;
  if (isCutBySelection(report, id) || report.selection?.runs !== undefined) return false;
  const verdicts = new Map(report.checks.map((check) => [check.id, check.verdict]));
  return checks.length > 0 && checks.every((check) => verdicts.get(check) === 'pass');
}

/**
 * Whether the selection of a run excluded the requirement or some of its checks, as shards, runs of contracts only and
 * recorded traffic do.
 */
export function isCutBySelection({ selection = {} }: Pick<Report, 'selection'>, id: string): boolean {
  const { surfaces, only, shard, contracts = false, capture = false, stopped } = selection;
  if ((shard !== undefined && shard.of > 1) || contracts || capture || stopped) return true;
  return (surfaces !== undefined && !surfaces.includes(surfaceOf(id))) || (only !== undefined && !only.includes(id));
}
