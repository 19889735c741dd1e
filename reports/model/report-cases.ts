import type { CheckResult, Exchange, Report, RequirementResult } from '../../specs/generated/types.ts';
import { surfaceViews } from './findings.ts';
import { gateStatuses } from './gate-status.ts';
import type { Gated, GateStatus } from './gate-status.ts';

/** One case of a test report: a check, or a requirement that no check judged. Contains outside text. */
export interface ReportCase extends Gated {
  /** The id of the check, else of the requirement. */
  readonly id: string;
  readonly title: string;
  readonly requirement: RequirementResult;
  readonly check: CheckResult | undefined;
  /** The failure, or the reason why nothing was judged. */
  readonly message: string | undefined;
  /** Evidence, the deciding exchange last. */
  readonly exchanges: readonly Exchange[];
}

const neverFails: ReadonlySet<GateStatus> = new Set(['warn', 'advice']);

/**
 * Every check, and every requirement with a verdict that none of its checks has, by surface in the interface's order.
 * Surfaces that the run omitted are omitted here too.
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
      // Where the requirement only warns, a blocked check does not fail the run either.
      ...(check.verdict === 'blocked' && neverFails.has(whole.status)
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
