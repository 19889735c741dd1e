import type { CheckResult, Exchange, Report, RequirementResult } from '../../specs/generated/types.ts';
import { surfaceViews } from './findings.ts';
import { gateStatuses } from './gate-status.ts';
import type { Gated, GateStatus } from './gate-status.ts';

/** One line of a test report: a check, or a requirement that no check judged. Holds outside text as it is. */
export interface ReportCase extends Gated {
  /** Of the check, else of the requirement. */
  readonly id: string;
  readonly title: string;
  readonly requirement: RequirementResult;
  readonly check: CheckResult | undefined;
  /** What was found, or why nothing was judged. */
  readonly message: string | undefined;
  /** Evidence, the deciding exchange last. */
  readonly exchanges: readonly Exchange[];
}

const onlyTells: ReadonlySet<GateStatus> = new Set(['warn', 'advice']);

/**
 * Every check, and every requirement whose verdict none of its checks in the report has, by surface in the interface's order. Surfaces that the run omitted
 * as a whole are omitted here too.
 */
export function reportCases(report: Report): Map<string, ReportCase[]> {
  const statusOf = gateStatuses(report);
  const checks = new Map(report.checks.map((check) => [check.id, check]));
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const casesOf = (requirement: RequirementResult): ReportCase[] => {
    const { id, level, verdict } = requirement;
    const own = requirement.checks.flatMap((check) => checks.get(check) ?? []);
    const whole = statusOf({ requirement: id, level, verdict });
    const { statement, message, unobservable } = requirement;
    const ofRequirement = {
      ...whole,
      id,
      title: statement,
      requirement,
      check: undefined,
      message: message ?? unobservable,
      exchanges: [],
    };
    const ofChecks = own.map((check) => ({
      // Beside a failure that only warns, what was blocked does not keep the run from passing either.
      ...(check.verdict === 'blocked' && onlyTells.has(whole.status)
        ? whole
        : statusOf({ requirement: id, level, verdict: check.verdict })),
      id: check.id,
      title: check.title,
      requirement,
      check,
      message: check.message,
      exchanges: check.evidence.flatMap((one) => exchanges.get(one) ?? []),
    }));
    return own.some((check) => check.verdict === verdict) ? ofChecks : [ofRequirement, ...ofChecks];
  };
  return new Map(
    surfaceViews(report)
      .filter(({ omitted }) => omitted === undefined)
      .map(({ surface, requirements }) => [surface, requirements.flatMap(casesOf)]),
  );
}
