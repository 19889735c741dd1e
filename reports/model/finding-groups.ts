import type { CheckResult, Report } from '../../specs/generated/types.ts';
import { causeEntries, type CauseEntry } from './cause-entries.ts';
import { gatedFindings, type GatedFinding, type GateStatus } from './gate-status.ts';
import { gateView } from './gate-view.ts';
import { findingsOf } from './requirement-finding.ts';

/** An excused failure with another check that was blocked. Nothing excuses the blocked check. */
export interface PartlyBlocked extends GatedFinding {
  /** The first check that was blocked. */
  readonly unjudged: CheckResult;
}

/** Everything to fix, each requirement in one group; the groups are in reading order. */
export interface FindingGroups {
  /** Causes of failures that fail the run, at any level, with what they block. */
  readonly fails: readonly CauseEntry[];
  /** Causes that only blocked requirements. */
  readonly blocked: readonly CauseEntry[];
  readonly partlyBlocked: readonly PartlyBlocked[];
  /** Waived or known failures, which do not fail the run. */
  readonly excused: readonly GatedFinding[];
  readonly warns: readonly CauseEntry[];
  readonly advice: readonly CauseEntry[];
}

/** Groups failed and blocked requirements by cause, and the causes by their effect on the run. */
export function findingGroups(report: Report): FindingGroups {
  const { gate, target } = report;
  const found = gatedFindings(report);
  const excused = found.filter(({ status }) => isExcused(status));
  const blocked = findingsOf(report, 'blocked').map((finding): GatedFinding => ({ finding, status: 'blocked' }));
  const entries = causeEntries([...found.filter(({ status }) => !isExcused(status)), ...blocked], target);
  const of = (status: GateStatus) => entries.filter(({ lead }) => lead.status === status);
  const open = new Set(gate && gateView(report, gate).blocked.map(({ id }) => id));
  const partlyBlocked = excused.flatMap((one): PartlyBlocked[] => {
    const { id } = one.finding.requirement;
    const unjudged = report.checks.find(({ requirement, verdict }) => requirement === id && verdict === 'blocked');
    return open.has(id) && unjudged ? [{ ...one, unjudged }] : [];
  });
  const isPartly = new Set(partlyBlocked.map(({ finding }) => finding));
  return {
    fails: of('fail'),
    blocked: of('blocked'),
    partlyBlocked,
    excused: excused.filter(({ finding }) => !isPartly.has(finding)),
    warns: of('warn'),
    advice: of('advice'),
  };
}

function isExcused(status: GateStatus): boolean {
  return status === 'known' || status === 'waived';
}

/** All entries of a report in the order in which they are fixed. */
export function entriesToFix({ fails, blocked, warns, advice }: FindingGroups): CauseEntry[] {
  return [...fails, ...blocked, ...warns, ...advice];
}

/** The blocked part of an excused failure. Contains outside text: escape it for the output format. */
export function describeBlockedPart({ unjudged }: PartlyBlocked): string {
  return `Part of it could not be judged, which no waiver or baseline covers: ${unjudged.message ?? unjudged.title}`;
}
