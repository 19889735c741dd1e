import type { CheckResult, Report, RequirementResult } from '../../specs/generated/types.ts';

/** The checks of a requirement, in the order of the report. */
export function requirementChecks(report: Report, { checks }: RequirementResult): CheckResult[] {
  const ids = new Set(checks);
  return report.checks.filter(({ id }) => ids.has(id));
}
