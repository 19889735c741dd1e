import { usageExitCode } from '../reports/model/verdict.ts';
import type {
  FleetCause,
  FleetNight,
  FleetReport,
  FleetSummary,
  Shard,
  SuspectedFault,
  TargetResult,
} from '../specs/generated/types.ts';
import type { Certified, Ledger, LedgerEntry, TargetCause } from './ledger.ts';
import type { WithoutEntry } from './run-fleet.ts';

/** Which targets a report is about, in addition to what the ledger has. */
export interface ReportedFleet {
  version: string;
  night: string;
  shard?: Shard | undefined;
  startedAt: Date;
  durationMs: number;
  /** Ids in the order of the list. */
  targets: readonly string[];
  without: ReadonlyMap<string, WithoutEntry>;
}

/** Directory of the reports of the targets, in that of the fleet. */
export const reportsDirectory = 'targets';
/** Nights of the trend. */
const shownNights = 60;
/** Targets with the same cause from which the service may be the reason: a few endpoints have the same fault by chance. */
const leastMany = 5;
/** Share of the checked targets from which a cause is likely not in each of them. */
const shareOfMany = 0.2;
/** Conformant targets that begin to fail a requirement with a new version from which that version is suspected. */
const leastSuspicious = 3;

/** The report of a night from the ledger. */
export function buildFleetReport(ledger: Ledger, fleet: ReportedFleet): FleetReport {
  const { version, night, shard, startedAt, durationMs, targets: ids, without } = fleet;
  const entries = new Map(ledger.entries(night).map((entry) => [entry.target, entry]));
  const targets = ids.map((id) => targetResult(id, entries.get(id), without.get(id)));
  const certified = ids.flatMap((id) => {
    const result = entries.get(id)?.result;
    return result?.state === 'complete' ? [{ id, result }] : [];
  });
  const nights = nightsOf(ledger, night);
  const summary = summarise(targets);
  return {
    schemaVersion: 1,
    harness: { name: 'svc-conform', version },
    night,
    ...(shard && { shard }),
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(durationMs),
    verdict: verdictOf(summary),
    summary,
    targets,
    causes: causesOf(ledger, night, certified, nights),
    nights: nights.slice(-shownNights),
    suspectedFaults: suspectedFaults(ledger, night, certified),
  };
}

/** The exit code of a fleet: 2 if a target is unusable, then 1 if one failed, then 3 if one has no verdict. */
export function fleetExitCode({ summary }: FleetReport, codes: readonly Certified['exitCode'][]): 0 | 1 | 2 | 3 {
  if (summary.unusable > 0) return usageExitCode;
  if (codes.includes(1)) return 1;
  return codes.includes(3) || summary.failed > 0 || summary.notChecked > 0 ? 3 : 0;
}

function targetResult(
  id: string,
  entry: LedgerEntry | undefined,
  without: WithoutEntry = { state: 'not-checked', reason: 'Another command has claimed it.' },
): TargetResult {
  const attempts = entry?.attempt ?? 0;
  const result = entry?.result;
  if (!result) return { id, ...without, attempts };
  if (result.state === 'failed') return { id, state: 'failed', attempts, reason: result.reason };
  const { state, verdict, startedAt, durationMs, version, digest, requirements } = result;
  const report = `${reportsDirectory}/${id}`;
  return { id, state, attempts, verdict, startedAt, durationMs, version, digest, report, requirements };
}

function summarise(targets: readonly TargetResult[]): FleetSummary {
  const count = (is: (target: TargetResult) => boolean) => targets.filter(is).length;
  return {
    conformant: count(({ verdict }) => verdict === 'conformant'),
    conformantWithWarnings: count(({ verdict }) => verdict === 'conformant-with-warnings'),
    nonConformant: count(({ verdict }) => verdict === 'non-conformant'),
    incomplete: count(({ verdict }) => verdict === 'incomplete'),
    failed: count(({ state }) => state === 'failed'),
    unusable: count(({ state }) => state === 'unusable'),
    notChecked: count(({ state }) => state === 'not-checked'),
  };
}

function verdictOf(summary: FleetSummary): FleetReport['verdict'] {
  const { conformantWithWarnings, nonConformant, incomplete, failed, unusable, notChecked } = summary;
  if (nonConformant > 0) return 'non-conformant';
  const { conformant } = summary;
  if (incomplete + failed + unusable + notChecked > 0 || conformant + conformantWithWarnings === 0) return 'incomplete';
  return conformantWithWarnings > 0 ? 'conformant-with-warnings' : 'conformant';
}

function nightsOf(ledger: Ledger, until: string): FleetNight[] {
  return [...Map.groupBy(ledger.results(until), ({ night }) => night)].map(([night, results]) => {
    const count = (verdict: string | null) => results.find((one) => one.verdict === verdict)?.count ?? 0;
    return {
      night,
      conformant: count('conformant'),
      conformantWithWarnings: count('conformant-with-warnings'),
      nonConformant: count('non-conformant'),
      incomplete: count('incomplete'),
      failed: count(null),
    };
  });
}

interface CertifiedTarget {
  id: string;
  result: Certified;
}

const severity: readonly TargetCause['status'][] = ['fail', 'blocked', 'warn'];

function causesOf(
  ledger: Ledger,
  night: string,
  certified: readonly CertifiedTarget[],
  nights: readonly FleetNight[],
): FleetCause[] {
  const found = certified.flatMap(({ id, result }) => result.causes.map((cause) => ({ id, cause })));
  const groups = [...Map.groupBy(found, ({ cause }) => cause.key).values()].flatMap((group): FleetCause[] => {
    const [first] = group;
    if (!first) return [];
    const targets = [...new Set(group.map(({ id }) => id))];
    const counts = ledger.causesByNight(first.cause.key, night);
    const since = sinceOf(
      nights.map((one) => one.night),
      counts,
      targets.length,
    );
    // Endpoints are independent: they do not get the same fault in the same night.
    const isSudden = nights[0] !== undefined && since > nights[0].night;
    const isMany = targets.length >= leastMany && (isSudden || targets.length >= shareOfMany * certified.length);
    const isOne = group.every(({ cause }) => cause.summary === first.cause.summary);
    const summary = isOne ? first.cause.summary : `For example: ${first.cause.summary}`;
    return [{ ...first.cause, summary, targets, since, suspects: isMany ? 'service' : 'endpoints' }];
  });
  return groups.toSorted(
    (a, b) => b.targets.length - a.targets.length || severity.indexOf(a.status) - severity.indexOf(b.status),
  );
}

/** The first night of the latest unbroken sequence in which at least half as many targets as now had the cause. */
function sinceOf(nights: readonly string[], counts: ReadonlyMap<string, number>, count: number): string {
  const before = nights.findLastIndex((night) => (counts.get(night) ?? 0) < count / 2);
  return nights[before + 1] ?? nights.at(-1) ?? '';
}

/** Targets were conformant with an earlier version and fail now: suspicious if many of them fail one requirement. */
function suspectedFaults(ledger: Ledger, night: string, certified: readonly CertifiedTarget[]): SuspectedFault[] {
  const changed = certified.flatMap(({ id, result: { failed, version } }) => {
    if (failed.length === 0) return [];
    const before = ledger.lastOfOtherVersion(id, night, version)?.result;
    if (before?.state !== 'complete' || before.failed.length > 0 || before.verdict === 'incomplete') return [];
    return failed.map((requirement) => ({ id, requirement, from: before.version, to: version }));
  });
  const groups = Map.groupBy(changed, ({ requirement, from, to }) => JSON.stringify([requirement, from, to]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length < leastSuspicious) return [];
    const { requirement, from, to } = first;
    return [{ requirement, targets: group.map(({ id }) => id), from, to }];
  });
}
