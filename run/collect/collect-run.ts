import type { FinishedCheck } from '../../harness/checks/engine.ts';
import type { EvidenceRecord } from '../../harness/checks/evidence.ts';
import { isCutOffCode } from '../../specs/faults/cut-off-codes.ts';
import { requirements } from '../../specs/requirements/catalogue.ts';
import type {
  BrokeAt,
  BrokeAtFrame,
  BrokeAtPart,
  CheckResult,
  Exchange,
  Slowness,
  Timing,
} from '../../specs/generated/types.ts';
import { slownessOf } from '../../reports/model/slowness.ts';
import { surfaceOf } from '../../specs/surfaces.ts';
import { locateBreak } from './locate-break.ts';
import type { ConfirmedCheck } from '../execute/confirm-failures.ts';
import { mergeRecords } from './merge-records.ts';

/** The parts of a report that come from finished checks. */
export interface CollectedRun {
  checks: CheckResult[];
  exchanges: Exchange[];
  timings: Timing[];
  slowness: Slowness[];
}

/**
 * Combines the outcomes of a run: checks in the order of the catalogue, each exchange once and chronologically under its
 * own id, samples by name.
 *
 * @param reproduce returns the command that repeats a check; called for failed and blocked checks
 */
export function collectRun(
  finished: readonly ConfirmedCheck[],
  reproduce: (check: FinishedCheck) => string,
): CollectedRun {
  const order = new Map(Object.keys(requirements).map((id, at) => [id, at]));
  const rank = ({ requirement }: FinishedCheck) => order.get(requirement) ?? order.size;
  const sorted = finished.toSorted((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : Number(a.id > b.id)));
  const exchanges = numbered(sorted);
  const shown = new Map(exchanges.map((exchange) => [identity(exchange), exchange]));
  return {
    checks: sorted.map((check) =>
      checkResult(isOwed(check, sorted) ? check : { ...check, verdict: 'not-exercised' }, shown, reproduce),
    ),
    exchanges,
    timings: timingsOf(sorted),
    slowness: slownessOf(
      sorted.flatMap(({ requirement, answerTimes = [] }) =>
        answerTimes.map((time) => ({ surface: surfaceOf(requirement), ...time })),
      ),
    ),
  };
}

/** Whether a verdict is owed where the time budget or a limit ended a check: nothing else has judged this must. */
function isOwed({ code, verdict, level, requirement }: ConfirmedCheck, all: readonly ConfirmedCheck[]): boolean {
  if (!isCutOffCode(code) || verdict !== 'blocked') return true;
  return (
    level === 'must' &&
    !all.some((other) => other.requirement === requirement && ['pass', 'fail'].includes(other.verdict))
  );
}

function checkResult(
  check: ConfirmedCheck,
  shown: ReadonlyMap<string, Exchange>,
  reproduce: (check: FinishedCheck) => string,
): CheckResult {
  const brokeAt: BrokeAt | undefined = brokenFrame(check, shown) ?? brokenPart(check, shown);
  const { id, requirement, title, source, level, verdict, durationMs, message, code, pause, finding, repeats } = check;
  const isOpen = verdict === 'fail' || verdict === 'blocked';
  return {
    id,
    requirement,
    surface: requirement.split('/', 1)[0] ?? requirement,
    title,
    ...(source && { source }),
    level,
    verdict,
    durationMs: hundredths(durationMs),
    ...(message !== undefined && { message }),
    ...(finding && { expected: finding.expected, received: finding.received }),
    ...(finding?.hint !== undefined && { hint: finding.hint }),
    ...(code !== undefined && { code }),
    ...(pause && { pause }),
    ...(isOpen && { reproduce: reproduce(check) }),
    evidence: evidenceIds(check, shown),
    ...(brokeAt && { brokeAt }),
    ...(repeats && { repeats }),
    ...(finding?.counterexample && { counterexample: finding.counterexample }),
  };
}

/**
 * Identifies an exchange. Checks share exchanges, but the worker delivers copies. A call continues after a check has
 * observed it, so only its constant parts are compared.
 */
function identity({ kind, label, startedAt, request, response, call }: EvidenceRecord): string {
  if (call) return JSON.stringify([kind, label, startedAt, call.callId]);
  return JSON.stringify([kind, label, startedAt, request, response?.status, response?.body]);
}

function numbered(checks: readonly FinishedCheck[]): Exchange[] {
  const copies = checks.flatMap(({ evidence, finding }) =>
    evidence.map((record, at) => ({ record, brokeAt: at === evidence.length - 1 ? finding?.frame : undefined })),
  );
  const unique = Map.groupBy(copies, ({ record }) => identity(record));
  return [...unique.values()]
    .flatMap((group) => mergeRecords(group))
    .toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : Number(a.startedAt > b.startedAt)))
    .map((record, at) => ({ id: `ex-${at + 1}`, ...record }));
}

/** The deciding exchange comes last; a record that occurs twice in one check keeps its last place. */
function evidenceIds({ evidence }: FinishedCheck, shown: ReadonlyMap<string, Exchange>): string[] {
  const ids = evidence.flatMap((record) => shown.get(identity(record))?.id ?? []);
  return ids.filter((id, at) => ids.lastIndexOf(id) === at);
}

type Shown = ReadonlyMap<string, Exchange>;

function decidingOf({ evidence }: FinishedCheck, shown: Shown): Exchange | undefined {
  const deciding = evidence.at(-1);
  return deciding && shown.get(identity(deciding));
}

function brokenPart(check: FinishedCheck, shown: Shown): BrokeAtPart | undefined {
  const exchange = decidingOf(check, shown);
  const { frame, part } = check.finding ?? {};
  // The content of a frame is not a body of the upgrade.
  return exchange && part && frame === undefined ? locateBreak(part, exchange) : undefined;
}

function brokenFrame(check: FinishedCheck, shown: Shown): BrokeAtFrame | undefined {
  const exchange = decidingOf(check, shown);
  const frame = check.finding?.frame;
  return exchange?.call?.frames.some(({ n }) => n === frame) && frame !== undefined
    ? { exchange: exchange.id, frame }
    : undefined;
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
