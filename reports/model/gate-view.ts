import type { Gate, Level, Report, RequirementResult } from '../../specs/generated/types.ts';

/** The requirements and waivers that decide the gate, after baseline and waivers were applied. */
export interface GateView {
  /** Failures that are not excused, in the report's order. */
  readonly failing: readonly RequirementResult[];
  /** Blocked, or excused failures with a blocked check. */
  readonly blocked: readonly RequirementResult[];
  /** Expired waivers of requirements that did not pass, and waivers of requirements that passed. */
  readonly stale: NonNullable<Gate['waivers']>;
  readonly isNothingPassed: boolean;
}

/** The requirements and waivers that decide this gate. */
export function gateView(report: Report, gate: Gate): GateView {
  const { failOn, baseline, waivers = [] } = gate;
  const counting = report.requirements.filter(({ level, verdict }) => verdict === 'fail' && isCounted(level, failOn));
  const waived = new Set(waivers.filter(({ state }) => state === 'applied').map(({ requirement }) => requirement));
  const fresh = baseline && new Set(baseline.new);
  const isExcused = ({ id }: RequirementResult) => waived.has(id) || (fresh !== undefined && !fresh.has(id));
  const blockedChecks = new Set(
    report.checks.filter(({ verdict }) => verdict === 'blocked').map(({ requirement }) => requirement),
  );
  const partlyBlocked = new Set(counting.filter((row) => isExcused(row) && blockedChecks.has(row.id)));
  return {
    failing: counting.filter((row) => !isExcused(row)),
    blocked: report.requirements.filter((row) => row.verdict === 'blocked' || partlyBlocked.has(row)),
    stale: waivers.filter(({ state }) => state === 'expired' || state === 'passes'),
    isNothingPassed: report.summary.pass === 0,
  };
}

/** Whether a failure at this level decides the exit code. */
export function isCounted(level: Level, failOn: Gate['failOn']): boolean {
  return level === 'must' || (level === 'should' && failOn === 'should');
}
