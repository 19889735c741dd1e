import type { CheckResult, Level, Report, RequirementResult, Verdict } from '../../specs/generated/types.ts';
import { gateExitCode, gateView } from './apply-gate.ts';
import { blockedGroups, findingsOf } from './findings.ts';
import type { BlockedGroup, RequirementFinding } from './findings.ts';
import { outcomeOf } from './verdict.ts';
import type { Outcome } from './verdict.ts';
import { baselineLabels, verdictReason, describeWaiver } from '../text/wording.ts';

/** What a verdict does to the run: its outcome, or what excuses a failure. `fail` and `blocked` turn the run red. */
export type GateStatus = Outcome | 'waived' | 'known';

/** A standing, with a sentence on it where the gate has something to say. Holds outside text as it is. */
export interface Gated {
  readonly status: GateStatus;
  readonly note?: string;
}

interface Judged {
  readonly requirement: string;
  readonly level: Level;
  readonly verdict: Verdict;
}

/** What keeps a run from passing though no requirement does. */
export interface RunProblem {
  /** The requirement that it is about, or `run`. */
  readonly about: string;
  /** Reads as what should be, as the title of a check does. */
  readonly title: string;
  readonly status: 'fail' | 'blocked';
  readonly message: string;
}

/** How verdicts of a report stand before its gate; without a gate their outcome says all. */
export function gateStatuses(report: Report): (row: Judged) => Gated {
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

/** A finding, with what it does to the run. */
export interface GatedFinding extends Gated {
  readonly finding: RequirementFinding;
}

/** Everything that does not hold: what fails the run first, and within one standing in reading order. */
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

/** An excused failure of which another part could not be judged. Nothing excuses that part. */
export interface PartlyBlocked extends GatedFinding {
  /** The first check that was blocked. */
  readonly unjudged: CheckResult;
}

/** All that a reader has to fix, each requirement in one group; the groups in the order to read them. */
export interface FindingGroups {
  /** Fails the run, whatever its level. */
  readonly fails: readonly GatedFinding[];
  /** Could not be judged at all, by cause. */
  readonly blocked: readonly BlockedGroup[];
  readonly partlyBlocked: readonly PartlyBlocked[];
  /** Does not hold, and fails nothing because the gate knows or waives it. */
  readonly excused: readonly GatedFinding[];
  readonly warns: readonly GatedFinding[];
  readonly advice: readonly GatedFinding[];
}

/** What does not hold or could not be judged, by what it does to the run. */
export function findingGroups(report: Report): FindingGroups {
  const { gate } = report;
  const found = gatedFindings(report);
  const of = (...statuses: GateStatus[]) => found.filter(({ status }) => statuses.includes(status));
  const open = new Set(gate && gateView(report, gate).blocked.map(({ id }) => id));
  const partlyBlocked = of('known', 'waived').flatMap((one): PartlyBlocked[] => {
    const { id } = one.finding.requirement;
    const unjudged = report.checks.find(({ requirement, verdict }) => requirement === id && verdict === 'blocked');
    return open.has(id) && unjudged ? [{ ...one, unjudged }] : [];
  });
  const isPartly = new Set(partlyBlocked.map(({ finding }) => finding));
  return {
    fails: of('fail'),
    blocked: blockedGroups(report),
    partlyBlocked,
    excused: of('known', 'waived').filter(({ finding }) => !isPartly.has(finding)),
    warns: of('warn'),
    advice: of('advice'),
  };
}

/** What could not be judged of an excused failure. Holds outside text as it is: escape it for where it goes. */
export function describeBlockedPart({ unjudged }: PartlyBlocked): string {
  return `A part of it could not be judged, which nothing excuses: ${unjudged.message ?? unjudged.title}`;
}

/** What keeps the run from passing beside its failures: waivers that excuse nothing, a run that saw nothing. */
export function runProblems(report: Report): RunProblem[] {
  const { gate } = report;
  const view = gate && gateView(report, gate);
  const fails = new Set(report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const stale = (view?.stale ?? [])
    .filter(({ state, requirement }) => state === 'passes' || !fails.has(requirement))
    .map((waiver) => ({
      about: waiver.requirement,
      title: `the waiver of ${waiver.requirement} ${waiver.state === 'passes' ? 'excuses something' : 'is not over'}`,
      status: 'fail' as const,
      message: describeWaiver(waiver, report),
    }));
  const { fail, blocked } = report.summary;
  const told = view ? view.failing.length + view.blocked.length + view.stale.length : fail + blocked;
  const code = gateExitCode(report);
  if (code === 0 || told > 0) return stale;
  const message = gate?.reasons.join(' ') || verdictReason(report);
  return [...stale, { about: 'run', title: 'the run can pass', status: code === 3 ? 'blocked' : 'fail', message }];
}

/** Requirements whose failure is excused while another part of them could not be judged, which nothing excuses. */
export function partlyBlocked(report: Report): RequirementResult[] {
  return findingGroups(report).partlyBlocked.map(({ finding }) => finding.requirement);
}
