import type { FinishedCheck } from '../harness/engine.ts';
import type { EvidenceRecord } from '../harness/evidence.ts';
import { requirements } from '../specs/requirements/catalogue.ts';
import type { CheckResult, Exchange, Timing } from '../specs/types.ts';

/** The parts of a report that come from finished checks. */
export interface CollectedRun {
  checks: CheckResult[];
  exchanges: Exchange[];
  timings: Timing[];
}

/**
 * Puts the outcomes of a run together: checks in the catalogue's order, each exchange once under an id of its own in
 * the order of time, samples by name.
 *
 * @param reproduce the command that repeats a check; asked for what failed or was blocked
 */
export function collectRun(
  finished: readonly FinishedCheck[],
  reproduce: (check: FinishedCheck) => string,
): CollectedRun {
  const order = new Map(Object.keys(requirements).map((id, at) => [id, at]));
  const rank = ({ requirement }: FinishedCheck) => order.get(requirement) ?? order.size;
  const sorted = finished.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : Number(a.id > b.id)));
  const exchanges = numbered(sorted.flatMap(({ evidence }) => evidence));
  const idOf = new Map(exchanges.map(({ id, ...record }) => [identity(record), id]));
  return {
    checks: sorted.map((check) => checkResult(check, evidenceIds(check, idOf), reproduce)),
    exchanges,
    timings: timingsOf(sorted),
  };
}

function checkResult(
  check: FinishedCheck,
  evidence: string[],
  reproduce: (check: FinishedCheck) => string,
): CheckResult {
  const { id, requirement, title, level, verdict, durationMs, message, code, finding } = check;
  const isOpen = verdict === 'fail' || verdict === 'blocked';
  return {
    id,
    requirement,
    surface: requirement.split('/', 1)[0] ?? requirement,
    title,
    level,
    verdict,
    durationMs: hundredths(durationMs),
    ...(message !== undefined && { message }),
    ...(finding && { expected: finding.expected, received: finding.received }),
    ...(finding?.hint !== undefined && { hint: finding.hint }),
    ...(code !== undefined && { code }),
    ...(isOpen && { reproduce: reproduce(check) }),
    evidence,
    ...(finding?.counterexample && { counterexample: finding.counterexample }),
  };
}

/** Checks share exchanges, which come from the worker as copies: equal in all of this they are one. */
function identity({ kind, label, startedAt, request, response }: EvidenceRecord): string {
  return JSON.stringify([kind, label, startedAt, request, response?.status, response?.body]);
}

function numbered(records: readonly EvidenceRecord[]): Exchange[] {
  const unique = new Map(records.map((record) => [identity(record), record]));
  return [...unique.values()]
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : Number(a.startedAt > b.startedAt)))
    .map((record, at) => ({ id: `ex-${at + 1}`, ...record }));
}

/** The deciding exchange comes last; a record that occurs twice in one check keeps its last place. */
function evidenceIds({ evidence }: FinishedCheck, idOf: ReadonlyMap<string, string>): string[] {
  const ids = evidence.flatMap((record) => idOf.get(identity(record)) ?? []);
  return ids.filter((id, at) => ids.lastIndexOf(id) === at);
}

function timingsOf(checks: readonly FinishedCheck[]): Timing[] {
  const samples = checks.flatMap((check) => check.samples);
  const groups = Map.groupBy(samples, ({ name, limit }) => JSON.stringify([name, limit]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    return [
      { name: first.name, unit: 'ms' as const, limit: first.limit, samples: group.map(({ ms }) => hundredths(ms)) },
    ];
  });
}

function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}
