import type { RequirementResult, CheckResult, Exchange, Report } from '../../specs/generated/types.ts';
import { type Outcome, outcomeOf } from './verdict.ts';

/** A requirement with its deciding check and the evidence. */
export interface RequirementFinding {
  readonly requirement: RequirementResult;
  /** The first check with the requirement's verdict; missing in some stored reports. */
  readonly deciding: CheckResult | undefined;
  /** Further checks with the same verdict. */
  readonly others: readonly CheckResult[];
  /** Evidence of the deciding check, the deciding exchange last. */
  readonly exchanges: readonly Exchange[];
  /** Evidence of any check, in the same order. */
  readonly evidenceOf: (check: CheckResult) => readonly Exchange[];
}

/** The requirements with this outcome, in the report's order, with their checks and evidence. */
export function findingsOf(report: Report, outcome: Outcome): RequirementFinding[] {
  const checks = new Map(report.checks.map((check) => [check.id, check]));
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const evidenceOf = ({ evidence }: CheckResult) => evidence.flatMap((id) => exchanges.get(id) ?? []);
  return report.requirements
    .filter((requirement) => outcomeOf(requirement) === outcome)
    .map((requirement) => {
      const [deciding, ...others] = requirement.checks
        .flatMap((id) => checks.get(id) ?? [])
        .filter((check) => check.verdict === requirement.verdict);
      return { requirement, deciding, others, exchanges: deciding ? evidenceOf(deciding) : [], evidenceOf };
    });
}
