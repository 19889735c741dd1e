import { requirements } from '../../specs/requirements/catalogue.ts';
import type { Gate, Level, Report, Waiver } from '../../specs/generated/types.ts';
import type { Catalogue } from './build-report.ts';
import { compareBaseline } from './compare-baseline.ts';
import { isInForce, judgeWaivers } from './judge-waivers.ts';
import { gateReasons } from '../text/gate-reasons.ts';
import { requirementPairs } from './requirement-pairs.ts';
import { surfaceOf } from '../../specs/surfaces.ts';
import { exitCode } from './verdict.ts';
import { gateView, isCounted } from './gate-view.ts';

/** The conditions of a gate. */
export interface GateOptions {
  /** Failures at this level and above fail the run; advice never does. */
  readonly failOn: Gate['failOn'];
  /** Failures in this report are excused. */
  readonly baseline?: Report | undefined;
  readonly waivers?: readonly Waiver[] | undefined;
  /** The day in UTC on which waivers are judged: `2026-10-12`. */
  readonly today: string;
  /** Only a recorded counterexample is sent again, so a pass neither fixes a requirement nor makes a waiver stale. */
  readonly isReplay?: boolean | undefined;
}

/**
 * Adds the decision whether the run passes to the report. The verdict does not change, since an excused failure is still a
 * failure. A baseline excuses the failures in it, a waiver its requirement until its date; neither excuses a blocked one.
 */
export function applyGate(report: Report, { failOn, baseline, waivers, today, isReplay }: GateOptions): Report {
  const facts: Gate = {
    passed: false,
    failOn,
    reasons: [],
    ...(baseline && { baseline: compareBaseline(report, baseline, (level) => isCounted(level, failOn), isReplay) }),
    ...(waivers && waivers.length > 0 && { waivers: judgeWaivers(report, waivers, { today, isReplay }) }),
  };
  const reasons = gateReasons(gateView(report, facts), report, baseline);
  return { ...report, gate: { ...facts, passed: reasons.length === 0, reasons } };
}

/**
 * Exit code of a finished run: 0 when its gate passed, 1 for a failure that is not excused or a stale waiver, 3 when
 * something could not be judged. Without a gate the verdict decides.
 */
export function gateExitCode(report: Report): 0 | 1 | 3 {
  if (!report.gate) return exitCode(report.verdict);
  if (report.gate.passed) return 0;
  const { failing, stale } = gateView(report, report.gate);
  return failing.length > 0 || stale.length > 0 ? 1 : 3;
}

/**
 * Whether a failure of a requirement decides the exit code: its level counts and it is not excused.
 *
 * @param catalogue the catalogue of the run, in which a requirement of the baseline may have been renamed
 */
export function isDecisive(
  { requirement, level }: { readonly requirement: string; readonly level: Level },
  { failOn, baseline, waivers = [], today }: GateOptions,
  catalogue: Catalogue = requirements,
): boolean {
  const isKnown = baseline !== undefined && failedIn(baseline, requirement, catalogue);
  const isWaived = waivers.some((waiver) => waiver.requirement === requirement && isInForce(waiver, today));
  return isCounted(level, failOn) && !isKnown && !isWaived;
}

function failedIn(baseline: Report, requirement: string, catalogue: Catalogue): boolean {
  const now = Object.entries(catalogue).map(([id, { statement }]) => ({ id, surface: surfaceOf(id), statement }));
  const pair = requirementPairs(baseline.requirements, now).find(({ after }) => after?.id === requirement);
  const before = pair ? pair.before : baseline.requirements.find(({ id }) => id === requirement);
  return before?.verdict === 'fail';
}
