import type { CheckResult, Report, RequirementResult } from '../../specs/types.ts';

/** The checks of a requirement that the report has, in its order. */
export function requirementChecks(report: Report, { checks }: RequirementResult): CheckResult[] {
  const ids = new Set(checks);
  return report.checks.filter(({ id }) => ids.has(id));
}
