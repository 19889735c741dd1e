import { requirements } from '../../specs/requirements/catalogue.ts';
import type { Gate, Level, Report, RequirementResult, Waiver } from '../../specs/generated/types.ts';
import type { Catalogue } from './build-report.ts';
import { compareBaseline } from './compare-baseline.ts';
import { isInForce, judgeWaivers } from './judge-waivers.ts';
import { gateReasons } from '../text/gate-reasons.ts';
import { requirementPairs } from './requirement-pairs.ts';
import { surfaceOf } from './surfaces.ts';
import { exitCode } from './verdict.ts';

/** What a run is held against. */
export interface GateOptions {
  /** Failures of this level and above fail the run; advice never does. */
  readonly failOn: Gate['failOn'];
  /** Only what did not fail in this report fails the run. */
  readonly baseline?: Report | undefined;
  readonly waivers?: readonly Waiver[] | undefined;
  /** The day in UTC on which waivers are judged, as `2026-10-12`. */
  readonly today: string;
  /** Only a recorded counterexample is sent again: what passes then fixes nothing and says nothing against a waiver. */
  readonly isReplay?: boolean | undefined;
}

/** What is left of a run for the gate to decide by, once baseline and waivers have excused what they excuse. */
export interface GateView {
  /** Failures that nothing excuses, in the report's order. */
  readonly failing: readonly RequirementResult[];
  /** Could not be judged, wholly or in part where only the part that failed is excused. */
  readonly blocked: readonly RequirementResult[];
  /** Waivers that are over while their requirement was not seen to hold, and those with nothing left to excuse. */
  readonly stale: NonNullable<Gate['waivers']>;
  /** Nothing at all was seen to hold. */
  readonly isNothingPassed: boolean;
}

/**
 * The report with the decision whether its run passes. The verdict stays as it is: what is excused does not hold all the
 * same. A baseline excuses what failed in it, a waiver what it names until its date; neither excuses what is blocked.
 */
export function applyGate(report: Report, { failOn, baseline, waivers, today, isReplay }: GateOptions): Report {
  const facts: Gate = {
    passed: false,
    failOn,
    reasons: [],
    ...(baseline && { baseline: compareBaseline(report, baseline, (level) => counts(level, failOn), isReplay) }),
    ...(waivers && waivers.length > 0 && { waivers: judgeWaivers(report, waivers, { today, isReplay }) }),
  };
  const reasons = gateReasons(gateView(report, facts), report, baseline);
  return { ...report, gate: { ...facts, passed: reasons.length === 0, reasons } };
}

/**
 * Exit code of a finished run: 0 when its gate passed, 1 when something fails that nothing excuses or a waiver is stale,
 * 3 when the rest could not be judged. Without a gate the verdict decides.
 */
export function gateExitCode(report: Report): 0 | 1 | 3 {
  if (!report.gate) return exitCode(report.verdict);
  if (report.gate.passed) return 0;
  const { failing, stale } = gateView(report, report.gate);
  return failing.length > 0 || stale.length > 0 ? 1 : 3;
}

/**
 * Whether a failure of a requirement decides the exit code: its level counts and nothing excuses it.
 *
 * @param catalogue what the run judges by, in which a requirement of the baseline may have another id by now
 */
export function isDecisive(
  { requirement, level }: { readonly requirement: string; readonly level: Level },
  { failOn, baseline, waivers = [], today }: GateOptions,
  catalogue: Catalogue = requirements,
): boolean {
  const isKnown = baseline !== undefined && failedIn(baseline, requirement, catalogue);
  const isWaived = waivers.some((waiver) => waiver.requirement === requirement && isInForce(waiver, today));
  return counts(level, failOn) && !isKnown && !isWaived;
}

function failedIn(baseline: Report, requirement: string, catalogue: Catalogue): boolean {
  const now = Object.entries(catalogue).map(([id, { statement }]) => ({ id, surface: surfaceOf(id), statement }));
  const pair = requirementPairs(baseline.requirements, now).find(({ after }) => after?.id === requirement);
  const before = pair ? pair.before : baseline.requirements.find(({ id }) => id === requirement);
  return before?.verdict === 'fail';
}

/** What decides over a report with this gate. */
export function gateView(report: Report, gate: Gate): GateView {
  const { failOn, baseline, waivers = [] } = gate;
  const counting = report.requirements.filter(({ level, verdict }) => verdict === 'fail' && counts(level, failOn));
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

function counts(level: Level, failOn: Gate['failOn']): boolean {
  return level === 'must' || (level === 'should' && failOn === 'should');
}
