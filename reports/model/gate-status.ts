import type { Level, Report, Verdict } from '../../specs/generated/types.ts';
import { gateExitCode } from './apply-gate.ts';
import { gateView } from './gate-view.ts';
import { findingsOf } from './requirement-finding.ts';
import type { RequirementFinding } from './requirement-finding.ts';
import { outcomeOf } from './verdict.ts';
import type { Outcome } from './verdict.ts';
import { baselineLabels, verdictReason, describeWaiver } from '../text/wording.ts';

/** The effect of a verdict on the run: its outcome, or the excuse of a failure. `fail` and `blocked` fail the run. */
export type GateStatus = Outcome | 'waived' | 'known';

/** A gate status, with an explanation from the gate if there is one. Contains outside text. */
export interface Gated {
  readonly status: GateStatus;
  readonly note?: string;
}

interface JudgedRequirement {
  readonly requirement: string;
  readonly level: Level;
  readonly verdict: Verdict;
}

/** A reason why the run fails that is not a failed requirement. */
export interface RunProblem {
  /** The requirement concerned, or `run`. */
  readonly about: string;
  /** Reads as the required state, like the title of a check. */
  readonly title: string;
  readonly status: 'fail' | 'blocked';
  readonly message: string;
}

/** The gate status of each verdict; without a gate it is the outcome. */
export function gateStatuses(report: Report): (row: JudgedRequirement) => Gated {
  const { gate } = report;
  const waivers = new Map(gate?.waivers?.map((waiver) => [waiver.requirement, waiver]));
  const fresh = gate?.baseline && new Set(gate.baseline.new);
  return (row) => {
    const waiver = row.verdict === 'fail' ? waivers.get(row.requirement) : undefined;
    if (waiver?.state === 'applied') return { status: 'waived', note: describeWaiver(waiver, report) };
    if (waiver?.state === 'expired') return { status: 'fail', note: describeWaiver(waiver, report) };
    const outcome = outcomeOf(row);
    const decides = outcome === 'fail' || (outcome === 'warn' && gate?.failOn === 'should');
    if (!decides) return { status: outcome };
    if (fresh && !fresh.has(row.requirement)) return { status: 'known', note: baselineLabels.known };
    return { status: 'fail', ...(fresh && { note: baselineLabels.new }) };
  };
}

/** A finding with its gate status. */
export interface GatedFinding extends Gated {
  readonly finding: RequirementFinding;
}

/** All failures: those that fail the run first, in reading order within one status. */
export function gatedFindings(report: Report): GatedFinding[] {
  const statusOf = gateStatuses(report);
  return (['fail', 'warn', 'advice'] as const)
    .flatMap((outcome) => findingsOf(report, outcome))
    .map((finding) => {
      const { id, level, verdict } = finding.requirement;
      return { finding, ...statusOf({ requirement: id, level, verdict }) };
    })
    .toSorted((a, b) => fixingOrder.indexOf(a.status) - fixingOrder.indexOf(b.status));
}

const fixingOrder: readonly GateStatus[] = ['fail', 'known', 'waived', 'warn', 'advice'];

/** Reasons other than failures why the run fails: stale waivers, a run in which nothing passed. */
export function runProblems(report: Report): RunProblem[] {
  const { gate } = report;
  const view = gate && gateView(report, gate);
  const fails = new Set(report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const stale = (view?.stale ?? [])
    .filter(({ state, requirement }) => state === 'passes' || !fails.has(requirement))
    .map((waiver) => ({
      about: waiver.requirement,
      title: `the waiver of ${waiver.requirement} ${waiver.state === 'passes' ? 'is still needed' : 'has not expired'}`,
      status: 'fail' as const,
      message: describeWaiver(waiver, report),
    }));
  const { fail, blocked } = report.summary;
  const reported = view ? view.failing.length + view.blocked.length + view.stale.length : fail + blocked;
  const code = gateExitCode(report);
  if (code === 0 || reported > 0) return stale;
  const message = gate?.reasons.join(' ') || verdictReason(report);
  return [...stale, { about: 'run', title: 'the run can pass', status: code === 3 ? 'blocked' : 'fail', message }];
}
